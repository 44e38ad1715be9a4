//! The analysis of each language, through the public interface.
//!
//! 1. Inflected forms of a word share a stem, with and without accents.
//! 2. Words that change the meaning of a query are not stop words; common words are, in every spelling.
//! 3. An elided article is removed from the word; the word is also found with the article and without apostrophe.
//! 4. Text without spaces is segmented into words, and any part of it is found in a document.
//! 5. Variants of a character are equal.
//! 6. A character that is written as several is analysed as these.
//! 7. The analysis of an analysed word changes nothing, in any language, and its cost is linear in the text.

use domain::Language;
use proptest::prelude::*;
use query::analysis::normalised;
use query::{Analyser, Token};
use std::collections::BTreeSet;

fn analyser(code: &str) -> Analyser {
    Analyser::new(&Language::parse(code).expect("a language code"))
}

fn stems(code: &str, text: &str) -> Vec<String> {
    let words = analyser(code).words(text);
    words.into_iter().map(|word| word.stem).collect()
}

/// Forms of one word, by language.
const FORMS: &[(&str, &str)] = &[
    ("ar", "ساعة ساعه ساعات الساعة"),
    ("ar", "حقيبة حقيبه"),
    ("bg", "ЧАЙНИК чайник"),
    ("ca", "camisa camises"),
    ("ca", "pantaló pantalons pantalo"),
    ("ca", "llibre llibres"),
    ("ca", "taronja taronges"),
    ("ca", "estació estacions estacio"),
    ("cs", "košile košil kosile"),
    ("cs", "dámský dámská damske"),
    ("da", "lampe lamper lampen"),
    ("da", "sko skoene"),
    ("de", "schuh schuhe SCHUHEN"),
    ("de", "öl oel ol"),
    ("de", "größe groesse grosse"),
    ("de", "bücher buch buecher"),
    ("de", "zubehör zubehoer zubehor"),
    ("el", "μαύρος μαύρη μαυρο ΜΑΎΡΟΣ"),
    ("el", "βιβλίο βιβλία"),
    ("en-gb", "socks sock"),
    ("es-mx", "sartenes sartén"),
    ("eu", "liburu liburua liburuak"),
    ("eu", "etxe etxea"),
    ("fa", "کتاب کتاب‌ها کتابها كتابها"),
    ("fi", "kirja kirjat kirjan"),
    ("fr", "vélo vélos velos"),
    ("fr", "réparé réparée réparés reparees"),
    ("fr", "léger légère légères"),
    ("fr", "oreiller oreillers"),
    ("fr", "cheveu cheveux"),
    ("fr-ca", "cheval chevaux"),
    ("gl", "camisa camisas"),
    ("gl", "papel papeis"),
    ("hi", "जूता जूते जूतों"),
    ("hi", "घड़ी घड़ियाँ घड़ियां"),
    ("hr", "košulja košulje kosulja"),
    ("hu", "táska táskák táskát taskak"),
    ("it", "scarpa scarpe"),
    ("it", "bicchiere bicchieri"),
    ("nb", "lampe lamper"),
    ("nl", "schoen schoenen"),
    ("nl", "fiets fietsen"),
    ("nl", "kind kinderen kinders"),
    ("no", "skjorte skjorter"),
    ("pl", "but buty butów butow"),
    ("pl", "łóżko łóżka lozko"),
    ("pl", "książka książki książek"),
    ("pt-br", "calção calções calcao calcoes"),
    ("pt", "papel papéis"),
    ("pt", "jardim jardins"),
    ("ro", "ceas ceasuri"),
    ("ro", "cămașă cămăși camasi cămaşă"),
    ("ru", "чёрный черный чёрная черные"),
    ("ru", "кроссовки кроссовок"),
    ("sk", "topánka topánky topánok"),
    ("sl", "majica majice"),
    ("sr", "ципела ципеле cipela cipele"),
    ("sv", "lampa lampor"),
    ("sv", "damskor damsko"),
    ("ta", "புத்தகம் புத்தகங்கள்"),
    ("tr", "ÇANTA çanta çantalar çantası canta"),
    ("tr", "telefon telefonlar telefonları"),
    ("tr", "gözlük gözlükler gözlüğü gozluk"),
    ("tr", "KILIF kılıf kılıfı kiliflari"),
    ("uk", "чорний чорна чорні"),
    ("vi", "ĐIỆN điện dien"),
];

#[test]
fn forms_of_a_word_have_one_stem() {
    let mut apart = Vec::new();
    for (code, forms) in FORMS {
        let stems: BTreeSet<String> = stems(code, forms).into_iter().collect();
        if stems.len() != 1 {
            apart.push((code, forms, stems));
        }
    }
    assert!(apart.is_empty(), "{apart:#?}");
}

