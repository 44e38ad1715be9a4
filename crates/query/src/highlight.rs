//! Highlights the words of a query in the name of a hit, and escapes it for HTML.

use crate::analysis::Analyser;
pub use crate::marked_phrases::MarkedPhrases;
use crate::scoring::{PART_LETTERS_MIN, PREFIX_LETTERS_MIN};
use std::collections::HashSet;
use std::ops::Range;
use unicode_normalization::char::is_combining_mark;

/// The terms of a query to highlight.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HighlightTerms {
    /// Stems of the words and of their fuzzy matches.
    pub stems: HashSet<String>,
    /// Folded words that are highlighted as prefixes of longer words.
    pub prefixes: Vec<String>,
    /// Folded words that are highlighted within longer words.
    pub parts: Vec<String>,
    /// Synonyms of several words, highlighted where all their words occur at their distances.
    pub phrases: MarkedPhrases,
}

/// Returns `text` escaped for HTML, with `<em>` around what `marks` names.
pub fn highlight(text: &str, analyser: &Analyser, marks: &HighlightTerms) -> String {
    let mut html = String::with_capacity(text.len() + 16);
    let mut done = 0;
    for range in marked_ranges(text, analyser, marks) {
        escape(&text[done..range.start], &mut html);
        html.push_str("<em>");
        escape(&text[range.clone()], &mut html);
        html.push_str("</em>");
        done = range.end;
    }
    escape(&text[done..], &mut html);
    html
}

/// The byte ranges to highlight, in order; overlapping ones are merged.
fn marked_ranges(text: &str, analyser: &Analyser, marks: &HighlightTerms) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let tokens = analyser.document_words(text);
    marks.phrases.find(&tokens, &mut ranges);
    for token in tokens {
        let word = &text[token.start..token.end];
        let marked = if !token.stop && marks.stems.contains(&token.stem) {
            0..word.len()
        } else {
            marked_range(word, &token.folded, marks)
        };
        if !marked.is_empty() {
            ranges.push(token.start + marked.start..token.start + marked.end);
        }
    }
    ranges.sort_by_key(|range| range.start);
    ranges.dedup_by(|next, former| {
        let overlaps = next.start < former.end;
        if overlaps {
            former.end = former.end.max(next.end);
        }
        overlaps
    });
    ranges
}

/// The byte range in `word` of the longest matching prefix, or else of the longest matching substring.
fn marked_range(word: &str, folded: &str, marks: &HighlightTerms) -> Range<usize> {
    let characters = |text: &str| text.chars().count();
    let prefixes = marks
        .prefixes
        .iter()
        .filter(|prefix| folded.starts_with(prefix.as_str()))
        .map(|prefix| (0, characters(prefix)))
        .filter(|(_, length)| *length >= PREFIX_LETTERS_MIN);
    let substrings = marks.parts.iter().filter_map(|part| {
        let at = folded.find(part.as_str())?;
        Some((characters(&folded[..at]), characters(part)))
    });
    let substrings = substrings.filter(|(_, length)| *length >= PART_LETTERS_MIN);
    let longest = |(_, length): &(usize, usize)| *length;
    let Some((start, length)) = prefixes
        .max_by_key(longest)
        .or_else(|| substrings.max_by_key(longest))
    else {
        return 0..0;
    };
    // Where folding changed the number of characters, offsets do not correspond and the whole word is highlighted.
    if characters(word) != characters(folded) {
        return 0..word.len();
    }
    // A base character is not separated from its combining marks.
    let byte = |index: usize| {
        let mut characters = word.char_indices().skip(index);
        let next = characters.find(|(_, c)| !is_combining_mark(*c));
        next.map_or(word.len(), |(at, _)| at)
    };
    byte(start)..byte(start + length)
}

