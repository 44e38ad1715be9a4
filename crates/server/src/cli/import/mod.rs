//! `findwell import`: imports the documents of a file block by block and reports rejected ones.

mod blocks;
mod lines;
mod report;

use super::args::{Common, Import};
use super::outcome::{CommandError, ExitStatus};
use crate::admin::{AdminFailure, AdminKind, AdminRequest, DataAccess};
use blocks::{ImportItem, NumberedBlock};
use indicatif::{ProgressBar, ProgressStyle};
use operations::import::ImportBlock;
use report::{BlockResponse, Report};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// Blocks that are read ahead while one is stored.
const BLOCKS_AHEAD: usize = 2;
/// How long a block is retried before the import gives up.
const RETRY_TIME: Duration = Duration::from_secs(120);
/// Seconds before a retry if the server does not specify them.
const RETRY_DEFAULT_S: u64 = 1;

/// Imports the file.
pub async fn run(common: &Common, import: Import) -> Result<ExitStatus, CommandError> {
    let source = lines::ImportSource::open(&import.file)
        .map_err(|error| CommandError::failed(format!("{}: {error}", import.file.display())))?;
    let mut access = DataAccess::open(&common.data, false).await?;
    let bar = progress_bar(source.bytes);
    let mut report = Report::new(common.json, bar.clone());
    let outcome = feed(&mut access, &import, source, &mut report).await;
    access.close().await;
    bar.finish_and_clear();
    report.print_counts();
    outcome?;
    report.finish()
}

async fn feed(
    access: &mut DataAccess,
    import: &Import,
    source: lines::ImportSource,
    report: &mut Report,
) -> Result<(), CommandError> {
    let position = source.position.clone();
    let (sender, mut events) = mpsc::channel(BLOCKS_AHEAD);
    let reader = tokio::task::spawn_blocking(move || blocks::read(source.lines, &sender));
    while let Some(item) = events.recv().await {
        match item {
            ImportItem::Rejected { line, message } => report.unreadable(line, message),
            ImportItem::Block(block) => store(access, import, block, report).await?,
        }
        report.bar.set_position(position.load(Ordering::Relaxed));
    }
    match reader.await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(CommandError::failed(format!(
            "{}: {error}; the lines before it are imported",
            import.file.display()
        ))),
        Err(error) => Err(CommandError::failed(format!("reading failed: {error}"))),
    }
}

/// Stores a block, and retries while the server is busy.
async fn store(
    access: &mut DataAccess,
    import: &Import,
    block: NumberedBlock,
    report: &mut Report,
) -> Result<(), CommandError> {
    let NumberedBlock { lines, documents } = block;
    let deadline = Instant::now() + RETRY_TIME;
    loop {
        let request = AdminRequest::Import(ImportBlock {
            store: import.store.clone(),
            language: import.language.clone(),
            doc_type: import.doc_type,
            documents: documents.clone(),
        });
        match access.execute(request).await {
            Ok(response) => return report.block(&lines, read_response(response)?),
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

fn read_response(response: Value) -> Result<BlockResponse, CommandError> {
    serde_json::from_value(response).map_err(|error| {
        CommandError::failed(format!("cannot parse the server's response: {error}"))
    })
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
