//! The regular forms of a word that count as the word itself: its singular, its plural, and the cases of adjectives.
//!
//! A stemmer conflates more than these (`plata` and `plato`); the forms here tell which words of a stem are the typed one.
//! A form that the rules make and nobody writes does no harm: no document has it. `docs/languages.md` lists the endings.

use std::collections::BTreeSet;

/// Forms of one word beyond which no more are made.
const FORMS_MAX: usize = 24;

/// The pairs of one language, parsed once.
#[derive(Clone, Debug)]
pub(super) struct NumberForms {
    endings: Vec<(&'static str, &'static str)>,
    pairs: Vec<(&'static str, &'static str)>,
}

/// The regular endings of a language.
#[derive(Clone, Copy, Debug)]
pub(super) struct NumberRules {
    /// Endings of the forms of one word, each with its alternatives: `y=ies` turns `battery` into `batteries` and back. An
    /// empty ending stands for the end of the word.
    pub endings: &'static str,
    /// Irregular pairs, `one=other`.
    pub pairs: &'static str,
}

impl NumberForms {
    /// The forms of the language with this code; none where only the stem tells.
    pub fn of(code: &str) -> Option<Self> {
        let rules = number_rules(code)?;
        Some(Self {
            endings: pairs(rules.endings).collect(),
            pairs: pairs(rules.pairs).collect(),
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
                let root = word.strip_suffix(from).filter(|root| !root.is_empty());
                others.extend(root.map(|root| format!("{root}{to}")));
            }
        }
        others.remove(word);
        let others = others.into_iter().take(FORMS_MAX - 1);
        [word.to_owned()].into_iter().chain(others).collect()
    }
}

/// The pairs `one=other` of a list.
fn pairs(list: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    list.split_whitespace()
        .filter_map(|pair| pair.split_once('='))
}

/// The rules of the language with this code.
fn number_rules(code: &str) -> Option<NumberRules> {
    let (_, rules) = RULES.iter().find(|(codes, _)| codes.contains(&code))?;
    Some(*rules)
}

/// The rules, by the codes of their languages.
#[rustfmt::skip]
static RULES: [(&[&str], NumberRules); 9] = [
    (&["en"], NumberRules {
        endings: "=s =es y=ies f=ves fe=ves ='s",
        pairs: "child=children foot=feet tooth=teeth goose=geese mouse=mice man=men woman=women man=mens woman=womens \
                child=childrens die=dice ox=oxen louse=lice",
    }),
    (&["es"], NumberRules {
        endings: "=s =es z=ces ón=ones án=anes én=enes ín=ines ún=unes és=eses ás=ases ús=uses ís=ises",
        pairs: "joven=jóvenes orden=órdenes examen=exámenes imagen=imágenes volumen=volúmenes margen=márgenes",
    }),
    (&["gl"], NumberRules {
        endings: "=s =es z=ces l=is ón=óns ón=ons",
        pairs: "",
    }),
    (&["ca"], NumberRules {
        endings: "=s =os a=es ca=ques ga=gues ja=ges ça=ces qua=qües ó=ons à=ans é=ens í=ins ú=uns às=asos és=esos",
        pairs: "",
    }),
    (&["pt"], NumberRules {
        endings: "=s =es ão=ões ão=ães ão=ãos m=ns al=ais el=éis el=eis ol=óis ol=ois ul=uis il=is il=eis ês=eses ás=ases",
        pairs: "",
    }),
    (&["fr"], NumberRules {
        endings: "=s =x al=aux ail=aux",
        pairs: "œil=yeux oeil=yeux",
    }),
    (&["it"], NumberRules {
        endings: "a=e o=i e=i io=i a=i ca=che ga=ghe co=chi go=ghi cia=ce gia=ge cia=cie gia=gie",
        pairs: "uomo=uomini",
    }),
    (&["de"], NumberRules {
        // The cases of adjectives are forms of one another; `-er` is one of them only beside another ending, and a plural only
        // in the pairs: `Wander` is no `Wand`.
        endings: "=e =n =en =s =es =em e=en e=es e=em e=er en=es en=em en=er es=em es=er em=er in=innen um=en nis=nisse ß=sse",
        pairs: "kind=kinder bild=bilder buch=bücher haus=häuser glas=gläser rad=räder brett=bretter band=bänder blatt=blätter \
                kleid=kleider licht=lichter schild=schilder tuch=tücher dach=dächer fach=fächer ei=eier feld=felder \
                geld=gelder holz=hölzer horn=hörner huhn=hühner lamm=lämmer loch=löcher mann=männer rind=rinder \
                schloss=schlösser wald=wälder wort=wörter bad=bäder fass=fässer gehäuse=gehäusen korn=körner kraut=kräuter \
                lied=lieder nest=nester tal=täler volk=völker wurm=würmer schwarz=schwarzer weiß=weißer rot=roter \
                blau=blauer grün=grüner gelb=gelber grau=grauer braun=brauner groß=großer klein=kleiner neu=neuer alt=alter \
                lang=langer kurz=kurzer warm=warmer kalt=kalter hoch=hoher breit=breiter schmal=schmaler rund=runder \
                hell=heller leicht=leichter schwer=schwerer weich=weicher hart=harter stark=starker fein=feiner \
                frisch=frischer süß=süßer bunt=bunter gold=goldener silbern=silberner elektrisch=elektrischer",
    }),
    (&["nl"], NumberRules {
        endings: "=en =s ='s =e =n f=ven s=zen f=ve s=ze aak=aken aal=alen aam=amen aan=anen aap=apen aar=aren aat=aten \
                  eek=eken eel=elen een=enen eer=eren eet=eten eep=epen oek=oeken ook=oken ool=olen oom=omen oon=onen \
                  oop=open oor=oren oot=oten ood=oden oot=ote ood=ode oog=oge aal=ale uur=uren uul=ulen uim=uimen \
                  aas=azen aaf=aven eef=even eeg=egen eed=eden aad=aden aag=agen oog=ogen oof=oven oos=ozen ees=ezen \
                  b=bben d=dden f=ffen g=ggen k=kken l=llen m=mmen n=nnen p=ppen r=rren s=ssen t=tten \
                  k=kke l=lle m=mme n=nne p=ppe s=sse t=tte d=dde",
        pairs: "kind=kinderen ei=eieren blad=bladeren stad=steden",
    }),
];

#[cfg(test)]
mod tests {
    //! 1. Singular and plural, and the cases of an adjective, are forms of each other; other words of a stem are not.
    //! 2. Every language of the rules has a row of its own, and a pair is two different texts.

    use super::{RULES, number_rules, pairs};
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
            ("nl", "zak", "zakken"),
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
        for (codes, rules) in &RULES {
            for code in *codes {
                assert!(number_rules(code).is_some());
            }
            for list in [rules.endings, rules.pairs] {
                assert_eq!(pairs(list).count(), list.split_whitespace().count());
                assert!(pairs(list).all(|(one, other)| one != other));
            }
        }
    }
}
