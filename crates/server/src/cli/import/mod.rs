//! `findwell import`: the documents of a file, block by block, with a report of what was rejected.

mod blocks;
mod lines;
mod report;

use super::args::{Common, Import};
use super::outcome::{Ending, ExitStatus};
use crate::admin::{AdminFailure, AdminKind, AdminRequest, DataAccess};
use blocks::{Event, NumberedBlock};
use indicatif::{ProgressBar, ProgressStyle};
use operations::import::ImportBlock;
use report::{BlockResponse, Report};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// Blocks that are read ahead while one is being stored.
const BLOCKS_AHEAD: usize = 2;
/// How long one block may be refused before the import gives up.
const PATIENCE: Duration = Duration::from_secs(120);
/// Wait before a block is sent again when the server names no time.
const RETRY_DEFAULT_S: u64 = 1;

/// Imports the file.
pub async fn run(common: &Common, import: Import) -> Result<ExitStatus, Ending> {
    let source = lines::ImportSource::open(&import.file)
        .map_err(|error| Ending::failed(format!("{}: {error}", import.file.display())))?;
    let mut access = DataAccess::open(&common.data, false).await?;
    let bar = progress_bar(source.bytes);
    let mut report = Report::new(common.json, bar.clone());
    let outcome = feed(&mut access, &import, source, &mut report).await;
    access.close().await;
    bar.finish_and_clear();
    report.tell_figures();
    outcome?;
    report.finish()
}

async fn feed(
    access: &mut DataAccess,
    import: &Import,
    source: lines::ImportSource,
    report: &mut Report,
) -> Result<(), Ending> {
    let position = source.position.clone();
    let (sender, mut events) = mpsc::channel(BLOCKS_AHEAD);
    let reader = tokio::task::spawn_blocking(move || blocks::read(source.lines, &sender));
    while let Some(event) = events.recv().await {
        match event {
            Event::Rejected { line, message } => report.unreadable(line, message),
            Event::Block(block) => store(access, import, block, report).await?,
        }
        report.bar.set_position(position.load(Ordering::Relaxed));
    }
    match reader.await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(Ending::failed(format!(
            "{}: {error}; what came before is in",
            import.file.display()
        ))),
        Err(error) => Err(Ending::failed(format!("reading broke off: {error}"))),
    }
}

/// Stores one block, trying again as long as the server asks for patience.
async fn store(
    access: &mut DataAccess,
    import: &Import,
    block: NumberedBlock,
    report: &mut Report,
) -> Result<(), Ending> {
    let NumberedBlock { lines, documents } = block;
    let deadline = Instant::now() + PATIENCE;
    loop {
        let request = AdminRequest::Import(ImportBlock {
            store: import.store.clone(),
            language: import.language.clone(),
            doc_type: import.doc_type,
            documents: documents.clone(),
        });
        match access.execute(request).await {
            Ok(answer) => return report.block(&lines, read_answer(answer)?),
            Err(AdminFailure {
                kind: AdminKind::Later,
                retry_after_s,
                ..
            }) if Instant::now() < deadline => {
                let seconds = retry_after_s.unwrap_or(RETRY_DEFAULT_S);
                tokio::time::sleep(Duration::from_secs(seconds)).await;
            }
            Err(failure) => return Err(failure.into()),
        }
    }
}

fn read_answer(answer: Value) -> Result<BlockResponse, Ending> {
    serde_json::from_value(answer)
        .map_err(|error| Ending::failed(format!("the server's answer is not understood: {error}")))
}

fn progress_bar(bytes: u64) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{bar:30} {bytes}/{total_bytes} {msg} ({elapsed} elapsed, {eta} left)",
    );
    let bar = ProgressBar::new(bytes);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Bytes of the file that were read so far.
type Position = Arc<AtomicU64>;
