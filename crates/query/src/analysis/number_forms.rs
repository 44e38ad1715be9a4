//! The regular forms of a word that count as the word itself: its singular, its plural, and the cases of adjectives.
//!
//! A stemmer conflates more than these (`plata` and `plato`); the forms here tell which words of a stem are the typed one.
//! A form that the rules make and nobody writes does no harm: no document has it.

use super::number_endings::{endings, pairs};
use std::collections::BTreeSet;

/// Forms of one word beyond which no more are made.
const FORMS_MAX: usize = 24;
/// Bytes from which on two endings may be whole words, as in `ox` and `oxen`.
const WHOLE_ENDING_MIN: usize = 2;

/// The pairs of one language, parsed once.
#[derive(Clone, Debug)]
pub(super) struct NumberForms {
    endings: Vec<(&'static str, &'static str)>,
    pairs: Vec<(&'static str, &'static str)>,
}

/// What a language has beside the endings of its numbers.
#[derive(Clone, Copy, Debug)]
struct FurtherForms {
    /// Endings of the forms of one word, each with its alternatives: `e>es` turns `rote` into `rotes` and back. An empty
    /// ending stands for the end of the word.
    endings: &'static str,
    /// Irregular pairs of whole words, `one>other`.
    pairs: &'static str,
}

impl NumberForms {
    /// The forms of the language with this code; none where only the stem tells.
    pub fn of(code: &str) -> Option<Self> {
        let further = further_forms(code)?;
        Some(Self {
            endings: endings(code).chain(pairs(further.endings)).collect(),
            pairs: pairs(further.pairs).collect(),
        })
    }

    /// The forms of `word`, itself first. Marks stay as the endings have them.
    pub fn forms(&self, word: &str) -> Vec<String> {
        let mut others = BTreeSet::new();
        for &(one, other) in &self.pairs {
            for (from, to) in [(one, other), (other, one)] {
                if word == from {
                    others.insert(to.to_owned());
                }
            }
        }
        for &(one, other) in &self.endings {
            for (from, to) in [(one, other), (other, one)] {
                let whole = from.len().min(to.len()) >= WHOLE_ENDING_MIN;
                let root = word.strip_suffix(from);
                let root = root.filter(|root| whole || !root.is_empty());
                others.extend(root.map(|root| format!("{root}{to}")));
            }
        }
        others.remove(word);
        let others = others.into_iter().take(FORMS_MAX - 1);
        [word.to_owned()].into_iter().chain(others).collect()
    }
}

/// What the language with this code has beside the endings of its numbers.
fn further_forms(code: &str) -> Option<FurtherForms> {
    let (_, further) = FURTHER.iter().find(|(codes, _)| codes.contains(&code))?;
    Some(*further)
}

/// The languages whose forms are told from other words of a stem, by their codes.
#[rustfmt::skip]
static FURTHER: [(&[&str], FurtherForms); 9] = [
    (&["en"], FurtherForms {
        endings: ">es >'s",
        pairs: "man>mens woman>womens child>childrens",
    }),
    (&["es"], FurtherForms {
        endings: ">es",
        pairs: "joven>jóvenes orden>órdenes examen>exámenes imagen>imágenes volumen>volúmenes margen>márgenes",
    }),
    (&["gl"], FurtherForms {
        endings: ">es",
        pairs: "",
    }),
    (&["ca"], FurtherForms {
        endings: "ca>ques ga>gues ja>ges ça>ces qua>qües às>asos és>esos",
        pairs: "",
    }),
    (&["pt"], FurtherForms {
        endings: ">es",
        pairs: "",
    }),
    (&["fr"], FurtherForms {
        endings: ">x",
        pairs: "œil>yeux oeil>yeux",
    }),
    (&["it"], FurtherForms {
        endings: "",
        pairs: "uomo>uomini",
    }),
    (&["de"], FurtherForms {
        // The cases of adjectives are forms of one another; `-er` is one of them only beside another ending, and a plural only
        // where it is listed: `Wander` is no `Wand`.
        endings: ">es >em e>en e>es e>em e>er en>es en>em en>er es>em es>er em>er in>innen ß>sse",
        pairs: "holz>hölzer lamm>lämmer rind>rinder wald>wälder gehäuse>gehäusen tal>täler volk>völker wurm>würmer \
                schwarz>schwarzer weiß>weißer rot>roter blau>blauer grün>grüner gelb>gelber grau>grauer braun>brauner \
                groß>großer klein>kleiner neu>neuer alt>alter lang>langer kurz>kurzer warm>warmer kalt>kalter hoch>hoher \
                breit>breiter schmal>schmaler rund>runder hell>heller leicht>leichter schwer>schwerer weich>weicher \
                hart>harter stark>starker fein>feiner frisch>frischer süß>süßer bunt>bunter gold>goldener silbern>silberner \
                elektrisch>elektrischer",
    }),
    (&["nl"], FurtherForms {
        endings: ">'s >e >n f>ve s>ze aak>aken aam>amen eek>eken eet>eten eep>epen oek>oeken ook>oken ool>olen oop>open \
                  ood>oden oot>ote ood>ode oog>oge aal>ale uul>ulen uim>uimen aas>azen aaf>aven eef>even eeg>egen eed>eden \
                  aad>aden aag>agen oog>ogen oof>oven oos>ozen ees>ezen b>bben f>ffen k>kke l>lle m>mme n>nne p>ppe s>sse \
                  t>tte d>dde",
        pairs: "blad>bladeren stad>steden",
    }),
];

