//! Units of a text: what is written without a blank, such as `T-shirt`, `AC/DC`, `L.L.Bean` or `Dr.Martens`, and its words.
//!
//! A word ends at every sign. Where a single sign that joins stands between two words, they are one unit, which is also
//! found written together. Signs within a number belong to it.

use super::Analyser;
use super::normalise::is_apostrophe;
use super::numbers::number;
use super::pieces::{Piece, pieces};
use super::unspaced::Run;
use std::ops::Range;

/// Words of a unit from which it is not also found written together: it is a list or an address.
const JOINED_WORDS_MAX: usize = 6;
/// Signs behind a word that make it another word, as in `A+++`.
const SIGNS_MAX: usize = 3;

/// A unit, or a run of characters that are matched by bigrams.
#[derive(Debug)]
pub(super) enum Segment {
    /// A unit.
    Unit(Unit),
    /// Adjacent characters.
    Run(Run),
}

/// What is written without a blank.
#[derive(Debug, Default)]
pub(super) struct Unit {
    /// The words; at least one.
    pub words: Vec<UnitWord>,
}

/// A word of a unit.
#[derive(Debug)]
pub(super) struct UnitWord {
    /// Its range in the text.
    pub range: Range<usize>,
    /// How it is read, where that differs from how it is written: a number.
    pub read: Option<String>,
    /// Other readings: the numbers of a list.
    pub list: Vec<Range<usize>>,
    /// Start of the elided article before it, if there is one.
    pub article: Option<usize>,
    /// The sign that joins it to the word before.
    pub sign: Option<char>,
    /// Its range with the signs that make it another word, as in `C++`, `.NET` or `°C`.
    pub marked: Option<Range<usize>>,
}

impl UnitWord {
    fn new(range: Range<usize>) -> Self {
        Self {
            range,
            read: None,
            list: Vec::new(),
            article: None,
            sign: None,
            marked: None,
        }
    }

    /// The word as it is read.
    pub fn text<'a>(&'a self, text: &'a str) -> &'a str {
        self.read.as_deref().unwrap_or(&text[self.range.clone()])
    }
}

impl Unit {
    /// Whether it is also found written together.
    pub fn is_joined(&self) -> bool {
        (2..=JOINED_WORDS_MAX).contains(&self.words.len())
    }

    /// Its range in the text, without an article at its start.
    pub fn range(&self) -> Range<usize> {
        let start = self.words.first().map_or(0, |word| word.range.start);
        start..self.words.last().map_or(0, |word| word.range.end)
    }

    /// The unit written together, from `part` of each word. A sign stays between two digits, where it tells numbers apart.
    pub fn joined<'a>(&self, parts: impl Iterator<Item = &'a str>) -> String {
        let mut together = String::new();
        for (word, part) in self.words.iter().zip(parts) {
            let digits = together.ends_with(|c: char| c.is_ascii_digit())
                && part.starts_with(|c: char| c.is_ascii_digit());
            together.extend(word.sign.filter(|sign| digits && matches!(sign, '/' | '.')));
            together.push_str(part);
        }
        together
    }
}

/// The units of `text`, which is normalised, in their order.
pub(super) fn segments(analyser: &Analyser, text: &str) -> Vec<Segment> {
    let mut scan = UnitScan {
        analyser,
        text,
        found: Vec::new(),
    };
    for piece in pieces(analyser.segmenter, text) {
        match piece {
            Piece::Word(range) => scan.push_piece(range),
            Piece::Run(run) => scan.found.push(Segment::Run(run)),
        }
    }
    scan.found
}

/// Whether a word ends at `c`, which a segmentation by UAX 29 leaves within words.
fn is_sign(c: char) -> bool {
    matches!(c, '_' | ':' | '.' | ',' | ';' | '·' | '‧' | '․' | '﹒') || is_apostrophe(c)
}

/// Whether a single `c` between two words makes them one unit.
fn joins(c: char) -> bool {
    matches!(c, '-' | '.' | '/' | '&' | '·' | '‧') || is_apostrophe(c)
}

/// Whether a single `sign` between two letters makes them one unit: it stands for a letter, as in `P!nk` or `M*A*S*H`.
fn stands_for_character(sign: char, before: &str, after: &str) -> bool {
    matches!(sign, '!' | '$' | '*')
        && before.ends_with(char::is_alphabetic)
        && after.starts_with(char::is_alphabetic)
}

struct UnitScan<'a> {
    analyser: &'a Analyser,
    text: &'a str,
    found: Vec<Segment>,
}

