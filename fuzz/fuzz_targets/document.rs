//! Documents of the feed: every input is rejected, or accepted, parsed back to the same document and analysed.
//!
//! The first byte selects type and language. Input that is not a JSON object becomes the texts of a document.

#![no_main]

use domain::{DocType, Document, Language};
use engine::indexed_document::IndexedDocument;
use libfuzzer_sys::fuzz_target;
use query::{Analyser, CachedAnalyser};
use serde_json::{Value, json};
use std::sync::{Arc, LazyLock};

static ANALYSERS: LazyLock<Vec<Arc<Analyser>>> = LazyLock::new(|| {
    ["es", "de", "fr", "en", "zh", "ja", "th", "ar"]
        .map(|code| Arc::new(Analyser::new(&Language::parse(code).expect("a language"))))
        .into()
});

fuzz_target!(|input: &[u8]| {
    let Some((choice, body)) = input.split_first() else {
        return;
    };
    let choice = usize::from(*choice);
    let doc_type = DocType::ALL[choice % DocType::ALL.len()];
    let analyser = &ANALYSERS[choice / DocType::ALL.len() % ANALYSERS.len()];
    let Ok(document) = Document::parse(doc_type, 0, value(body)) else {
        return;
    };
    let stored = Value::Object(document.body.clone());
    let again = Document::parse(doc_type, 0, stored).expect("what is stored can be read");
    assert_eq!(again.body, document.body);

    let mut words = CachedAnalyser::new(Arc::clone(analyser));
    let analysed = |document: &Document, words: &mut CachedAnalyser| {
        let indexed = IndexedDocument::new(document, words);
        let fields = indexed.texts.iter().map(|text| {
            let places = indexed.values(text).flatten().map(|place| {
                let word = [&place.word.form, &place.word.folded, &place.word.stem];
                (place.position, place.joined, word.map(ToString::to_string))
            });
            (text.field, places.collect::<Vec<_>>())
        });
        (
            fields.collect::<Vec<_>>(),
            indexed.codes.clone(),
            indexed.card(),
        )
    };
    let first = analysed(&document, &mut words);
    assert_eq!(first, analysed(&again, &mut words));
});

fn value(body: &[u8]) -> Value {
    match serde_json::from_slice(body) {
        Ok(value @ Value::Object(_)) => value,
        _ => {
            let text = String::from_utf8_lossy(body);
            json!({
                "id": "1", "name": text, "title": text, "description": text, "reference": text,
                "tags": [text], "features": [{"name": text, "value": text}],
                "combinationReferences": [text], "priceInclTax": 1.0
            })
        }
    }
}
