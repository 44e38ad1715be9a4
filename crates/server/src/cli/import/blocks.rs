//! Groups lines into blocks within the limits of the feed.

use super::lines::{ImportLine, Lines};
use crate::validation::strict_json;
use domain::limits::{BLOCK_BYTES_MAX, BLOCK_DOCUMENTS_MAX};
use serde_json::Value;
use std::io;
use tokio::sync::mpsc::Sender;

/// A block of documents with their line numbers.
#[derive(Debug, Default)]
pub struct NumberedBlock {
    /// Line numbers, in the order of the documents.
    pub lines: Vec<u64>,
    /// The documents.
    pub documents: Vec<Value>,
}

/// The next item of the file.
#[derive(Debug)]
pub enum ImportItem {
    /// A block.
    Block(NumberedBlock),
    /// A line that is not a document.
    Rejected {
        /// The line number.
        line: u64,
        /// The reason.
        message: String,
    },
}

/// Sends the items of `lines` in order, until the end or until the receiver is dropped.
///
/// Errors: reading the file fails.
pub fn read(lines: Lines, sender: &Sender<ImportItem>) -> io::Result<()> {
    let mut block = NumberedBlock::default();
    let mut bytes = 0;
    for line in lines {
        let ImportLine {
            number,
            bytes: text,
        } = match line {
            Ok(line) => line,
            Err(error) => {
                // The lines before the damage are valid.
                send(sender, ImportItem::Block(block));
                return Err(error);
            }
        };
        let size = text.as_ref().map_or(0, Vec::len);
        match document(text) {
            Ok(None) => continue,
            Ok(Some(document)) => {
                let full =
                    block.documents.len() == BLOCK_DOCUMENTS_MAX || bytes + size > BLOCK_BYTES_MAX;
                if full {
                    bytes = 0;
                    if !send(sender, ImportItem::Block(std::mem::take(&mut block))) {
                        return Ok(());
                    }
                }
                bytes += size;
                block.lines.push(number);
                block.documents.push(document);
            }
            Err(message) => {
                let line = number;
                if !send(sender, ImportItem::Rejected { line, message }) {
                    return Ok(());
                }
            }
        }
    }
    send(sender, ImportItem::Block(block));
    Ok(())
}

/// Parses the document of a line; returns `None` if the line is blank.
fn document(text: Option<Vec<u8>>) -> Result<Option<Value>, String> {
    let Some(text) = text else {
        return Err(format!("is longer than {BLOCK_BYTES_MAX} bytes"));
    };
    if text.iter().all(u8::is_ascii_whitespace) {
        return Ok(None);
    }
    strict_json::parse(&text)
        .map(Some)
        .map_err(|error| error.to_string())
}

/// Sends an item, skipping empty blocks; returns false if the receiver is dropped.
fn send(sender: &Sender<ImportItem>, item: ImportItem) -> bool {
    let empty = matches!(&item, ImportItem::Block(block) if block.documents.is_empty());
    empty || sender.blocking_send(item).is_ok()
}