impl UnitScan<'_> {
    /// Adds the words of a piece, which has no blanks.
    fn push_piece(&mut self, piece: Range<usize>) {
        let written = &self.text[piece.clone()];
        if !written.contains(is_sign) {
            return self.push_word(UnitWord::new(piece));
        }
        let mut words = between_signs(written, piece.start);
        let mut at = 0;
        while at < words.len() {
            let end = self.end_of_number(&words, at);
            let word = match end {
                end if end > at + 1 => self.number(&words[at..end]),
                _ => UnitWord::new(words[at].clone()),
            };
            at = end.max(at + 1);
            if let Some(possessive) = words.get(at).filter(|next| self.is_possessive(next)) {
                words[at - 1] = word.range.start..possessive.end;
                self.push_word(UnitWord::new(words[at - 1].clone()));
                at += 1;
            } else {
                self.push_word(word);
            }
        }
    }

    /// Whether `part` is the `s` of `levi's`: it stands at the end of its word.
    fn is_possessive(&self, part: &Range<usize>) -> bool {
        let before = self.text[..part.start].chars().next_back();
        let after = self.text[part.end..].chars().next();
        self.text[part.clone()].eq_ignore_ascii_case("s")
            && before.is_some_and(is_apostrophe)
            && !after.is_some_and(|c| joins(c) || c.is_alphanumeric())
    }

    /// The end of the parts from `at` on that are one number; `at + 1` where there is none.
    fn end_of_number(&self, parts: &[Range<usize>], at: usize) -> usize {
        let digits = |at: usize| &self.text[parts[at].clone()];
        let mut end = at + 1;
        while end < parts.len()
            && digits(end - 1).ends_with(|c: char| c.is_ascii_digit())
            && digits(end).starts_with(|c: char| c.is_ascii_digit())
            && (end == at + 1 || is_number(digits(end - 1)))
        {
            end += 1;
        }
        match end {
            end if end > at + 1 && self.read(&parts[at..end]).is_some() => end,
            _ => at + 1,
        }
    }

    /// How `parts` are read as one number, with the letters around it.
    fn read(&self, parts: &[Range<usize>]) -> Option<(String, bool)> {
        let texts = parts.iter().map(|part| &self.text[part.clone()]);
        let mut groups: Vec<&str> = texts.collect();
        let (first, last) = (groups[0], groups[groups.len() - 1]);
        let before = first.trim_end_matches(|c: char| c.is_ascii_digit());
        let after = last.trim_start_matches(|c: char| c.is_ascii_digit());
        groups[0] = &first[before.len()..];
        let count = groups.len();
        groups[count - 1] = &last[..last.len() - after.len()];
        let separators = parts.windows(2).map(|two| {
            let sign = self.text[two[0].end..two[1].start].chars().next();
            sign.map_or(' ', |sign| if is_apostrophe(sign) { '\'' } else { sign })
        });
        let separators: Vec<char> = separators.collect();
        let number = number(&groups, &separators, self.analyser.decimal)?;
        let may_be_list = number.may_be_list && before.is_empty() && after.is_empty();
        Some((format!("{before}{}{after}", number.text), may_be_list))
    }

    fn number(&self, parts: &[Range<usize>]) -> UnitWord {
        let range = parts[0].start..parts[parts.len() - 1].end;
        let read = self.read(parts);
        let is_list = read.as_ref().is_some_and(|(_, may_be_list)| *may_be_list);
        UnitWord {
            read: read.map(|(text, _)| text),
            list: if is_list { parts.to_vec() } else { Vec::new() },
            ..UnitWord::new(range)
        }
    }

    /// Adds a word to the unit before it, if a single sign joins them, or as a unit.
    fn push_word(&mut self, mut word: UnitWord) {
        word.marked = marked(self.text, &word.range);
        if let Some(Segment::Unit(unit)) = self.found.last_mut()
            && let Some(last) = unit.words.last()
        {
            let mut between = self.text[last.range.end..word.range.start].chars();
            let (before, written) = (
                &self.text[last.range.clone()],
                &self.text[word.range.clone()],
            );
            if let (Some(sign), None) = (between.next(), between.next())
                && (joins(sign) || stands_for_character(sign, before, written))
            {
                let sign = if is_apostrophe(sign) { '\'' } else { sign };
                if sign == '\'' && self.analyser.elides(before, self.text, &word.range) {
                    word.article = Some(last.range.start);
                    word.sign = last.sign;
                    unit.words.pop();
                } else {
                    word.sign = Some(sign);
                }
                return unit.words.push(word);
            }
        }
        self.found.push(Segment::Unit(Unit { words: vec![word] }));
    }
}

/// The range of the word at `range` with the signs that make it another word; none where it has no such sign.
fn marked(text: &str, range: &Range<usize>) -> Option<Range<usize>> {
    if !text[range.clone()].chars().all(char::is_alphabetic) {
        return None;
    }
    let (before, after) = (&text[..range.start], &text[range.end..]);
    let signs = after.len() - after.trim_start_matches(['+', '#']).len();
    let goes_on = after[signs..].starts_with(char::is_alphanumeric);
    if (1..=SIGNS_MAX).contains(&signs) && !goes_on {
        return Some(range.start..range.end + signs);
    }
    let leading = before.chars().next_back()?;
    let starts =
        !before[..before.len() - leading.len_utf8()].ends_with(|c: char| !c.is_whitespace());
    let is_mark = leading == '°' || leading == '.' && starts;
    is_mark.then(|| range.start - leading.len_utf8()..range.end)
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

/// The parts of `written` between signs, each as a range of the text in which it starts at `from`.
fn between_signs(written: &str, from: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, sign) in written.match_indices(is_sign) {
        if at > start {
            parts.push(from + start..from + at);
        }
        start = at + sign.len();
    }
    if written.len() > start {
        parts.push(from + start..from + written.len());
    }
    parts
}