#[cfg(test)]
mod tests {
    //! 1. Singular and plural, and the cases of an adjective, are forms of each other; other words of a stem are not.
    //! 2. Every language of the table has a row of its own, and a pair is two different texts.

    use super::{FURTHER, further_forms, pairs};
    use crate::Analyser;
    use domain::Language;

    fn forms(language: &str, word: &str) -> Vec<String> {
        let analyser = Analyser::new(&Language::parse(language).expect("a language"));
        let token = analyser.words(word).remove(0);
        let forms = analyser.same_word(&token).expect("the language has rules");
        [forms.written, forms.folded].concat()
    }

    #[test]
    fn forms_of_one_word_are_forms_of_each_other() {
        for (language, one, other) in [
            ("en", "camera", "cameras"),
            ("en", "battery", "batteries"),
            ("en", "box", "boxes"),
            ("en", "knife", "knives"),
            ("en", "woman", "women"),
            ("es", "camiseta", "camisetas"),
            ("es", "camión", "camiones"),
            ("es", "lápiz", "lápices"),
            ("es", "joven", "jóvenes"),
            ("pt", "botão", "botões"),
            ("pt", "animal", "animais"),
            ("fr", "bijou", "bijoux"),
            ("fr", "journal", "journaux"),
            ("it", "cane", "cani"),
            ("it", "libro", "libri"),
            ("it", "gatta", "gatte"),
            ("de", "lampe", "lampen"),
            ("de", "schwarzer", "schwarzes"),
            ("de", "schwarze", "schwarz"),
            ("de", "bild", "bilder"),
            ("de", "vorbild", "vorbilder"),
            ("nl", "zak", "zakken"),
            ("nl", "oog", "ogen"),
            ("nl", "boot", "boten"),
            ("ca", "casa", "cases"),
        ] {
            assert!(
                forms(language, one).contains(&other.to_owned()),
                "{language} {one}: {:?}",
                forms(language, one)
            );
            assert!(
                forms(language, other).contains(&one.to_owned()),
                "{language} {other}: {:?}",
                forms(language, other)
            );
        }
    }

    #[test]
    fn other_words_of_a_stem_are_no_forms() {
        for (language, one, other) in [
            ("es", "plata", "plato"),
            ("es", "puerta", "puerto"),
            ("pt", "prata", "prato"),
            ("it", "collo", "colla"),
            ("de", "wander", "wand"),
            ("de", "küchen", "kuchen"),
            ("en", "universal", "university"),
        ] {
            let written = |word: &str| {
                let analyser = Analyser::new(&Language::parse(language).expect("a language"));
                let token = analyser.words(word).remove(0);
                analyser
                    .same_word(&token)
                    .expect("the language has rules")
                    .written
            };
            assert!(
                !written(one).contains(&other.to_owned()),
                "{language} {one}"
            );
            assert!(
                !written(other).contains(&one.to_owned()),
                "{language} {other}"
            );
        }
    }

    #[test]
    fn rules_are_well_formed() {
        for (codes, further) in &FURTHER {
            for code in *codes {
                assert!(further_forms(code).is_some());
            }
            for list in [further.endings, further.pairs] {
                assert_eq!(pairs(list).count(), list.split_whitespace().count());
                assert!(pairs(list).all(|(one, other)| one != other));
            }
        }
    }
}