fn escape(text: &str, html: &mut String) {
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            other => html.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Language;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    fn marks(stems: &[&str], prefixes: &[&str]) -> HighlightTerms {
        HighlightTerms {
            stems: stems.iter().map(|s| (*s).to_owned()).collect(),
            prefixes: prefixes.iter().map(|s| (*s).to_owned()).collect(),
            ..HighlightTerms::default()
        }
    }

    fn english() -> Analyser {
        Analyser::new(&Language::parse("en").expect("a code"))
    }

    #[test]
    fn a_synonym_of_several_words_is_marked_where_all_of_it_occurs() {
        let words = [("flat".to_owned(), 4), ("screen".to_owned(), 5)];
        let mut marks = HighlightTerms::default();
        marks.phrases.insert(words.to_vec());
        assert_eq!(
            highlight("Screen cleaner for a flat screen", &english(), &marks),
            "Screen cleaner for a <em>flat</em> <em>screen</em>"
        );
    }

    #[test]
    fn words_and_prefixes_are_marked_and_html_is_escaped() {
        let html = highlight(
            "Tents & <b>Café</b> tentpoles",
            &english(),
            &marks(&["tent", "cafe"], &["tent"]),
        );
        assert_eq!(
            html,
            "<em>Tents</em> &amp; &lt;b&gt;<em>Café</em>&lt;/b&gt; <em>tent</em>poles"
        );
    }

    #[test]
    fn substrings_are_marked_within_words() {
        let parts = HighlightTerms {
            parts: vec!["café".to_owned(), "pol".to_owned(), "te".to_owned()],
            ..marks(&[], &["ten"])
        };
        let html = highlight("Flagpoles Tentpoles byte", &english(), &parts);
        assert_eq!(html, "Flag<em>pol</em>es <em>Ten</em>tpoles byte");
    }

    #[test]
    fn a_hyphenated_word_is_marked_once() {
        let html = highlight("Soft T-shirt", &english(), &marks(&["tshirt"], &[]));
        assert_eq!(html, "Soft <em>T-shirt</em>");
    }

    #[test]
    fn pairs_of_letters_that_overlap_are_one_mark() {
        let html = highlight(
            "急速充電器セット",
            &english(),
            &marks(&["充電", "電器"], &[]),
        );
        assert_eq!(html, "急速<em>充電器</em>セット");
    }

    #[test]
    fn a_character_keeps_its_combining_marks() {
        // Folded, it has as many characters as the name, but different ones.
        let html = highlight("ße\u{301}x", &english(), &marks(&[], &["ss"]));
        assert_eq!(html, "<em>ße\u{301}</em>x");
    }

    /// Pieces of names as shops write them, and as nobody should.
    fn pieces() -> impl Strategy<Value = String> {
        let known = select(vec![
            "Tent",
            "tents",
            "café",
            "cafe\u{301}",
            "ﬁsh",
            "ße\u{301}",
            "T-shirt",
            " ",
            "-",
            "/",
            "'",
            "\"",
            "&",
            "<",
            ">",
            "<b>",
            "</em>",
            "<em>",
            "<script>alert(1)</script>",
            "&amp;",
            "&lt;",
            "&#60;",
            "&#x3c",
            "&eacute;",
            "<!--",
            "]]>",
            "\u{0}",
            "\u{200d}",
            "\u{202e}",
            "\u{2066}",
            "👨‍👩‍👧",
            "🇪🇸",
            "👍🏽",
            "خيمة",
            "אוהל",
            "帐篷",
            "テント",
            "เต็นท์",
            "é\u{302}\u{323}",
        ]);
        prop_oneof![4 => known.prop_map(str::to_owned), 1 => "\\PC{0,8}", 1 => any::<String>()]
    }

    fn names() -> impl Strategy<Value = String> {
        vec(pieces(), 0..10).prop_map(|pieces| pieces.concat())
    }

    /// Removes the `<em>` elements of `html`, after checking that each is closed and that there is no other markup.
    fn without_marks(html: &str) -> Result<String, TestCaseError> {
        let mut text = String::new();
        let mut rest = html;
        while let Some((before, after)) = rest.split_once("<em>") {
            let closed = after.split_once("</em>");
            let (marked, left) =
                closed.ok_or_else(|| TestCaseError::fail("a mark is not closed"))?;
            prop_assert!(!marked.is_empty(), "{}", html);
            text.push_str(before);
            text.push_str(marked);
            rest = left;
        }
        text.push_str(rest);
        prop_assert!(!text.contains(['<', '>', '"', '\'']), "{}", html);
        Ok(text)
    }

    proptest! {
        #[test]
        fn nothing_but_whole_marks_is_added(
            name in names(), code in select(vec!["en", "es", "de", "fr", "zh", "th", "ar"]), seed: usize,
        ) {
            let analyser = Analyser::new(&Language::parse(code).expect("a code"));
            let tokens = analyser.document_words(&name);
            let mut marks = marks(&["tent", "cafe"], &["te", "ss", "ca"]);
            for (at, token) in tokens.iter().enumerate() {
                // Some words are marked whole, some by a prefix, some by a substring, some not at all.
                match (seed >> (at % 32)) % 4 {
                    0 => drop(marks.stems.insert(token.stem.clone())),
                    1 => marks.prefixes.push(token.folded.chars().take(1 + seed % 4).collect()),
                    2 => marks.parts.push(token.folded.chars().skip(seed % 3).take(3).collect()),
                    _ => {}
                }
            }
            let html = highlight(&name, &analyser, &marks);
            let mut escaped = String::new();
            escape(&name, &mut escaped);
            prop_assert_eq!(without_marks(&html)?, escaped);
        }
    }
}
