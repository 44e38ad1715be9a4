//! Whether documents contain a word as typed, and other words of its stem: found in the lists of its surface forms.

use super::cursor::Cursor;
use super::posting_sources::{in_texts, open};
use super::segment::SegmentView;
use crate::EngineError;
use crate::embedded::write::document_terms::{SURFACE_FORM_MARK, UNMARKED_FORM_MARK};
use query::meaning::lookups::FormsFound;
use tantivy::DocId;

/// A word with the forms that are the word itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SameForms {
    /// The stem.
    pub stem: String,
    /// The surface forms.
    pub forms: Vec<String>,
    /// Whether writings of these with accents are the word too.
    pub accented: bool,
}

impl SameForms {
    /// Returns the terms of the surface forms.
    pub fn terms(&self) -> impl Iterator<Item = String> {
        let accented = self.forms.iter().filter(|_| self.accented);
        let accented = accented.map(|form| format!("{UNMARKED_FORM_MARK}{form}"));
        let written = self.forms.iter();
        let written = written.map(|form| format!("{SURFACE_FORM_MARK}{form}"));
        written.chain(accented)
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> usize {
        let forms = self.forms.iter().map(|form| size_of_val(form) + form.len());
        size_of::<Self>() + self.stem.len() + forms.sum::<usize>()
    }

    /// Adds what the live documents of `segment` contain to `found`; stops reading when both are known.
    pub fn find(&self, segment: &SegmentView, found: &mut FormsFound) -> Result<(), EngineError> {
        let mut forms = Vec::new();
        for term in self.terms() {
            for (field, reader, info) in in_texts(segment, &term)? {
                forms.push((field, open(reader, &info)?));
            }
        }
        for (field, reader, info) in in_texts(segment, &self.stem)? {
            let own = forms.extract_if(.., |(of, _)| *of == field);
            let own = own.map(|(_, cursor)| cursor).collect();
            self.find_in_field(segment, &mut open(reader, &info)?, own, found);
            if found.same && found.others {
                break;
            }
        }
        Ok(())
    }

    fn find_in_field(
        &self,
        segment: &SegmentView,
        stems: &mut Cursor,
        mut forms: Vec<Cursor>,
        found: &mut FormsFound,
    ) {
        let is_form = self.forms.contains(&self.stem);
        while let Some(document) = stems.document().filter(|_| !(found.same && found.others)) {
            let all = stems
                .frequency(document)
                .map_or(0, |tf| match tf.is_alone() && is_form {
                    true => 0,
                    false => tf.occurrences(),
                });
            let same = occurrences(&mut forms, document);
            if segment.is_alive(document) {
                found.same |= same > 0 || all == 0;
                found.others |= same < all;
            }
            stems.skip_to(document + 1);
        }
    }
}

/// Returns how often the forms occur in a document.
fn occurrences(forms: &mut [Cursor], document: DocId) -> u32 {
    let found = forms.iter_mut().filter_map(|form| form.frequency(document));
    found.map(|tf| tf.occurrences()).sum()
}
