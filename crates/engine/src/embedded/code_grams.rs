//! How parts of codes are found: every three neighbouring letters of a code are a term, and its place tells which code.
//!
//! A place holds the letter's number among all letters of the document's codes, whether the code starts there, and
//! the field. Three letters next to three others one place further stand in one code, so no code has to be read.

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
const LETTER_SHIFT: u32 = FIELD_BITS + 1;

/// A place of a term, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GramPlace {
    /// Number of its first letter among all letters of the document's codes.
    pub letter: u32,
    /// Whether a code starts there.
    pub starts: bool,
    /// Number of the field among those of codes.
    pub field: usize,
}

impl GramPlace {
    /// The place that `position` stands for.
    pub fn of(position: u32) -> Self {
        Self {
            letter: position >> LETTER_SHIFT,
            starts: position & START_BIT != 0,
            field: (position & (START_BIT - 1)) as usize,
        }
    }

    fn position(self) -> u32 {
        let start = if self.starts { START_BIT } else { 0 };
        self.letter << LETTER_SHIFT | start | self.field as u32
    }
}

/// The terms of a spelling, in the order of its letters; none when it is too short.
pub fn grams(spelling: &str) -> Vec<String> {
    let (mark, letters) = split_mark(spelling);
    let mut grams = Vec::new();
    let mut rest = letters;
    while let Some(gram) = first_gram(rest) {
        grams.push(format!("{mark}{gram}"));
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
        for spelling in spellings {
            text.extend(letter);
            text.push_str(spelling);
        }
    }
    text
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
            letters: "",
            place: GramPlace::of(0),
            token: &mut self.token,
        }
    }
}

/// The terms of the codes of one document.
pub struct CodeGramStream<'a> {
    /// The codes that are still to come.
    codes: &'a str,
    mark: &'a str,
    /// What is left of the current code.
    letters: &'a str,
    place: GramPlace,
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
                self.token.position = self.place.position() as usize;
                self.token.text.clear();
                self.token.text.push_str(self.mark);
                self.token.text.push_str(gram);
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
    //! 1. Every three letters of every code are a term, with its mark. 2. Places tell codes, starts and fields apart.

    use super::*;

    #[test]
    fn codes_fall_into_terms_whose_places_tell_where_they_stand() {
        let set = |codes: &[&str]| codes.iter().map(|code| (*code).to_owned()).collect();
        let fields: Vec<FieldId> = FieldId::codes().collect();
        let codes = [
            (fields[0], set(&["\u{1}ñA1", "12", "1234"])),
            (fields[6], set(&["123"])),
        ];
        let text = encode_codes(&codes);
        let mut tokenizer = CodeGrams::default();
        let mut stream = tokenizer.token_stream(&text);
        let mut seen = Vec::new();
        while stream.advance() {
            let place = GramPlace::of(stream.token().position as u32);
            seen.push((
                stream.token().text.clone(),
                place.letter,
                place.starts,
                place.field,
            ));
        }
        let expected = [
            ("\u{1}ñA1", 0, true, 0),
            ("123", 5, true, 0),
            ("234", 6, false, 0),
            ("123", 9, true, 6),
        ];
        let expected =
            expected.map(|(term, letter, starts, field)| (term.to_owned(), letter, starts, field));
        assert_eq!(seen, expected);
        assert_eq!(grams("\u{1}aBcD"), ["\u{1}aBc", "\u{1}BcD"]);
        assert_eq!(grams("ab"), [""; 0]);
    }
}
