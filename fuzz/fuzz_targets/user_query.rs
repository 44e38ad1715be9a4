//! Queries in several languages: analysed, planned for every type, and highlighted in a text.
//!
//! The first byte selects language and settings.

#![no_main]

use domain::limits::{QUERY_CHARACTERS_MAX, QUERY_WORDS_MAX};
use domain::relevance::{BoostMerging, Overrides, RelevanceChange};
use domain::{DocType, Language, Relevance};
use libfuzzer_sys::fuzz_target;
use query::analysis::fold;
use query::highlight::{HighlightTerms, highlight};
use query::{Analyser, Plan, UserQuery};
use serde_json::json;
use std::sync::LazyLock;

static ANALYSERS: LazyLock<Vec<Analyser>> = LazyLock::new(|| {
    ["es", "de", "fr", "en", "zh", "ja", "th", "ar"]
        .map(|code| Analyser::new(&Language::parse(code).expect("a language")))
        .into()
});

static CONFIGURATIONS: LazyLock<Vec<Relevance>> = LazyLock::new(|| {
    let strict = json!({"boosts": {"name.partial": 2}, "searchSettings": {
        "fuzziness": "2", "fuzzyPrefixLength": 0, "minMatchShort": "100%", "crossFieldsBoost": 0,
        "exactReferenceSearch": false, "referenceMode": "priority", "scoreCutoff": 50
    }});
    [json!({}), strict]
        .map(|change| {
            let change: RelevanceChange = serde_json::from_value(change).expect("a change");
            let saved = Overrides::default().apply(&change, BoostMerging::Replace);
            saved.expect("a valid change").effective()
        })
        .into()
});

fuzz_target!(|input: &[u8]| {
    let Some((choice, text)) = input.split_first() else {
        return;
    };
    let choice = usize::from(*choice);
    let analyser = &ANALYSERS[choice % ANALYSERS.len()];
    let relevance = &CONFIGURATIONS[choice / ANALYSERS.len() % CONFIGURATIONS.len()];
    let text: String = String::from_utf8_lossy(text)
        .chars()
        .take(QUERY_CHARACTERS_MAX)
        .collect();

    let query = UserQuery::new(&text, analyser, &relevance.search_settings);
    assert!(query.words.len() <= QUERY_WORDS_MAX);
    assert!(query.words.is_empty() || query.min_match <= query.words.len());
    for word in &query.words {
        let token = &word.token;
        assert_eq!(text.get(token.start..token.end), Some(word.text.as_str()));
        assert!(!token.folded.is_empty() && !token.stem.is_empty());
        assert_eq!(
            fold(&token.folded),
            token.folded,
            "folding twice changes nothing"
        );
    }
    for doc_type in DocType::ALL {
        Plan::new(&query, relevance, doc_type);
    }

    let words = || query.words.iter().map(|word| &word.token);
    let marks = HighlightTerms {
        stems: words().map(|token| token.stem.clone()).collect(),
        prefixes: words().map(|token| token.folded.clone()).collect(),
        ..HighlightTerms::default()
    };
    let marked = highlight(&text, analyser, &marks);
    let plain = marked.replace("<em>", "").replace("</em>", "");
    assert_eq!(
        unescaped(&plain),
        text,
        "marks and escapes are all that was added"
    );
});

fn unescaped(html: &str) -> String {
    assert!(
        !html.contains(['<', '>', '"', '\'']),
        "everything is escaped: {html}"
    );
    html.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
}
