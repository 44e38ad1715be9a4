//! Substring search in codes: every trigram of a code is a term, and its position encodes in which code it is.
//!
//! A position encodes the index of the first character among those of all codes of the document, the case of the three
//! characters, whether the code starts there, and the field. Trigrams at consecutive indices are in the same code, so
//! no code has to be read. An ASCII code is indexed once, because positions encode its case; any other code is indexed
//! in its own case and in lower case, which may differ in length.
//!
//! A k-gram index (Manning, Raghavan & Schütze, "Introduction to Information Retrieval", 2008, section 3.2.2) with
//! positions; cf. Cox, "Regular expression matching with a trigram index", 2012.

use domain::relevance::field::FieldId;
use query::analysis::codes::CASE_MARK;
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Name under which the tokenizer is registered.
pub const GRAM_TOKENIZER: &str = "code_grams";

/// Characters of a term.
pub const GRAM_LENGTH: usize = query::scoring::CODE_SUBSTRING_CHARACTERS_MIN;

/// The first of the characters that precede each code and identify its field.
const FIELD_MARK: u32 = 0x10;
const FIELD_BITS: u32 = 3;
const START_BIT: u32 = 1 << FIELD_BITS;
const CASE_SHIFT: u32 = FIELD_BITS + 1;
const CASE_BITS: u32 = GRAM_LENGTH as u32 + 1;
const INDEX_SHIFT: u32 = CASE_SHIFT + CASE_BITS;

/// The case of the characters of a term: one bit each, set for a capital.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GramCase(u32);

impl GramCase {
    /// The case is not encoded in the position.
    pub const UNKNOWN: Self = Self(1 << GRAM_LENGTH);

    fn of(text: &str) -> Self {
        let capitals = text.chars().map(|c| u32::from(c.is_ascii_uppercase()));
        Self(capitals.fold(0, |bits, capital| bits << 1 | capital))
    }
}

/// A decoded position of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GramPosition {
    /// Index of its first character among those of all codes of the document.
    pub index: u32,
    /// Case of its characters.
    pub case: GramCase,
    /// Whether a code starts there.
    pub starts: bool,
    /// Index of the field among the code fields.
    pub field: usize,
}

impl GramPosition {
    /// Decodes `position`.
    pub fn of(position: u32) -> Self {
        Self {
            index: position >> INDEX_SHIFT,
            case: GramCase(position >> CASE_SHIFT & ((1 << CASE_BITS) - 1)),
            starts: position & START_BIT != 0,
            field: (position & (START_BIT - 1)) as usize,
        }
    }

    fn encoded(self) -> u32 {
        let start = if self.starts { START_BIT } else { 0 };
        self.index << INDEX_SHIFT | self.case.0 << CASE_SHIFT | start | self.field as u32
    }
}

/// A term to search for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gram {
    /// The term.
    pub term: String,
    /// The case that its characters must have; none for any.
    pub case: Option<GramCase>,
}

/// The sequences of terms by which codes that contain `spelling` may be indexed: a matching code contains one of them. A
/// sequence is empty when `spelling` is too short.
pub fn encodings(spelling: &str) -> Vec<Vec<Gram>> {
    let (mark, code) = split_mark(spelling);
    let gram = |term: String, case| Gram { term, case };
    if mark.is_empty() {
        return vec![each(code, |text| gram(text.to_owned(), None))];
    }
    let cased = each(code, |text| gram(format!("{mark}{text}"), None));
    if !code.is_ascii() {
        return vec![cased];
    }
    let lower = each(code, |text| {
        gram(text.to_ascii_lowercase(), Some(GramCase::of(text)))
    });
    vec![lower, cased]
}

fn each(code: &str, gram: impl Fn(&str) -> Gram) -> Vec<Gram> {
    let mut grams = Vec::new();
    let mut rest = code;
    while let Some(text) = first_gram(rest) {
        grams.push(gram(text));
        rest = without_first(rest);
    }
    grams
}

/// Encodes all codes of a document as one text.
pub fn encode_codes(codes: &[(FieldId, Vec<String>)]) -> String {
    let mut text = String::new();
    for (field, spellings) in codes {
        let number = FieldId::codes().position(|other| other == *field);
        let mark = number.and_then(|number| char::from_u32(FIELD_MARK + number as u32));
        let mut covered: Vec<String> = spellings.iter().filter_map(|s| covered_by(s)).collect();
        covered.sort_unstable();
        for spelling in spellings {
            if covered.binary_search(spelling).is_ok() {
                continue;
            }
            text.extend(mark);
            text.push_str(spelling);
        }
    }
    text
}

/// The lower-case spelling that has the same terms as `spelling` and need not be indexed again.
fn covered_by(spelling: &str) -> Option<String> {
    let (mark, code) = split_mark(spelling);
    (!mark.is_empty() && code.is_ascii()).then(|| code.to_ascii_lowercase())
}

fn split_mark(spelling: &str) -> (&str, &str) {
    let mark = if spelling.starts_with(CASE_MARK) {
        CASE_MARK.len_utf8()
    } else {
        0
    };
    spelling.split_at(mark)
}

fn first_gram(code: &str) -> Option<&str> {
    let (last, c) = code.char_indices().nth(GRAM_LENGTH - 1)?;
    Some(&code[..last + c.len_utf8()])
}

