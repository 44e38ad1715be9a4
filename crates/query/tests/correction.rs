//! 1. A word that does not exist is replaced by the nearest one that does: a swap first, then the same first character, then
//!    the commonest; a word that exists stays.
//! 2. Neighbours that exist as one are joined, and a word of two that exist is split.
//! 3. Words with digits stay, signs and other words too; without a correction there is none.

use domain::relevance::Fuzziness;
use domain::{Language, SearchSettings};
use query::correction::{CorrectedQuery, Correction, CorrectionReason, Spelling};
use query::{Analyser, UserQuery};
use std::collections::{BTreeMap, HashSet};
use strsim::osa_distance;

/// The correction of `query` in an index with these words and numbers of documents.
fn corrected(index: &[(&str, u64)], query: &str, fuzziness: Fuzziness) -> Option<CorrectedQuery> {
    let analyser = Analyser::new(&Language::parse("en").expect("a code"));
    let settings = SearchSettings {
        fuzziness,
        ..SearchSettings::default()
    };
    let query = UserQuery::new(query, &analyser, &settings);
    let correction = Correction::new(&query, &analyser);
    let stem = |word: &str| analyser.stem(word);
    let existing: HashSet<String> = index.iter().map(|(word, _)| stem(word)).collect();
    let spelled = correction.spelled(&existing, &settings);
    let spellings = spelled.into_iter().map(|word| {
        let near = index.iter().map(|(form, documents)| Spelling {
            form: (*form).to_owned(),
            stem: stem(form),
            distance: osa_distance(&word.stem, &stem(form)) as u32,
            documents: *documents,
        });
        let near = near.filter(|near| (1..=word.typos).contains(&near.distance));
        (word.stem.clone(), near.collect())
    });
    let spellings: BTreeMap<String, Vec<Spelling>> = spellings.collect();
    correction.corrected(&existing, &spellings)
}

#[test]
fn unknown_words_are_corrected() {
    use CorrectionReason::{Joined, Spelling, Split};
    let index = [
        ("tent", 9),
        ("net", 90),
        ("test", 50),
        ("lamp", 5),
        ("sleeping", 3),
        ("bag", 30),
        ("thermos", 2),
        ("batteries", 4),
        ("camp", 50),
    ];
    for (query, expected) in [
        ("tnet", Some(("tent", Spelling))),
        ("xent", Some(("tent", Spelling))),
        ("lanp", Some(("lamp", Spelling))),
        ("zamp", Some(("camp", Spelling))),
        ("bateries", Some(("batteries", Spelling))),
        ("red  tnet!", Some(("red  tent!", Spelling))),
        ("ther mos", Some(("thermos", Joined))),
        ("sleepingbag", Some(("sleeping bag", Split))),
        ("tent", None),
        ("t3nt", None),
        ("zzzzzz", None),
        ("的确", None),
    ] {
        // "red" exists.
        let index: Vec<(&str, u64)> = index.into_iter().chain([("red", 7)]).collect();
        let found = corrected(&index, query, Fuzziness::Auto);
        let found = found
            .as_ref()
            .map(|found| (found.text.as_str(), found.reason));
        assert_eq!(found, expected, "{query}");
    }
    assert_eq!(corrected(&index, "tnet", Fuzziness::None), None);
    assert!(corrected(&index, "sleepingbag", Fuzziness::None).is_some());
}
