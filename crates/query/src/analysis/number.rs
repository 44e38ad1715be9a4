//! Singular and plural of a word by the regular endings of its language (`docs/languages.md`).

/// Characters that both forms must have in common where an ending is short; a shorter one would relate unrelated words.
const ROOT_CHARACTERS_MIN: usize = 2;
/// Characters from which on an ending may be the whole word, as in `feet`.
const WHOLE_ENDING_MIN: usize = 3;

/// The endings of some languages, as `singular>plural`, folded. German plurals in -er are listed word by word, because most
/// words in -er are other words.
const ENDINGS: [(&[&str], &str); 14] = [
    (
        &["en"],
        ">s ch>ches sh>shes s>ses x>xes z>zes o>oes y>ies f>ves fe>ves man>men foot>feet tooth>teeth \
         goose>geese mouse>mice louse>lice child>children ox>oxen die>dice",
    ),
    (
        &["es"],
        ">s d>des j>jes l>les n>nes r>res s>ses x>xes y>yes z>ces ey>eis",
    ),
    (&["fr"], ">s al>aux ail>aux au>aux eu>eux ou>oux"),
    (
        &["it"],
        "a>e a>i e>i o>i io>i ca>che ga>ghe co>chi go>ghi cia>ce gia>ge",
    ),
    (
        &["pt"],
        ">s m>ns n>nes r>res s>ses z>zes ao>oes ao>aes al>ais el>eis il>is il>eis ol>ois ul>uis",
    ),
    (
        &["ca"],
        ">s a>es >os >ns a>ans e>ens i>ins o>ons u>uns s>ssos",
    ),
    (&["gl"], ">s l>is n>ns r>res s>ses z>ces"),
    (
        &["de"],
        ">e >en >n >nen >s a>en um>en us>en nis>nisse us>usse bad>bader band>bander bild>bilder blatt>blatter \
         brett>bretter buch>bucher dach>dacher ei>eier fach>facher fass>fasser feld>felder geld>gelder glas>glaser \
         gut>guter haus>hauser horn>horner huhn>huhner kind>kinder kleid>kleider korn>korner kraut>krauter \
         land>lander licht>lichter lied>lieder loch>locher mann>manner maul>mauler nest>nester rad>rader rand>rander \
         schild>schilder schloss>schlosser tuch>tucher wort>worter",
    ),
    (
        &["nl"],
        ">en >s f>ven s>zen d>dden g>ggen k>kken l>llen m>mmen n>nnen p>ppen r>rren s>ssen t>tten aal>alen aan>anen \
         aap>apen aar>aren aat>aten eel>elen een>enen eer>eren oom>omen oon>onen oor>oren oot>oten uur>uren \
         kind>kinderen ei>eieren lid>leden",
    ),
    (&["sv"], ">ar >er >n >or >r a>or e>ar el>lar"),
    (&["da", "no", "nb", "nn"], ">e >er >r"),
    (
        &["cs", "sk", "pl"],
        ">i >y a>i a>y e>i ek>ki o>a ec>ce nik>nicy",
    ),
    (&["ru", "uk"], ">и >ы а>и а>ы ь>и я>и о>а е>я й>и"),
    (&["tr", "az"], ">lar >ler"),
];

/// The endings of one language.
#[derive(Clone, Debug)]
pub(super) struct NumberEndings(Vec<(&'static str, &'static str)>);

impl NumberEndings {
    /// The endings of the language with this code, without a region; none for one that is not listed.
    pub fn of(code: &str) -> Self {
        let row = ENDINGS.iter().find(|(codes, _)| codes.contains(&code));
        let pairs = row
            .into_iter()
            .flat_map(|(_, pairs)| pairs.split_whitespace());
        Self(pairs.filter_map(|pair| pair.split_once('>')).collect())
    }

    /// The other numbers that the folded `word` may have, words or not. Words with a digit have none.
    pub fn others(&self, word: &str) -> Vec<String> {
        let mut others = Vec::new();
        if word.bytes().any(|byte| byte.is_ascii_digit()) {
            return others;
        }
        for (singular, plural) in &self.0 {
            for (ending, other) in [(plural, singular), (singular, plural)] {
                let root = word.strip_suffix(*ending);
                let root = root.filter(|root| may_end(root, singular, plural));
                others.extend(root.map(|root| format!("{root}{other}")));
            }
        }
        others.sort_unstable();
        others.dedup();
        others
    }
}

/// Whether a word with this root may have both endings. No plural adds an s to an s.
fn may_end(root: &str, singular: &str, plural: &str) -> bool {
    let is_long = root.chars().count() >= ROOT_CHARACTERS_MIN;
    let is_word = singular.len() >= WHOLE_ENDING_MIN && plural.len() >= WHOLE_ENDING_MIN;
    let adds_to_s = singular.is_empty() && plural == "s" && root.ends_with('s');
    (is_long || is_word) && !adds_to_s
}

#[cfg(test)]
mod tests {
    //! 1. Singular and plural find each other, also where the plural is irregular and listed; other words of the same stem
    //!    are no other number.
    //! 2. `docs/languages.md` lists the endings.

    use super::*;

    #[test]
    fn singular_and_plural_find_each_other() {
        for (code, singular, plural) in [
            ("en", "sofa", "sofas"),
            ("en", "box", "boxes"),
            ("en", "battery", "batteries"),
            ("en", "shelf", "shelves"),
            ("en", "mouse", "mice"),
            ("es", "sarten", "sartenes"),
            ("es", "camiseta", "camisetas"),
            ("es", "lapiz", "lapices"),
            ("fr", "chapeau", "chapeaux"),
            ("fr", "cheval", "chevaux"),
            ("it", "scarpa", "scarpe"),
            ("it", "bosco", "boschi"),
            ("pt", "botao", "botoes"),
            ("pt", "papel", "papeis"),
            ("de", "tasche", "taschen"),
            ("de", "stuhl", "stuhle"),
            ("de", "fahrrad", "fahrrader"),
            ("nl", "bril", "brillen"),
            ("sv", "skjorta", "skjortor"),
            ("ru", "лампа", "лампы"),
            ("tr", "kitap", "kitaplar"),
        ] {
            let endings = NumberEndings::of(code);
            let finds = |word: &str, other: &str| endings.others(word).iter().any(|o| o == other);
            assert!(finds(singular, plural), "{code} {singular} {plural}");
            assert!(finds(plural, singular), "{code} {plural} {singular}");
        }
    }

    #[test]
    fn other_words_are_no_other_number() {
        for (code, word, other) in [
            ("es", "plata", "plato"),
            ("en", "plan", "planes"),
            ("en", "run", "running"),
            ("en", "glas", "glass"),
            ("en", "r2", "r2s"),
            ("de", "bohr", "bohrer"),
            ("en", "i", "is"),
            ("xx", "sofa", "sofas"),
        ] {
            let endings = NumberEndings::of(code);
            assert!(!endings.others(word).iter().any(|found| found == other));
            assert!(!endings.others(other).iter().any(|found| found == word));
        }
    }

    #[test]
    fn the_documentation_lists_the_endings() {
        let documentation = include_str!("../../../../docs/languages.md");
        for (codes, pairs) in ENDINGS {
            let codes: Vec<String> = codes.iter().map(|code| format!("`{code}`")).collect();
            let pairs: Vec<&str> = pairs.split_whitespace().collect();
            let row = format!("| {} | {} |", codes.join(", "), pairs.join(", "));
            assert!(
                documentation.contains(&row),
                "put into docs/languages.md:\n{row}"
            );
        }
    }
}
