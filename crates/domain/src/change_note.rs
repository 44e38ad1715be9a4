//! `ChangeNote`: why a write is made, in the words of its author (docs/api.md, "Notes").

use crate::limits::REVISION_NOTE_CHARACTERS_MAX;
use crate::message::{self, Message};

/// Why a write is made: 1 to 500 characters without control characters other than line breaks, trimmed. It is data of its
/// author: it is shown as text and never followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeNote(String);

impl ChangeNote {
    /// Returns the note of a text; `None` if it is blank.
    ///
    /// Errors: the reason why the text cannot be a note.
    pub fn parse(text: &str) -> Result<Option<Self>, Message> {
        let text = text.trim();
        let is_control = |one: char| one.is_control() && !matches!(one, '\n' | '\r');
        if text.chars().any(is_control) {
            return Err(message::text::control_but_breaks());
        }
        let count = text.chars().count();
        if count > REVISION_NOTE_CHARACTERS_MAX {
            return Err(message::text::at_most(REVISION_NOTE_CHARACTERS_MAX, count));
        }
        Ok((count > 0).then(|| Self(text.to_owned())))
    }

    /// Returns its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    //! 1. A note is trimmed and counted in characters; a blank one is none; of control characters it has line breaks only.

    use super::*;

    #[test]
    fn notes_are_short_texts() {
        let parse = |text: &str| ChangeNote::parse(text).map(|note| note.map(|note| note.0));
        assert_eq!(parse(" Why \n"), Ok(Some("Why".to_owned())));
        assert_eq!(parse(" \n\t"), Ok(None));
        assert_eq!(parse("a\r\nb"), Ok(Some("a\r\nb".to_owned())));
        let longest = "\u{1F9E6}".repeat(REVISION_NOTE_CHARACTERS_MAX);
        assert_eq!(parse(&format!("  {longest}  ")), Ok(Some(longest.clone())));
        assert!(parse(&format!("{longest}x")).is_err());
        for wrong in ["a\0b", "a\tb", "a\u{1b}[31mb", "a\u{7f}b", "a\u{85}b"] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
