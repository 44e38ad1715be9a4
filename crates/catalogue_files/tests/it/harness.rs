//! Reads a text or bytes with settings, and returns documents and result.

use catalogue_files::report::result::ImportResult;
use catalogue_files::{FileError, MappedColumn, OpenedFile, ReadError, ReadSettings, read};
use domain::{DocType, Timestamp};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::io::Write;

/// What a file became.
#[derive(Debug)]
pub struct Outcome {
    pub result: ImportResult,
    pub documents: Vec<Map<String, Value>>,
}

impl Outcome {
    /// Returns the only document.
    pub fn only(&self) -> &Map<String, Value> {
        assert_eq!(self.documents.len(), 1, "{:?}", self.result);
        &self.documents[0]
    }

    /// Returns the document of an id.
    pub fn document(&self, id: &str) -> &Map<String, Value> {
        let mut documents = self.documents.iter();
        let found = documents.find(|document| document["id"] == id);
        found.unwrap_or_else(|| panic!("{id}: {:?}", self.documents))
    }

    /// Returns the ids, in the order of the file.
    pub fn ids(&self) -> Vec<&str> {
        self.documents
            .iter()
            .filter_map(|d| d["id"].as_str())
            .collect()
    }

    /// Returns the codes of warnings.
    pub fn warnings(&self) -> Vec<&str> {
        self.result
            .warnings
            .iter()
            .map(|warning| warning.code)
            .collect()
    }

    /// Returns the codes of notices.
    pub fn notices(&self) -> Vec<&str> {
        self.result
            .notices
            .iter()
            .map(|notice| notice.code)
            .collect()
    }

    /// Returns codes and rows of rejected rows.
    pub fn rejected(&self) -> Vec<(&str, u64)> {
        let rows = self.result.rejected.iter();
        rows.map(|row| (row.code.as_str(), row.row)).collect()
    }
}

/// Settings of a store in Spain with the base EUR.
pub fn settings() -> ReadSettings {
    ReadSettings {
        name: "file".to_owned(),
        doc_type: DocType::Products,
        language: "es".to_owned(),
        base_currency: Some("EUR".to_owned()),
        currencies: BTreeSet::from(["EUR".to_owned()]),
        base_url: Some("https://shop.example".to_owned()),
        now: Timestamp::parse("2026-06-15T12:00:00Z").expect("an instant"),
        mapping: catalogue_files::MappingOptions::default(),
        charset: None,
        is_preview: false,
    }
}

/// Settings with the targets of columns.
pub fn mapped(columns: &[&str]) -> ReadSettings {
    let mut settings = settings();
    let parsed = columns
        .iter()
        .map(|text| MappedColumn::parse(text).expect("a mapping"));
    settings.mapping.columns = parsed.collect();
    settings
}

/// Reads bytes.
pub fn read_bytes(bytes: &[u8], settings: &ReadSettings) -> Result<Outcome, ReadError> {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(bytes).expect("written");
    read_file(file, settings)
}

/// Reads a file.
pub fn read_file(file: std::fs::File, settings: &ReadSettings) -> Result<Outcome, ReadError> {
    let folder = tempfile::tempdir().expect("a folder");
    let opened = OpenedFile::open(file, settings)?;
    let catalogue = read(&opened, settings, folder.path(), &mut |_| true)?;
    let documents = catalogue
        .documents
        .map(|document| document.expect("a document").fields);
    Ok(Outcome {
        documents: documents.collect(),
        result: catalogue.result,
    })
}

/// Reads a text that is a catalogue.
pub fn read_text(text: &str) -> Outcome {
    read_with(text, &settings())
}

/// Reads a text that is a catalogue, with settings.
pub fn read_with(text: &str, settings: &ReadSettings) -> Outcome {
    read_bytes(text.as_bytes(), settings).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Returns why bytes are no catalogue.
pub fn error_of(bytes: &[u8]) -> FileError {
    match read_bytes(bytes, &settings()) {
        Err(ReadError::File(error)) => error,
        other => panic!("{other:?}"),
    }
}