#[test]
fn different_things_keep_different_stems() {
    for (code, a, b) in [
        ("de", "hose", "haus"),
        ("fr", "bois", "boisson"),
        ("pt", "calça", "calção"),
        ("ru", "сок", "сочный"),
        ("tr", "çanta", "cam"),
    ] {
        assert_ne!(stems(code, a), stems(code, b), "{code}: {a} {b}");
    }
}

#[test]
fn stop_words_say_nothing_about_a_product() {
    for (code, query, counted) in [
        (
            "de",
            "Shampoo ohne Sulfate für die Haare",
            "Shampoo ohne Sulfate Haare",
        ),
        (
            "fr",
            "robe d'été sans manches à fleurs",
            "robe été sans manches fleurs",
        ),
        ("fr", "barre de son taille L", "barre son taille L"),
        (
            "it",
            "latte senza lattosio per bambini",
            "latte senza lattosio bambini",
        ),
        ("pt", "óculos para criança", "óculos criança"),
        (
            "nl",
            "melk zonder lactose voor kinderen",
            "melk zonder lactose kinderen",
        ),
        ("ru", "чай без сахара и с лимоном", "чай без сахара лимоном"),
        (
            "el",
            "καφές χωρίς ζάχαρη και με γάλα",
            "καφές χωρίς ζάχαρη γάλα",
        ),
        ("zh", "孩子的衣服", "孩子 衣服"),
        ("ja", "犬の服", "犬 服"),
    ] {
        let words = analyser(code).words(query);
        let kept: Vec<&str> = (words.iter().filter(|word| !word.stop))
            .map(|word| &query[word.start..word.end])
            .collect();
        assert_eq!(kept.join(" "), counted, "{code}");
    }
}

#[test]
fn elided_articles_are_removed() {
    for (code, written, word) in [
        ("fr", "l'eau", "eau"),
        ("fr", "L’EAU", "eau"),
        ("fr", "qu'une", "une"),
        ("fr", "aujourd'hui", "aujourd'hui"),
        ("it", "dell'olio", "olio"),
        ("it", "un’altra", "altra"),
        ("ca", "l'home", "home"),
        ("pt", "d'água", "água"),
        ("en", "o'neill", "o'neill"),
        ("de", "l'eau", "l'eau"),
    ] {
        let words = analyser(code).words(written);
        assert_eq!(words.len(), 1, "{code}: {written}");
        // An apostrophe within a word is a sign like others: the word is found with and without it.
        assert_eq!(words[0].form, word.replace('\'', ""), "{code}: {written}");
        let typed = written[words[0].start..words[0].end].to_lowercase();
        assert_eq!(typed.replace('’', "'"), word, "{code}: {written}");
    }
    let tokens = analyser("fr").document_words("Crème L'Oréal");
    let seen: Vec<(u32, &str, bool)> = (tokens.iter())
        .map(|token| (token.position, token.folded.as_str(), token.joined))
        .collect();
    assert_eq!(
        seen,
        [
            (0, "creme", false),
            (1, "oreal", false),
            (1, "loreal", true)
        ]
    );
}

#[test]
fn scripts_without_spaces_are_segmented_into_words() {
    for (code, text, words) in [
        ("th", "กางเกงยีนส์ขายาว", "กาง เกง ยีนส์ ขา ยาว"),
        ("km", "ស្បែកជើងបុរស", "ស្បែក ជើង បុរស"),
        ("lo", "ໂທລະສັບມືຖື", "ໂທລະສັບມື ຖື"),
        ("my", "ဖုန်းအားသွင်းကြိုး", "ဖုန်း အားသွင်း ကြိုး"),
        ("ja", "急速充電器", "急速 充電 電器"),
        ("ja", "iPhone用ケース", "iPhone 用 ケー ース"),
        ("zh", "手机壳", "手机 壳"),
        ("ko", "LED조명 무선이어폰", "LED 조명 무선 선이 이어 어폰"),
    ] {
        let cut: Vec<&str> = (analyser(code).words(text).iter())
            .map(|word| &text[word.start..word.end])
            .collect();
        assert_eq!(cut.join(" "), words, "{code}");
    }
}

#[test]
fn part_of_a_text_without_spaces_is_found_in_it() {
    for (text, parts) in [
        (
            "急速充電器セット",
            "充電器 電器 器 速充 セット 急速充電器セット",
        ),
        ("智能手机充电器", "手机 充电器 机充 智能手机"),
        ("초고속 무선이어폰", "이어폰 무선 폰"),
        ("USB充電器２個", "usb充電器 充電 2個"),
    ] {
        for part in parts.split(' ') {
            assert!(occurs_in(part, text), "{part} in {text}");
        }
    }
    assert!(!occurs_in("電充", "急速充電器セット"));
}