fn without_first(code: &str) -> &str {
    let mut rest = code.chars();
    rest.next();
    rest.as_str()
}

fn field_number(c: char) -> Option<usize> {
    let number = u32::from(c).checked_sub(FIELD_MARK)?;
    (number < START_BIT).then_some(number as usize)
}

/// The tokenizer of texts of [`encode_codes`].
#[derive(Clone, Default)]
pub struct CodeGrams {
    token: Token,
}

impl Tokenizer for CodeGrams {
    type TokenStream<'a> = CodeGramStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> CodeGramStream<'a> {
        self.token.reset();
        CodeGramStream {
            codes: text,
            mark: "",
            has_case: false,
            rest: "",
            position: GramPosition::of(0),
            token: &mut self.token,
        }
    }
}

/// The terms of the codes of one document.
pub struct CodeGramStream<'a> {
    /// The codes after the current one.
    codes: &'a str,
    mark: &'a str,
    /// Whether positions encode the case of the current code.
    has_case: bool,
    /// The rest of the current code.
    rest: &'a str,
    position: GramPosition,
    token: &'a mut Token,
}

impl CodeGramStream<'_> {
    /// Advances to the next code; false when there is none.
    fn next_code(&mut self) -> bool {
        self.position.index += self.rest.chars().count() as u32;
        self.rest = "";
        let mut characters = self.codes.chars();
        let Some(field) = characters.next().and_then(field_number) else {
            return false;
        };
        let rest = characters.as_str();
        let end = rest.find(|c| field_number(c).is_some());
        let (code, codes) = rest.split_at(end.unwrap_or(rest.len()));
        (self.mark, self.rest) = split_mark(code);
        self.has_case = !self.mark.is_empty() && self.rest.is_ascii();
        if self.has_case {
            self.mark = "";
        }
        self.codes = codes;
        self.position.field = field;
        self.position.starts = true;
        true
    }
}

impl TokenStream for CodeGramStream<'_> {
    fn advance(&mut self) -> bool {
        loop {
            if let Some(gram) = first_gram(self.rest) {
                self.token.text.clear();
                self.token.text.push_str(self.mark);
                self.token.text.push_str(gram);
                self.position.case = GramCase::UNKNOWN;
                if self.has_case {
                    self.position.case = GramCase::of(gram);
                    self.token.text.make_ascii_lowercase();
                }
                self.token.position = self.position.encoded() as usize;
                self.rest = without_first(self.rest);
                self.position.index += 1;
                self.position.starts = false;
                return true;
            }
            if !self.next_code() {
                return false;
            }
        }
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

#[cfg(test)]
mod tests {
    //! 1. Every trigram of every code is a term. 2. Positions encode codes, case, starts and fields.
    //! 3. An ASCII code is indexed once, any other one in its own case and in lower case.

    use super::*;

    const SMALL: GramCase = GramCase(0);

    fn written(codes: &[(FieldId, Vec<String>)]) -> Vec<(String, GramPosition)> {
        let text = encode_codes(codes);
        let mut tokenizer = CodeGrams::default();
        let mut stream = tokenizer.token_stream(&text);
        let mut seen = Vec::new();
        while stream.advance() {
            let token = stream.token();
            seen.push((token.text.clone(), GramPosition::of(token.position as u32)));
        }
        seen
    }

    #[test]
    fn codes_become_terms_with_encoded_positions() {
        let set = |codes: &[&str]| codes.iter().map(|code| (*code).to_owned()).collect();
        let fields: Vec<FieldId> = FieldId::codes().collect();
        let codes = [
            (
                fields[0],
                set(&["\u{1}ñA1", "\u{1}aB34", "12", "1234", "ab34", "ña1"]),
            ),
            (fields[6], set(&["123"])),
        ];
        let unknown = GramCase::UNKNOWN;
        let expected = [
            ("\u{1}ñA1", 0, unknown, true, 0),
            ("ab3", 3, GramCase(0b010), true, 0),
            ("b34", 4, GramCase(0b100), false, 0),
            ("123", 9, unknown, true, 0),
            ("234", 10, unknown, false, 0),
            ("ña1", 13, unknown, true, 0),
            ("123", 16, unknown, true, 6),
        ];
        let expected = expected.map(|(term, letter, case, starts, field)| {
            let position = GramPosition {
                index: letter,
                case,
                starts,
                field,
            };
            (term.to_owned(), position)
        });
        assert_eq!(written(&codes), expected);
    }

    #[test]
    fn a_substring_is_searched_for_in_every_encoding() {
        let gram = |term: &str, case| Gram {
            term: term.to_owned(),
            case,
        };
        let lower = vec![
            gram("abc", Some(GramCase(0b010))),
            gram("bcd", Some(GramCase(0b101))),
        ];
        let cased = vec![gram("\u{1}aBc", None), gram("\u{1}BcD", None)];
        assert_eq!(encodings("\u{1}aBcD"), [lower, cased]);
        assert_eq!(encodings("\u{1}ñbc"), [[gram("\u{1}ñbc", None)]]);
        assert_eq!(encodings("\u{1}a12")[0], [gram("a12", Some(SMALL))]);
        assert_eq!(encodings("a12"), [[gram("a12", None)]]);
        assert_eq!(encodings("ab"), [vec![]]);
    }
}
