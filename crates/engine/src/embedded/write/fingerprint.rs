//! The fingerprint of an indexed document, by which a check finds outdated documents.
//!
//! Multiplication by the golden ratio after each exclusive or: Fibonacci hashing (Knuth, "The Art of Computer
//! Programming", volume 3, section 6.4).

use super::document_terms::DocumentTerms;

/// The fingerprint of everything that is written for a document, except what depends on its numbers.
pub fn of(document: &DocumentTerms<'_>) -> u64 {
    let mut print = Print(0xcbf2_9ce4_8422_2325);
    for (field, text) in &document.texts {
        print.add(&field.index().to_le_bytes());
        print.add(text.terms.as_str().as_bytes());
    }
    for terms in [&document.stems, &document.prefixes, &document.substrings] {
        print.add(terms.as_str().as_bytes());
    }
    for (field, codes) in document.codes {
        print.add(&field.index().to_le_bytes());
        codes.iter().for_each(|code| print.add(code.as_bytes()));
    }
    print.add(&document.card);
    print.0
}

/// A hash of our own, eight bytes at a time: it is stored on disk, and the standard library's may change with any
/// release.
struct Print(u64);

impl Print {
    /// Adds bytes and their number, so that the border between two texts is part of the hash.
    fn add(&mut self, bytes: &[u8]) {
        self.mix(bytes.len() as u64);
        let (words, rest) = bytes.as_chunks::<8>();
        words
            .iter()
            .for_each(|word| self.mix(u64::from_le_bytes(*word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.mix(u64::from_le_bytes(last));
    }

    fn mix(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= self.0 >> 32;
    }
}
