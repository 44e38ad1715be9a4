//! The regular endings of singular and plural, by language, with their accents (`docs/languages.md`).

/// The endings of some languages, as `singular>plural`; an empty ending stands for the end of the word. German plurals in -er
/// are listed word by word, because most words in -er are other words.
pub(super) const ENDINGS: [(&[&str], &str); 14] = [
    (
        &["en"],
        ">s ch>ches sh>shes s>ses x>xes z>zes o>oes y>ies f>ves fe>ves man>men foot>feet tooth>teeth \
         goose>geese mouse>mice louse>lice child>children ox>oxen die>dice",
    ),
    (
        &["es"],
        ">s d>des j>jes l>les n>nes r>res s>ses x>xes y>yes z>ces ey>eis ón>ones án>anes én>enes ín>ines ún>unes és>eses \
         ás>ases ús>uses ís>ises",
    ),
    (&["fr"], ">s al>aux ail>aux au>aux eu>eux ou>oux"),
    (
        &["it"],
        "a>e a>i e>i o>i io>i ca>che ga>ghe co>chi go>ghi cia>ce gia>ge",
    ),
    (
        &["pt"],
        ">s m>ns n>nes r>res s>ses z>zes ão>ões ão>ães ão>ãos al>ais el>éis el>eis il>is il>eis ol>óis ol>ois ul>uis \
         ês>eses ás>ases",
    ),
    (
        &["ca"],
        ">s a>es >os >ns à>ans é>ens í>ins ó>ons ú>uns s>ssos",
    ),
    (&["gl"], ">s l>is n>ns r>res s>ses z>ces ón>óns ón>ons"),
    (
        &["de"],
        ">e >en >n >nen >s a>en um>en us>en nis>nisse us>usse bad>bäder band>bänder bild>bilder blatt>blätter \
         brett>bretter buch>bücher dach>dächer ei>eier fach>fächer fass>fässer feld>felder geld>gelder glas>gläser \
         gut>güter haus>häuser horn>hörner huhn>hühner kind>kinder kleid>kleider korn>körner kraut>kräuter \
         land>länder licht>lichter lied>lieder loch>löcher mann>männer maul>mäuler nest>nester rad>räder rand>ränder \
         schild>schilder schloss>schlösser tuch>tücher wort>wörter",
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

/// The endings of the language with this code, without a region; none for one that is not listed.
pub(super) fn endings(code: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let row = ENDINGS.iter().find(|(codes, _)| codes.contains(&code));
    row.into_iter().flat_map(|(_, list)| pairs(list))
}

/// The pairs `one>other` of a list.
pub(super) fn pairs(list: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    list.split_whitespace()
        .filter_map(|pair| pair.split_once('>'))
}

#[cfg(test)]
mod tests {
    //! 1. A language has one row, and a pair is two different texts.
    //! 2. `docs/languages.md` lists the endings.

    use super::{ENDINGS, pairs};
    use std::collections::BTreeSet;

    #[test]
    fn endings_are_well_formed() {
        let mut seen = BTreeSet::new();
        for (codes, list) in ENDINGS {
            assert!(codes.iter().all(|code| seen.insert(*code)), "{codes:?}");
            assert_eq!(pairs(list).count(), list.split_whitespace().count());
            assert!(pairs(list).all(|(one, other)| one != other), "{codes:?}");
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