/// Whether all words of `query` are in `text`, at the same distances.
fn occurs_in(query: &str, text: &str) -> bool {
    let analyser = analyser("ja");
    let (words, tokens) = (analyser.words(query), analyser.document_words(text));
    let occurs = |stem: &str, position: u32| {
        let mut same = tokens.iter().filter(|token| token.position == position);
        same.any(|token| token.stem == stem)
    };
    let mut starts = 0..=tokens.len() as u32;
    starts.any(|start| {
        let mut all = words.iter();
        all.all(|word| occurs(&word.stem, start + word.position - words[0].position))
    })
}

#[test]
fn variants_of_a_character_are_equal() {
    for (a, b) in [
        ("ΟΔΟΣ", "οδός"),
        ("Straße", "STRASSE"),
        ("Łódź", "lodz"),
        ("đồng", "dong"),
        ("smørrebrød", "smorrebrod"),
        ("ış", "IŞ"),
        ("م\u{64e}كتبة", "مكتبه"),
        ("أحمد", "احمد"),
        ("ش\u{640}\u{640}اي", "شاي"),
        ("١٢٣", "123"),
        ("۴۵", "45"),
        ("ש\u{5c1}לום", "שלום"),
        ("ｶﾞﾗｽ", "ガラス"),
        ("Ｔシャツ", "tシャツ"),
        ("Donau\u{ad}dampf", "donaudampf"),
        ("ё", "е"),
    ] {
        let folded = |text: &str| query::analysis::fold(text);
        assert_eq!(folded(a), folded(b), "{a} {b}");
    }
    assert_ne!(query::analysis::fold("й"), query::analysis::fold("и"));
    assert_ne!(query::analysis::fold("ї"), query::analysis::fold("і"));
}

/// A language of every kind of analysis, and one without a row.
const CODES: &str =
    "ar|az|ca|cs|de|el|en|es|eu|fa|fi|fr|he|hi|hu|it|ja|ko|my|pl|pt-br|ru|sr|sv|th|tr|vi|zh|xx";

#[test]
fn a_spacing_accent_alone_is_no_word() {
    for code in ["en", "el", "fa", "xx"] {
        for text in ["\u{37a}", "\u{fe72}[", "\u{fe70}"] {
            let analyser = analyser(code);
            assert!(analyser.words(text).is_empty(), "{code} {text}");
            assert!(analyser.document_words(text).is_empty(), "{code} {text}");
        }
    }
}

proptest! {
    #[test]
    fn analysing_a_stem_changes_nothing(text in "(\\PC{0,12}|[a-zA-ZàéîöüßñçğıİIøåæłđ’' -]{0,40})", code in CODES) {
        let analyser = analyser(&code);
        for token in analyser.words(&text) {
            let again = analyser.words(&token.form);
            // A form that is segmented differently on its own, or loses another possessive ending, is another word. A word of
            // several parts is no stop word.
            if token.parts.is_empty()
                && let [same] = again.as_slice()
                && same.form == token.form
                && !token.form.contains('\'')
            {
                let parts = |token: &Token| (token.folded.clone(), token.stem.clone(), token.stop);
                prop_assert_eq!(parts(same), parts(&token));
            }
        }
    }

    #[test]
    fn every_text_is_analysed(text in "\\PC{0,60}", code in CODES) {
        let analyser = analyser(&code);
        // One character may be written as several: `¼` as `1/4`.
        let characters = normalised(&text).chars().count();
        for tokens in [analyser.words(&text), analyser.document_words(&text)] {
            prop_assert!(tokens.len() <= 2 * characters);
            for token in &tokens {
                prop_assert!(text.get(token.start..token.end).is_some());
                prop_assert!(!token.folded.is_empty() && !token.stem.is_empty());
                prop_assert!((token.position as usize) < characters);
            }
        }
    }
}

#[test]
fn a_character_of_several_words_is_analysed() {
    for text in ["¼", "㍿", "1¼ in", "﷼½"] {
        for code in ["ar", "en", "ja", "xx"] {
            let tokens = analyser(code).document_words(text);
            let last = tokens.iter().map(|token| token.position).max();
            assert!(last >= Some(1), "{code} {text}");
            assert!(
                tokens
                    .iter()
                    .all(|token| text.get(token.start..token.end).is_some()),
                "{code} {text}"
            );
        }
    }
}

#[test]
fn the_cost_is_linear_in_the_text() {
    for (code, part) in [
        ("en", "a-b-c "),
        ("fr", "l'l'l'"),
        ("ja", "急速充電器セット"),
        ("ja", "々ー"),
        ("th", "กางเกงยีนส์ขายาว"),
        ("de", "donaudampfschifffahrt"),
    ] {
        let text: String = part.chars().cycle().take(20_000).collect();
        let tokens = analyser(code).document_words(&text);
        assert!(tokens.len() <= 40_000, "{code}: {part}");
    }
}
