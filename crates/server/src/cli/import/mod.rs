//! `findwell import`: imports a file of any format, and one document a line in our own names block by block.

mod blocks;
mod lines;
pub mod progress;
mod report;
pub mod screen;
pub mod source;
mod whole_file;

use super::args::{Common, Import};
use super::outcome::{CommandError, ExitStatus};
use super::progress_bar::styled;
use crate::admin::DataAccess;
use crate::imports::Destination;
use blocks::{ImportItem, NumberedBlock};
use catalogue_files::is_stream_of_documents;
use domain::Language;
use domain::source::FetchOutcome;
use indicatif::ProgressBar;
use operations::import::ImportBlock;
use report::Report;
use source::ImportFile;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::mpsc;

/// Blocks that are read ahead while one is stored.
const BLOCKS_AHEAD: usize = 2;
/// Imports the file: line by line if it has one document a line in our own names, else as a whole.
pub async fn run(common: &Common, import: Import) -> Result<ExitStatus, CommandError> {
    let file = ImportFile::open(&import.file, &common.data)?;
    let is_plain = !import.preview && !import.complete && !import.mapping.is_given();
    let is_stream = is_plain && is_stream_of_documents(file.try_clone()?, import.doc_type);
    let mut access = DataAccess::open(&common.data, &common.locations.read()?, false).await?;
    if !is_stream {
        return whole_file::run(common, &import, file, access).await;
    }
    let outcome = stream(common, &import, file, &mut access).await;
    access.close().await;
    outcome
}

/// Imports a file line by line.
async fn stream(
    common: &Common,
    import: &Import,
    file: ImportFile,
    access: &mut DataAccess,
) -> Result<ExitStatus, CommandError> {
    let language = match &import.language {
        Some(language) => language.clone(),
        None => whole_file::language_of(access, &import.store).await?,
    };
    let source = lines::ImportSource::new(file.try_clone()?)
        .map_err(|error| CommandError::failed(format!("{}: {error}", file.name)))?;
    let bar = progress_bar(source.bytes);
    let mut report = Report::new(common.json, import.doc_type, bar.clone());
    let import = Streamed { import, language };
    let outcome = feed(access, &import, source, &mut report).await;
    bar.finish_and_clear();
    report.print_counts();
    let ended = match outcome {
        Ok(()) => FetchOutcome::Updated,
        Err(_) => FetchOutcome::Failed,
    };
    Destination::Command(access)
        .count(ended, report.rows())
        .await;
    outcome?;
    report.finish()
}

/// An import line by line.
struct Streamed<'a> {
    import: &'a Import,
    language: Language,
}

async fn feed(
    access: &mut DataAccess,
    import: &Streamed<'_>,
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
            import.import.file.display()
        ))),
        Err(error) => Err(CommandError::failed(format!("reading failed: {error}"))),
    }
}

async fn store(
    access: &mut DataAccess,
    import: &Streamed<'_>,
    NumberedBlock { lines, documents }: NumberedBlock,
    report: &mut Report,
) -> Result<(), CommandError> {
    let block = ImportBlock {
        store: import.import.store.clone(),
        language: import.language.clone(),
        doc_type: import.import.doc_type,
        run: None,
        documents,
    };
    let response = Destination::Command(access).block(&block).await?;
    report.block(&lines, &block.documents, response)
}

fn progress_bar(bytes: u64) -> ProgressBar {
    styled(
        ProgressBar::new(bytes),
        "{bar:30} {bytes}/{total_bytes} {msg} ({elapsed} elapsed, {eta} left)",
    )
}

/// Bytes of the file that were read so far.
type Position = Arc<AtomicU64>;
