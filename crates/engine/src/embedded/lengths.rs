//! The lengths of the texts of a segment's documents, in memory.
//!
//! Those of one document lie side by side: a document that is scored in many fields is waited for once.

use super::schema::length_name;
use domain::relevance::field::{FIELD_COUNT, FieldId};
use tantivy::{DocId, SegmentReader};

/// Lengths by document and field; fields that no document fills are left out.
pub struct Lengths {
    /// Document by document.
    all: Vec<u16>,
    /// Where each field stands among those of a document.
    places: [Option<usize>; FIELD_COUNT],
    /// Fields of a document.
    fields: usize,
}

impl Lengths {
    /// Those of a segment.
    pub fn read(reader: &SegmentReader) -> tantivy::Result<Self> {
        let mut columns = Vec::new();
        let mut places = [None; FIELD_COUNT];
        for field in FieldId::texts() {
            let column = column(reader, &length_name(field))?;
            if column.iter().any(|length| *length > 0) {
                places[field.index()] = Some(columns.len());
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
            places,
            fields: columns.len(),
        })
    }

    /// Those of one field; none when no document fills it.
    pub fn of(&self, field: FieldId) -> Option<FieldLengths<'_>> {
        self.places[field.index()].map(|place| FieldLengths {
            from: &self.all[place..],
            fields: self.fields,
        })
    }
}

/// The lengths of one field.
#[derive(Clone, Copy)]
pub struct FieldLengths<'a> {
    /// All lengths, from the one of the first document in this field on.
    from: &'a [u16],
    fields: usize,
}

impl FieldLengths<'_> {
    /// Number of words of a document.
    pub fn of(&self, document: DocId) -> u16 {
        self.from[document as usize * self.fields]
    }
}

/// A column of numbers that every document has.
pub fn column(reader: &SegmentReader, name: &str) -> tantivy::Result<Vec<u32>> {
    let column = reader.fast_fields().u64(name)?;
    Ok((0..reader.max_doc())
        .map(|doc| column.first(doc).unwrap_or(0) as u32)
        .collect())
}
