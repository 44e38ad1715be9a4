//! Cards on disk: one file per segment, which tantivy writes, merges and deletes along with its own.
//!
//! A card is found by one table lookup. Tantivy's document store goes through an index of several layers, copies the
//! block of the document and then the document: that took a tenth of a search for 500 hits.

use super::schema::{CARD, ORDINAL};
use std::any::Any;
use std::collections::HashMap;
use std::io::{Error, ErrorKind, Write};
use tantivy::columnar::ColumnarReader;
use tantivy::directory::{OwnedBytes, TerminatingWrite};
use tantivy::index::{SegmentComponent, SegmentId};
use tantivy::indexer::DocIdMapping;
use tantivy::schema::document::ErasedDocument;
use tantivy::schema::{Schema, Value};
use tantivy::{
    DocId, PluginMergeContext, PluginWriter, PluginWriterContext, Segment, SegmentPlugin,
    SegmentReader, TantivyDocument,
};

/// Extension of the files.
const EXTENSION: &str = "cards";
/// Bytes of an offset in the table.
const OFFSET_BYTES: usize = size_of::<u64>();

/// The cards of a segment: their bytes, then the table of their ends by document.
pub struct Cards {
    segment: SegmentId,
    file: OwnedBytes,
    /// Start of the table of ends.
    ends: usize,
}

impl Cards {
    /// Opens the cards of a segment.
    ///
    /// Errors: when the file cannot be read or has another number of cards than the segment has documents.
    pub fn read(reader: &SegmentReader) -> tantivy::Result<Self> {
        let segment = reader.segment_id();
        let file = reader.open_read(component())?.read_bytes()?;
        let table = reader.max_doc() as usize * OFFSET_BYTES;
        let ends = file.len().checked_sub(table);
        let cards = Self {
            segment,
            ends: ends.ok_or_else(|| broken(segment))?,
            file,
        };
        match reader.max_doc().checked_sub(1) {
            Some(last) if cards.end(last) != Some(cards.ends) => Err(broken(segment).into()),
            _ => Ok(cards),
        }
    }

    /// The bytes of the card of `document`.
    ///
    /// Errors: when there is no such document, or the table is damaged.
    pub fn get(&self, document: DocId) -> Result<&[u8], Error> {
        let start = match document.checked_sub(1) {
            Some(before) => self.end(before),
            None => Some(0),
        };
        let range = start.zip(self.end(document)).map(|(start, end)| start..end);
        let bytes = range.and_then(|range| self.file[..self.ends].get(range));
        bytes.ok_or_else(|| self.broken())
    }

    /// The error for damaged cards.
    pub fn broken(&self) -> Error {
        broken(self.segment)
    }

    fn end(&self, document: DocId) -> Option<usize> {
        let (table, _) = self.file[self.ends..].as_chunks::<OFFSET_BYTES>();
        let end = table.get(document as usize)?;
        usize::try_from(u64::from_le_bytes(*end)).ok()
    }
}

/// The tantivy plugin that maintains the files. It identifies documents by ordinal, because tantivy does not report how
/// it sorts them.
pub struct CardFiles;

impl SegmentPlugin for CardFiles {
    fn extensions(&self) -> &[&str] {
        &[EXTENSION]
    }

    fn create_writer(&self, _: &PluginWriterContext<'_>) -> tantivy::Result<Box<dyn PluginWriter>> {
        Ok(Box::new(Collected::default()))
    }

    fn merge(&self, merged: PluginMergeContext<'_>) -> tantivy::Result<()> {
        let mut living = HashMap::new();
        let mut cards = Vec::with_capacity(merged.readers.len());
        for (at, reader) in merged.readers.iter().enumerate() {
            cards.push(Cards::read(reader)?);
            let ordinals = reader.fast_fields().u64(ORDINAL)?;
            for document in reader.doc_ids_alive() {
                living.insert(ordinals.first(document).unwrap_or(0), (at, document));
            }
        }
        let target = merged.target_segment;
        write(target, |ordinal| match living.get(&ordinal) {
            Some((at, document)) => cards[*at].get(*document),
            None => Err(broken(target.id())),
        })
    }
}

/// The cards of a segment that is being written.
#[derive(Default)]
struct Collected {
    bytes: Vec<u8>,
    /// Start and end of each card, by the ordinal of its document.
    ranges: HashMap<u64, (usize, usize)>,
}

