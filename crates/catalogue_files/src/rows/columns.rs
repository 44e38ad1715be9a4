//! The columns of a file: their names in the order in which they are met, and how names compare.

use crate::bounds::{COLUMN_CHARACTERS_MAX, COLUMNS_MAX};
use crate::error::{FileError, FileErrorCode};
use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The columns met so far.
#[derive(Clone, Debug, Default)]
pub struct FileColumns {
    names: Vec<String>,
    keys: Vec<String>,
    by_name: HashMap<String, usize>,
}

impl FileColumns {
    /// Returns the index of a column, which is new or was met before.
    ///
    /// Errors: there are too many columns, or the name is too long.
    pub fn index(&mut self, name: &str) -> Result<usize, FileError> {
        if let Some(index) = self.by_name.get(name) {
            return Ok(*index);
        }
        if self.names.len() == COLUMNS_MAX {
            return Err(too_many(format!("more than {COLUMNS_MAX} columns")));
        }
        if name.chars().count() > COLUMN_CHARACTERS_MAX {
            let message = format!("a column name of more than {COLUMN_CHARACTERS_MAX} characters");
            return Err(too_many(message));
        }
        let index = self.names.len();
        self.names.push(name.to_owned());
        self.keys.push(comparable(name));
        self.by_name.insert(name.to_owned(), index);
        Ok(index)
    }

    /// Returns the name of a column as the file writes it.
    pub fn name(&self, index: usize) -> &str {
        self.names.get(index).map_or("", String::as_str)
    }

    /// Returns the name of a column as it compares.
    pub fn key(&self, index: usize) -> &str {
        self.keys.get(index).map_or("", String::as_str)
    }

    /// Returns the names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns whether there is a column of this comparable name.
    pub fn has(&self, key: &str) -> bool {
        self.keys.iter().any(|other| other == key)
    }
}

/// Returns the error of a file with too many columns.
pub fn too_many(message: String) -> FileError {
    FileError::new(FileErrorCode::TooManyColumns, message)
}

/// Returns a name as it compares: characters and digits only, lower case, without accents and the prefix `g:`.
pub fn comparable(name: &str) -> String {
    let name = name.trim();
    let name = name.strip_prefix("g:").unwrap_or(name);
    folded(name).filter(|c| c.is_alphanumeric()).collect()
}

/// Returns the characters of a text in lower case and without accents.
pub fn folded(text: &str) -> impl Iterator<Item = char> + '_ {
    let plain = text.nfkd().filter(|c| !is_combining_mark(*c));
    plain.flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::comparable;

    #[test]
    fn names_compare_by_characters_and_digits() {
        for name in ["Image URL", "image_url", "imageUrl", "g:image_url"] {
            assert_eq!(comparable(name), "imageurl", "{name}");
        }
        assert_eq!(comparable("Categorías"), "categorias");
        assert_eq!(comparable("Regulärer Preis"), "regularerpreis");
    }
}
