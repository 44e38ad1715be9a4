//! The field lengths of a segment's documents, in memory.
//!
//! The lengths of one document are adjacent, so that scoring it in many fields costs one cache miss.

use crate::embedded::write::schema::length_name;
use domain::relevance::field::{FIELD_COUNT, FieldId};
use tantivy::{DocId, SegmentReader};

/// Lengths by document and field; fields without a value in any document are left out.
pub struct Lengths {
    /// Lengths ordered by document, then field.
    all: Vec<u16>,
    /// Index of each field in the lengths of a document.
    columns: [Option<usize>; FIELD_COUNT],
    /// Number of lengths of a document.
    fields: usize,
}

impl Lengths {
    /// Reads the lengths of a segment.
    pub fn read(reader: &SegmentReader) -> tantivy::Result<Self> {
        let mut columns = Vec::new();
        let mut indices = [None; FIELD_COUNT];
        for field in FieldId::texts() {
            let column = column(reader, &length_name(field))?;
            if column.iter().any(|length| *length > 0) {
                indices[field.index()] = Some(columns.len());
                columns.push(column);
            }
        }
        let mut all = Vec::with_capacity(columns.len() * reader.max_doc() as usize);
        for document in 0..reader.max_doc() as usize {
            let short = |length: u32| u16::try_from(length).unwrap_or(u16::MAX);
            all.extend(columns.iter().map(|column| short(column[document])));
        }
        Ok(Self {
            all,
            columns: indices,
            fields: columns.len(),
        })
    }

    /// The lengths of one field; none when no document has a value.
    pub fn of(&self, field: FieldId) -> Option<FieldLengths<'_>> {
        self.columns[field.index()].map(|column| FieldLengths {
            from: &self.all[column..],
            fields: self.fields,
        })
    }
}

/// The lengths of one field.
#[derive(Clone, Copy)]
pub struct FieldLengths<'a> {
    /// All lengths, starting with that of the first document in this field.
    from: &'a [u16],
    fields: usize,
}

impl FieldLengths<'_> {
    /// Number of words of a document.
    pub fn of(&self, document: DocId) -> u16 {
        self.from[document as usize * self.fields]
    }
}

/// Reads a column with one value per document.
pub fn column(reader: &SegmentReader, name: &str) -> tantivy::Result<Vec<u32>> {
    let column = reader.fast_fields().u64(name)?;
    Ok((0..reader.max_doc())
        .map(|doc| column.first(doc).unwrap_or(0) as u32)
        .collect())
}
