//! The name of a hit with the words of the question marked, all else escaped.

use crate::analysis::Analyser;
use crate::scoring::{PART_LETTERS_MIN, PREFIX_LETTERS_MIN};
use std::collections::HashSet;
use std::ops::Range;

/// What of a question is marked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Analysed forms: the words and their typos.
    pub stems: HashSet<String>,
    /// Folded words whose beginnings of longer words are marked.
    pub prefixes: Vec<String>,
    /// Folded words that are marked inside of longer words.
    pub parts: Vec<String>,
}

/// `text` escaped for HTML, with `<em>` around what `marks` names.
pub fn highlight(text: &str, analyser: &Analyser, marks: &Marks) -> String {
    let mut html = String::with_capacity(text.len() + 16);
    let mut done = 0;
    for place in marked_places(text, analyser, marks) {
        escape(&text[done..place.start], &mut html);
        html.push_str("<em>");
        escape(&text[place.clone()], &mut html);
        html.push_str("</em>");
        done = place.end;
    }
    escape(&text[done..], &mut html);
    html
}

/// The places that are marked, in their order; what overlaps is one place.
fn marked_places(text: &str, analyser: &Analyser, marks: &Marks) -> Vec<Range<usize>> {
    let mut places: Vec<Range<usize>> = Vec::new();
    for token in analyser.document_words(text) {
        let word = &text[token.start..token.end];
        let marked = if !token.stop && marks.stems.contains(&token.stem) {
            0..word.len()
        } else {
            marked_letters(word, &token.folded, marks)
        };
        if !marked.is_empty() {
            places.push(token.start + marked.start..token.start + marked.end);
        }
    }
    places.sort_by_key(|place| place.start);
    places.dedup_by(|next, former| {
        let overlaps = next.start < former.end;
        if overlaps {
            former.end = former.end.max(next.end);
        }
        overlaps
    });
    places
}

/// The bytes of `word` that the longest fitting beginning covers, or else the longest fitting part.
fn marked_letters(word: &str, folded: &str, marks: &Marks) -> Range<usize> {
    let letters = |text: &str| text.chars().count();
    let beginnings = marks
        .prefixes
        .iter()
        .filter(|prefix| folded.starts_with(prefix.as_str()))
        .map(|prefix| (0, letters(prefix)))
        .filter(|(_, length)| *length >= PREFIX_LETTERS_MIN);
    let parts = marks.parts.iter().filter_map(|part| {
        let at = folded.find(part.as_str())?;
        Some((letters(&folded[..at]), letters(part)))
    });
    let parts = parts.filter(|(_, length)| *length >= PART_LETTERS_MIN);
    let longest = |(_, length): &(usize, usize)| *length;
    let Some((start, length)) = beginnings
        .max_by_key(longest)
        .or_else(|| parts.max_by_key(longest))
    else {
        return 0..0;
    };
    // Where folding changed the number of letters, places cannot be compared and the whole word is marked.
    if letters(word) != letters(folded) {
        return 0..word.len();
    }
    let byte = |letter: usize| {
        let mut places = word.char_indices();
        places.nth(letter).map_or(word.len(), |(at, _)| at)
    };
    byte(start)..byte(start + length)
}

fn escape(text: &str, html: &mut String) {
    for letter in text.chars() {
        match letter {
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
    use proptest::prelude::*;

    fn marks(stems: &[&str], prefixes: &[&str]) -> Marks {
        Marks {
            stems: stems.iter().map(|s| (*s).to_owned()).collect(),
            prefixes: prefixes.iter().map(|s| (*s).to_owned()).collect(),
            parts: Vec::new(),
        }
    }

    fn english() -> Analyser {
        Analyser::new(&Language::parse("en").expect("a code"))
    }

    #[test]
    fn words_and_beginnings_are_marked_and_signs_escaped() {
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
    fn parts_are_marked_inside_of_words() {
        let parts = Marks {
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

    proptest! {
        #[test]
        fn nothing_but_the_marks_is_added(text in "\\PC{0,60}") {
            let html = highlight(&text, &english(), &marks(&["a"], &["ab"]));
            let plain = html.replace("<em>", "").replace("</em>", "");
            let mut escaped = String::new();
            escape(&text, &mut escaped);
            prop_assert_eq!(plain, escaped);
        }
    }
}
