//! 1. Words that differ only in case, accents or number have the same stem.
//! 2. Folding and stemming are idempotent where they must be; offsets delimit the word in the text.
//! 3. Hyphenated words of a document are also indexed joined, at the position of their first part.
//! 4. HTML is removed, other punctuation is kept.
//! 5. The analyser never panics.

use super::*;
use proptest::prelude::*;

fn analyser(code: &str) -> Analyser {
    Analyser::new(&Language::parse(code).expect("a language code"))
}

fn stems(code: &str, text: &str) -> Vec<String> {
    analyser(code)
        .words(text)
        .into_iter()
        .map(|t| t.stem)
        .collect()
}

#[test]
fn english_plurals_have_the_stem_of_their_singular() {
    for (a, b) in [
        ("socks", "sock"),
        ("knives", "knife"),
        ("feet", "foot"),
        ("women's", "woman"),
        ("mens", "man"),
        ("batteries", "battery"),
        ("Boxes", "box"),
    ] {
        assert_eq!(stems("en", a), stems("en-gb", b), "{a} {b}");
    }
}

#[test]
fn spanish_plurals_and_accents_share_a_stem() {
    for (a, b) in [
        ("sartenes", "sartén"),
        ("sarten", "SARTÉN"),
        ("pantalones", "pantalón"),
        ("luces", "luz"),
        ("reparaciones", "reparacion"),
        ("cafeteras", "cafetera"),
        ("coches", "coche"),
        ("niños", "nino"),
        ("relojes", "reloj"),
        ("cables", "cable"),
    ] {
        assert_eq!(stems("es", a), stems("es", b), "{a} {b}");
    }
    assert_ne!(stems("es", "cafetera"), stems("es", "café"));
}

#[test]
fn other_languages_get_the_plain_analysis() {
    assert_eq!(stems("xx", "Straßen Öfen"), ["strassen", "ofen"]);
    assert_eq!(stems("is", "skór"), ["skor"]);
}

#[test]
fn punctuation_is_no_word_and_measures_stay_whole() {
    assert_eq!(
        stems("en", "Core™2 Duo – 15.6\" (2,1 kg) 006R90321"),
        ["core", "2", "duo", "15.6", "2,1", "kg", "006r90321"]
    );
}

#[test]
fn characters_with_combining_marks_are_words_anywhere() {
    assert_eq!(
        stems("xx", "cafe\u{301} noir, cafe\u{301}"),
        ["cafe", "noir", "cafe"]
    );
    assert_eq!(stems("xx", "z \u{308} z"), ["z", "z"]);
}

#[test]
fn stop_words_are_recognised() {
    let stops: Vec<bool> = analyser("en")
        .words("case for the phone")
        .iter()
        .map(|t| t.stop)
        .collect();
    assert_eq!(stops, [false, true, true, false]);
}

#[test]
fn hyphenated_words_are_also_joined() {
    let tokens = analyser("en").document_words("Soft T-shirts, well-made");
    let seen: Vec<(u32, &str, bool)> = tokens
        .iter()
        .map(|t| (t.position, t.stem.as_str(), t.joined))
        .collect();
    assert_eq!(
        seen,
        [
            (0, "soft", false),
            (1, "t", false),
            (2, "shirt", false),
            (1, "tshirt", true),
            (3, "well", false),
            (4, "made", false),
            (3, "wellmad", true),
        ]
    );
}

#[test]
fn html_becomes_plain_text() {
    for (html, text) in [
        ("<p>Soft &amp; <b>warm</b></p><p>x</p>", "Soft & warm x"),
        ("a < b and c > d", "a < b and c > d"),
        (
            "x<script>var a = '<p>';</script>y<style>p{}</style>z",
            "x y z",
        ),
        ("&lt;p&gt;caf&eacute;&lt;/p&gt;", "café"),
        ("line<br/>break<!-- no -->", "line break"),
        ("  two   blanks\u{a0}\n", "two blanks"),
        ("<", "<"),
        ("<scripts>a", "a"),
        ("a<script>x</SCRIPT >b", "a b"),
        ("a<script>x</p>", "a"),
        ("a<b", "a<b"),
    ] {
        assert_eq!(plain_text(html), text);
    }
}

#[test]
fn codes_lose_case_and_separators_and_article_numbers_leading_zeros() {
    assert_eq!(
        codes::compact(" KT-1200 / B.x ").as_deref(),
        Some("kt1200bx")
    );
    assert_eq!(codes::compact("A\u{1e}É\u{1f}1\n").as_deref(), Some("aé1"));
    assert_eq!(codes::compact(" - "), None);
    assert_eq!(codes::article_number("0095205603217"), "95205603217");
    assert_eq!(codes::article_number("95205603217"), "95205603217");
    assert_eq!(codes::article_number("00123"), "00123");
    assert_eq!(codes::cased("Kt-1200").as_deref(), Some("\u{1}Kt1200"));
    assert_eq!(codes::cased("12-00").as_deref(), Some("1200"));
    assert_eq!(codes::letters("\u{1}Kt1200"), 6);
    assert_eq!(
        codes::spellings("0095205603217", true),
        ["0095205603217", "0095205603217", "95205603217"]
    );
    assert_eq!(codes::spellings("00-A", false), ["00a", "\u{1}00A"]);
    assert_eq!(codes::article_number("00000000"), "00000000");
}

proptest! {
    #[test]
    fn analysis_never_panics_and_offsets_hold(text in "\\PC{0,80}", code in "en|es|de|ja") {
        let analyser = analyser(&code);
        for token in analyser.document_words(&text) {
            prop_assert!(text.get(token.start..token.end).is_some());
            prop_assert!(!token.folded.is_empty());
        }
        let _ = plain_text(&text);
    }

    #[test]
    fn plain_texts_need_no_segmentation(text in "[a-z0-9]{1,6}( [a-z0-9]{1,6}){0,4}") {
        // Punctuation at the end forces segmentation and changes nothing before it.
        let punctuated = format!("{text} #");
        let analyser = analyser("en");
        let mut segmented = analyser.units(&punctuated);
        prop_assert_eq!(segmented.split_off(segmented.len() - 2), [" ", "#"]);
        prop_assert_eq!(analyser.units(&text), segmented);
    }

    #[test]
    fn folding_twice_changes_nothing(text in "\\PC{0,40}") {
        let once = fold(&text);
        // A possessive ending can hide another one ("a's's"), which a second fold would take too.
        prop_assume!(!once.ends_with("'s"));
        prop_assert_eq!(fold(&once), once);
    }
}
