//! How parts of codes are found: every three neighbouring letters of a code are a term, and its place tells which code.
//!
//! A place holds the letter's number among all letters of the document's codes, the case of the three letters, whether
//! the code starts there, and the field. Three letters next to three others one place further stand in one code, so no
//! code has to be read. A code in ASCII letters is written once, for its places tell its case; any other one is written
//! with its case and without, for its letters may not be as many.

use domain::relevance::field::FieldId;
use query::analysis::codes::CASE_MARK;
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Name under which the tokenizer is registered.
pub const GRAM_TOKENIZER: &str = "code_grams";

/// Letters of a term.
pub const GRAM_LETTERS: usize = query::scoring::CODE_PART_LETTERS_MIN;

/// Before each code stands one of the letters from here on, by its field.
const FIELD_LETTER: u32 = 0x10;
const FIELD_BITS: u32 = 3;
const START_BIT: u32 = 1 << FIELD_BITS;
const CASE_SHIFT: u32 = FIELD_BITS + 1;
const CASE_BITS: u32 = GRAM_LETTERS as u32 + 1;
const LETTER_SHIFT: u32 = CASE_SHIFT + CASE_BITS;

/// The case of the letters of a term: a bit for each, which says whether it is a capital.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GramCase(u32);

impl GramCase {
    /// That of letters whose case nobody may ask for.
    pub const UNKNOWN: Self = Self(1 << GRAM_LETTERS);

    fn of(letters: &str) -> Self {
        let capitals = letters
            .chars()
            .map(|letter| u32::from(letter.is_ascii_uppercase()));
        Self(capitals.fold(0, |bits, capital| bits << 1 | capital))
    }
}

/// A place of a term, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GramPosition {
    /// Number of its first letter among all letters of the document's codes.
    pub letter: u32,
    /// Case of its letters.
    pub case: GramCase,
    /// Whether a code starts there.
    pub starts: bool,
    /// Number of the field among those of codes.
    pub field: usize,
}

impl GramPosition {
    /// The place that `position` stands for.
    pub fn of(position: u32) -> Self {
        Self {
            letter: position >> LETTER_SHIFT,
            case: GramCase(position >> CASE_SHIFT & ((1 << CASE_BITS) - 1)),
            starts: position & START_BIT != 0,
            field: (position & (START_BIT - 1)) as usize,
        }
    }

    fn position(self) -> u32 {
        let start = if self.starts { START_BIT } else { 0 };
        self.letter << LETTER_SHIFT | self.case.0 << CASE_SHIFT | start | self.field as u32
    }
}

/// A term that is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gram {
    /// The term.
    pub term: String,
    /// The case that its letters must have; none when any will do.
    pub case: Option<GramCase>,
}

/// The ways in which codes that hold `spelling` may be written: each as its terms in the order of its letters, none
/// when it is too short. A code that holds it is written in one of these ways.
pub fn ways(spelling: &str) -> Vec<Vec<Gram>> {
    let (mark, letters) = split_mark(spelling);
    let gram = |term: String, case| Gram { term, case };
    if mark.is_empty() {
        return vec![each(letters, |letters| gram(letters.to_owned(), None))];
    }
    let apart = each(letters, |letters| gram(format!("{mark}{letters}"), None));
    if !letters.is_ascii() {
        return vec![apart];
    }
    let in_one = each(letters, |letters| {
        gram(letters.to_ascii_lowercase(), Some(GramCase::of(letters)))
    });
    vec![in_one, apart]
}

fn each(letters: &str, gram: impl Fn(&str) -> Gram) -> Vec<Gram> {
    let mut grams = Vec::new();
    let mut rest = letters;
    while let Some(letters) = first_gram(rest) {
        grams.push(gram(letters));
        rest = without_first(rest);
    }
    grams
}

/// All codes of a document as one text.
pub fn encode_codes(codes: &[(FieldId, Vec<String>)]) -> String {
    let mut text = String::new();
    for (field, spellings) in codes {
        let number = FieldId::codes().position(|other| other == *field);
        let letter = number.and_then(|number| char::from_u32(FIELD_LETTER + number as u32));
        let mut told: Vec<String> = spellings.iter().filter_map(|s| told_by(s)).collect();
        told.sort_unstable();
        for spelling in spellings {
            if told.binary_search(spelling).is_ok() {
                continue;
            }
            text.extend(letter);
            text.push_str(spelling);
        }
    }
    text
}

