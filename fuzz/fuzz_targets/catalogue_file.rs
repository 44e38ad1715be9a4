//! Files of catalogues: any bytes are a catalogue or an error, the counts of a result agree, and a document that the feed
//! would be sent has an id.
//!
//! The first byte selects the language and whether it is a preview.

#![no_main]

use catalogue_files::{MappingOptions, OpenedFile, ReadSettings, read};
use domain::{DocType, Timestamp};
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeSet;
use std::io::Write;

fuzz_target!(|input: &[u8]| {
    let Some((choice, bytes)) = input.split_first() else {
        return;
    };
    let settings = ReadSettings {
        name: "fuzz".to_owned(),
        doc_type: DocType::Products,
        language: ["es", "en", "de", "ja"][usize::from(*choice >> 1) % 4].to_owned(),
        base_currency: Some("EUR".to_owned()),
        currencies: BTreeSet::from(["EUR".to_owned()]),
        base_url: Some("https://shop.example".to_owned()),
        now: Timestamp(1_780_000_000_000),
        mapping: MappingOptions::default(),
        charset: None,
        is_preview: choice % 2 == 1,
    };
    let folder = tempfile::tempdir().expect("a folder");
    let mut file = tempfile::tempfile_in(folder.path()).expect("a file");
    file.write_all(bytes).expect("written");
    let Ok(opened) = OpenedFile::open(file, &settings) else {
        return;
    };
    let Ok(catalogue) = read(&opened, &settings, folder.path(), &mut |_| true) else {
        return;
    };
    let result = catalogue.result;
    let documents: Vec<_> = catalogue
        .documents
        .map(|d| d.expect("a document"))
        .collect();
    assert_eq!(result.documents, documents.len() as u64);
    assert!(
        documents.is_sorted_by_key(|document| document.row),
        "in the order of the file"
    );
    if result.file.profile != "findwell" {
        assert!(
            documents
                .iter()
                .all(|document| document.fields["id"].is_string())
        );
    }
});