impl PluginWriter for Collected {
    fn add_document(
        &mut self,
        _: DocId,
        document: &dyn ErasedDocument,
        schema: &Schema,
    ) -> tantivy::Result<()> {
        let document = document.as_any().downcast_ref::<TantivyDocument>();
        let value = |name| document?.get_first(schema.get_field(name).ok()?);
        let ordinal = value(ORDINAL).and_then(|value| value.as_u64());
        let card = value(CARD).and_then(|value| value.as_custom());
        let (Some(ordinal), Some(card)) = (ordinal, card) else {
            let reason = "a document has no ordinal or no card";
            return Err(Error::new(ErrorKind::InvalidData, reason).into());
        };
        let start = self.bytes.len();
        self.bytes.extend_from_slice(card);
        // The last of several versions is the live one.
        self.ranges.insert(ordinal, (start, self.bytes.len()));
        Ok(())
    }

    fn serialize(
        self: Box<Self>,
        segment: &Segment,
        _: Option<&DocIdMapping>,
    ) -> tantivy::Result<()> {
        write(segment, |ordinal| {
            let range = self.ranges.get(&ordinal);
            let (start, end) = *range.ok_or_else(|| broken(segment.id()))?;
            Ok(&self.bytes[start..end])
        })
    }

    fn mem_usage(&self) -> usize {
        self.bytes.capacity() + self.ranges.capacity() * size_of::<(u64, (usize, usize))>()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// Writes the file of `segment`, whose columns are already written; `card` returns the card of an ordinal.
fn write<'a>(
    segment: &Segment,
    card: impl Fn(u64) -> Result<&'a [u8], Error>,
) -> tantivy::Result<()> {
    let mut file = segment.open_write(component())?;
    let mut end = 0;
    let mut ends = Vec::new();
    for ordinal in ordinals(segment)? {
        let card = card(ordinal)?;
        file.write_all(card)?;
        end += card.len() as u64;
        ends.extend(end.to_le_bytes());
    }
    file.write_all(&ends)?;
    file.terminate()?;
    Ok(())
}

/// The ordinals of the documents of a segment that has no reader yet, by document.
fn ordinals(segment: &Segment) -> tantivy::Result<Vec<u64>> {
    let columns = ColumnarReader::open(segment.open_read(SegmentComponent::FastFields)?)?;
    let column = columns.read_columns(ORDINAL)?.into_iter().next();
    let column = column.map(|column| column.open_u64_lenient()).transpose()?;
    let column = column.flatten().ok_or_else(|| broken(segment.id()))?;
    let documents = 0..columns.num_docs();
    Ok(documents.map(|at| column.first(at).unwrap_or(0)).collect())
}

fn component() -> SegmentComponent {
    SegmentComponent::Custom(EXTENSION.to_owned())
}

fn broken(segment: SegmentId) -> Error {
    let segment = segment.short_uuid_string();
    let reason = format!("the cards do not match the documents of segment {segment}");
    Error::new(ErrorKind::InvalidData, reason)
}

#[cfg(test)]
mod tests {
    //! 1. A card is found by its document. 2. A damaged table does no harm, and the error names the segment.

    use super::*;
    use proptest::prelude::*;

    fn cards(file: Vec<u8>, ends: usize) -> Cards {
        let segment = SegmentId::from_uuid_string("0123456789abcdef0123456789abcdef");
        Cards {
            segment: segment.expect("an id"),
            file: OwnedBytes::new(file),
            ends,
        }
    }

    #[test]
    fn a_card_is_found_by_its_document() {
        let (one, other) = ("a tent", "");
        let mut file = [one, other].concat().into_bytes();
        let ends = file.len();
        for end in [one.len(), ends] {
            file.extend((end as u64).to_le_bytes());
        }
        let cards = cards(file, ends);
        assert_eq!(cards.get(0).expect("a card"), one.as_bytes());
        assert_eq!(cards.get(1).expect("a card"), other.as_bytes());
        let error = cards.get(2).expect_err("there is none").to_string();
        assert!(error.contains("01234567"), "{error}");
    }

    proptest! {
        #[test]
        fn a_damaged_table_does_no_harm(
            texts: [u8; 50],
            table in proptest::collection::vec(0..60u64, 0..20),
            document in 0..20u32,
        ) {
            let table: Vec<u8> = table.into_iter().flat_map(u64::to_le_bytes).collect();
            let file = [texts.as_slice(), &table].concat();
            match cards(file, texts.len()).get(document) {
                Ok(card) => prop_assert!(card.len() <= texts.len()),
                Err(error) => prop_assert!(error.to_string().contains("01234567")),
            }
        }
    }
}
