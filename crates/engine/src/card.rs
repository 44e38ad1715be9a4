//! Cards: the displayed texts of a hit, in one allocation in the format on disk.

/// Number of texts of a card, in the order of [`CardTexts`].
const TEXTS: usize = 5;
/// Bytes of the end offsets of the texts, which come last.
const ENDS_BYTES: usize = TEXTS * size_of::<u32>();
/// Ends a form of a word; words contain no control characters.
const FORM_END: u8 = 0x1f;
/// Ends a word.
const WORD_END: u8 = 0x1e;

/// The displayed texts of a hit, which change only with its document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Card {
    /// The concatenated texts, then the words of the name.
    all: String,
    ends: [u32; TEXTS],
}

/// The texts of a card.
#[derive(Clone, Copy, Default)]
pub(crate) struct CardTexts<'a> {
    pub name: &'a str,
    pub url: &'a str,
    pub image: &'a str,
    pub reference: &'a str,
    pub manufacturer: &'a str,
}

/// A word of the name: surface form, folded form and stem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CardWord<'a> {
    pub form: &'a str,
    pub folded: &'a str,
    pub stem: &'a str,
}

impl Card {
    /// A card with `texts` and no words.
    pub(crate) fn new(texts: CardTexts<'_>) -> Self {
        let texts = [
            texts.name,
            texts.url,
            texts.image,
            texts.reference,
            texts.manufacturer,
        ];
        let mut card = Self::default();
        for (text, end) in texts.into_iter().zip(&mut card.ends) {
            card.all.push_str(text);
            *end = card.all.len() as u32;
        }
        card
    }

    /// Adds a word of the name.
    pub(crate) fn push(&mut self, word: CardWord<'_>) {
        // A form that equals the one before it is left out.
        let folded = Some(word.folded).filter(|folded| *folded != word.form);
        let stem = Some(word.stem).filter(|stem| *stem != word.folded);
        self.all.push_str(word.form);
        for text in [folded, stem] {
            self.all.push(char::from(FORM_END));
            self.all.push_str(text.unwrap_or_default());
        }
        self.all.push(char::from(WORD_END));
    }

    /// Serialises the card.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.all.as_bytes().to_vec();
        bytes.extend(self.ends.iter().flat_map(|end| end.to_le_bytes()));
        bytes
    }

    /// Deserialises a card; none when the bytes are invalid.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let length = bytes.len().checked_sub(ENDS_BYTES)?;
        let (all, written) = bytes.split_at(length);
        let mut ends = [0; TEXTS];
        let (written, _) = written.as_chunks();
        for (end, written) in ends.iter_mut().zip(written) {
            *end = u32::from_le_bytes(*written);
        }
        let all = str::from_utf8(all).ok()?.to_owned();
        Some(Self { all, ends })
    }

    /// Name.
    pub fn name(&self) -> &str {
        self.text(0)
    }

    /// URL in the shop.
    pub fn url(&self) -> &str {
        self.text(1)
    }

    /// URL of the image.
    pub fn image(&self) -> &str {
        self.text(2)
    }

    /// Reference.
    pub fn reference(&self) -> &str {
        self.text(3)
    }

    /// Brand.
    pub fn manufacturer(&self) -> &str {
        self.text(4)
    }

    fn text(&self, at: usize) -> &str {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        let range = start as usize..self.ends[at] as usize;
        self.all.get(range).unwrap_or_default()
    }

    /// The words of the name.
    pub(crate) fn words(&self) -> impl Iterator<Item = CardWord<'_>> {
        let words = self.all.get(self.ends[TEXTS - 1] as usize..);
        let mut rest = words.unwrap_or_default();
        std::iter::from_fn(move || {
            let form = take(&mut rest, FORM_END)?;
            let folded = take(&mut rest, FORM_END)?;
            let stem = take(&mut rest, WORD_END)?;
            let folded = if folded.is_empty() { form } else { folded };
            let stem = if stem.is_empty() { folded } else { stem };
            Some(CardWord { form, folded, stem })
        })
    }
}

/// Splits the text before `end` off `rest`; none when there is no `end`. Words are short, so a search byte by byte is
/// fastest.
fn take<'a>(rest: &mut &'a str, end: u8) -> Option<&'a str> {
    let at = rest.bytes().position(|byte| byte == end)?;
    let (taken, left) = rest.split_at(at);
    *rest = &left[1..];
    Some(taken)
}

#[cfg(test)]
mod tests {
    //! 1. A deserialised card equals the serialised one. 2. Invalid bytes are rejected or harmless.

    use super::*;
    use domain::Language;
    use proptest::prelude::*;
    use query::Analyser;

    proptest! {
        #[test]
        fn a_card_is_read_as_it_was_written(name: String, url: String, manufacturer: String) {
            let analyser = Analyser::new(&Language::parse("fr").expect("a language"));
            let tokens = analyser.document_words(&name);
            let texts = CardTexts { name: &name, url: &url, manufacturer: &manufacturer, ..CardTexts::default() };
            let written = tokens.iter().map(|token| CardWord {
                form: &token.form,
                folded: &token.folded,
                stem: &token.stem,
            });
            let mut card = Card::new(texts);
            written.clone().for_each(|word| card.push(word));
            let card = Card::from_bytes(&card.to_bytes()).expect("a card");
            let shown = [card.name(), card.url(), card.image(), card.reference(), card.manufacturer()];
            prop_assert_eq!(shown, [&*name, &*url, "", "", &*manufacturer]);
            let words: Vec<CardWord<'_>> = card.words().collect();
            prop_assert_eq!(words, written.collect::<Vec<_>>());
        }

        #[test]
        fn invalid_bytes_do_no_harm(bytes: Vec<u8>) {
            if let Some(card) = Card::from_bytes(&bytes) {
                let texts = [card.name(), card.url(), card.image(), card.reference(), card.manufacturer()];
                prop_assert!(texts.iter().all(|text| text.len() <= card.all.len()));
                prop_assert!(card.words().count() <= card.all.len());
            }
        }
    }
}