/// The spelling without case whose places are those of `spelling` too.
fn told_by(spelling: &str) -> Option<String> {
    let (mark, letters) = split_mark(spelling);
    (!mark.is_empty() && letters.is_ascii()).then(|| letters.to_ascii_lowercase())
}

fn split_mark(spelling: &str) -> (&str, &str) {
    let mark = if spelling.starts_with(CASE_MARK) {
        CASE_MARK.len_utf8()
    } else {
        0
    };
    spelling.split_at(mark)
}

fn first_gram(letters: &str) -> Option<&str> {
    let (last, letter) = letters.char_indices().nth(GRAM_LETTERS - 1)?;
    Some(&letters[..last + letter.len_utf8()])
}

fn without_first(letters: &str) -> &str {
    let mut rest = letters.chars();
    rest.next();
    rest.as_str()
}

fn field_number(letter: char) -> Option<usize> {
    let number = u32::from(letter).checked_sub(FIELD_LETTER)?;
    (number < START_BIT).then_some(number as usize)
}

/// Splits what [`encode_codes`] joined into terms.
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
            letters: "",
            place: GramPosition::of(0),
            token: &mut self.token,
        }
    }
}

/// The terms of the codes of one document.
pub struct CodeGramStream<'a> {
    /// The codes that are still to come.
    codes: &'a str,
    mark: &'a str,
    /// Whether places tell the case of the current code.
    has_case: bool,
    /// What is left of the current code.
    letters: &'a str,
    place: GramPosition,
    token: &'a mut Token,
}

impl CodeGramStream<'_> {
    /// Goes on to the next code; false when there is none.
    fn next_code(&mut self) -> bool {
        self.place.letter += self.letters.chars().count() as u32;
        self.letters = "";
        let mut letters = self.codes.chars();
        let Some(field) = letters.next().and_then(field_number) else {
            return false;
        };
        let rest = letters.as_str();
        let end = rest.find(|letter| field_number(letter).is_some());
        let (code, codes) = rest.split_at(end.unwrap_or(rest.len()));
        (self.mark, self.letters) = split_mark(code);
        self.has_case = !self.mark.is_empty() && self.letters.is_ascii();
        if self.has_case {
            self.mark = "";
        }
        self.codes = codes;
        self.place.field = field;
        self.place.starts = true;
        true
    }
}

impl TokenStream for CodeGramStream<'_> {
    fn advance(&mut self) -> bool {
        loop {
            if let Some(gram) = first_gram(self.letters) {
                self.token.text.clear();
                self.token.text.push_str(self.mark);
                self.token.text.push_str(gram);
                self.place.case = GramCase::UNKNOWN;
                if self.has_case {
                    self.place.case = GramCase::of(gram);
                    self.token.text.make_ascii_lowercase();
                }
                self.token.position = self.place.position() as usize;
                self.letters = without_first(self.letters);
                self.place.letter += 1;
                self.place.starts = false;
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
    //! 1. Every three letters of every code are a term. 2. Places tell codes, case, starts and fields apart.
    //! 3. A code in ASCII letters is written once, any other one with its case and without.

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
    fn codes_fall_into_terms_whose_places_tell_where_they_stand() {
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
            let place = GramPosition {
                letter,
                case,
                starts,
                field,
            };
            (term.to_owned(), place)
        });
        assert_eq!(written(&codes), expected);
    }

    #[test]
    fn a_part_is_looked_for_in_every_way_in_which_it_may_be_written() {
        let gram = |term: &str, case| Gram {
            term: term.to_owned(),
            case,
        };
        let in_one = vec![
            gram("abc", Some(GramCase(0b010))),
            gram("bcd", Some(GramCase(0b101))),
        ];
        let apart = vec![gram("\u{1}aBc", None), gram("\u{1}BcD", None)];
        assert_eq!(ways("\u{1}aBcD"), [in_one, apart]);
        assert_eq!(ways("\u{1}ñbc"), [[gram("\u{1}ñbc", None)]]);
        assert_eq!(ways("\u{1}a12")[0], [gram("a12", Some(SMALL))]);
        assert_eq!(ways("a12"), [[gram("a12", None)]]);
        assert_eq!(ways("ab"), [vec![]]);
    }
}
