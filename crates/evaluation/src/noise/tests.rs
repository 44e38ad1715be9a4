//! 1. Each noise does what it says, and nothing else: edits of one character, blanks, endings, accents, order, a word more.
//! 2. A noise that cannot be applied returns none.
//! 3. Plural and singular follow the regular endings of five languages.

use super::*;

fn typed(query: &str) -> Vec<String> {
    query.split(' ').map(str::to_owned).collect()
}

/// The different results of a noise for a query.
fn all(noise: Noise, language: &str, query: &str) -> Vec<String> {
    let names = ProductNames::new(language);
    let noisy = (0..60).filter_map(|seed| {
        let mut choices = Choices::new(seed);
        let words = typed(query);
        let adjacent = vec![true; words.len() - 1];
        noise.apply(&TypedWords { words, adjacent }, &names, &mut choices)
    });
    let mut noisy: Vec<String> = noisy.collect();
    noisy.sort_unstable();
    noisy.dedup();
    noisy
}

#[test]
fn a_typo_is_one_edit_after_the_second_character() {
    let noisy = all(Noise::Typo, "en", "tall lamp 500ml of");
    assert!(noisy.len() > 20, "{noisy:?}");
    for query in &noisy {
        let words = typed(query);
        assert_eq!(words[2..], typed("500ml of"), "{query}");
        assert!(words[0] == "tall" || words[1] == "lamp", "{query}");
        assert_ne!(query, "tall lamp 500ml of");
        assert!(
            words[0].starts_with("ta") && words[1].starts_with("la"),
            "{query}"
        );
        let lengths = words[0].len() + words[1].len();
        assert!((7..=9).contains(&lengths), "{query}");
    }
    for one_of_each in ["tall lmap 500ml of", "tall laamp 500ml of"] {
        assert!(!noisy.contains(&one_of_each.to_owned()), "the prefix stays");
    }
    assert!(
        noisy.contains(&"tall lapm 500ml of".to_owned()),
        "{noisy:?}"
    );
    assert!(noisy.contains(&"tall lam 500ml of".to_owned()), "{noisy:?}");
    assert_eq!(all(Noise::Typo, "en", "usb 128gb a4"), [""; 0]);
}

#[test]
fn blanks_move() {
    assert_eq!(
        all(Noise::Joined, "en", "snow shovel 2x large"),
        ["snowshovel 2x large"]
    );
    assert_eq!(all(Noise::Joined, "en", "snow 4"), [""; 0]);
    let apart = TypedWords {
        words: typed("snow shovel"),
        adjacent: vec![false],
    };
    let names = ProductNames::new("en");
    let joined = Noise::Joined.apply(&apart, &names, &mut Choices::new(1));
    assert_eq!(joined, None, "the name has another word between them");
    assert_eq!(
        all(Noise::Split, "en", "red shovels 500ml"),
        ["red sho vels 500ml", "red shov els 500ml"]
    );
    assert_eq!(all(Noise::Split, "en", "red lamp"), [""; 0]);
    assert_eq!(
        all(Noise::Border, "en", "milk 500ml kt12ab"),
        ["milk 500 ml kt12ab"]
    );
    assert_eq!(all(Noise::Border, "en", "milk 1,5 l"), ["milk 1,5l"]);
    assert_eq!(
        all(Noise::Border, "en", "iphone 14 pro"),
        ["iphone 14pro", "iphone14 pro"]
    );
    assert_eq!(all(Noise::Border, "en", "snow shovel"), [""; 0]);
}

#[test]
fn one_word_changes_its_number() {
    let pairs = [
        ("en", "lamp", "lamps"),
        ("en", "battery", "batteries"),
        ("en", "brush", "brushes"),
        ("en", "glass", "glasses"),
        ("es", "camiseta", "camisetas"),
        ("es", "flor", "flores"),
        ("es", "jamón", "jamones"),
        ("fr", "chaussure", "chaussures"),
        ("fr", "gâteau", "gâteaux"),
        ("fr", "cheval", "chevaux"),
        ("it", "biscotto", "biscotti"),
        ("it", "formaggio", "formaggi"),
        ("it", "pesca", "pesche"),
        ("de", "kartoffel", "kartoffeln"),
        ("de", "mischung", "mischungen"),
        ("de", "nudel", "nudeln"),
        ("de", "bohne", "bohnen"),
    ];
    for (language, singular, plural) in pairs {
        assert_eq!(all(Noise::Number, language, singular), [plural]);
        let back = all(Noise::Number, language, plural);
        // An Italian plural has several singulars.
        if plural != "formaggi" {
            assert_eq!(back, [singular], "{language}");
        }
    }
    assert_eq!(all(Noise::Number, "en", "usb 12 bus"), [""; 0]);
    assert_eq!(all(Noise::Number, "tr", "lamba"), [""; 0], "no endings");
}

#[test]
fn accents_order_and_a_further_word() {
    assert_eq!(
        all(Noise::Accents, "es", "jamón ibérico"),
        ["jamon iberico"]
    );
    assert_eq!(all(Noise::Accents, "es", "queso"), [""; 0]);
    assert_eq!(all(Noise::Order, "en", "red lamp"), ["lamp red"]);
    assert_eq!(
        all(Noise::Order, "en", "a b c"),
        ["b c a", "c a b", "c b a"]
    );
    assert_eq!(all(Noise::Order, "en", "lamp"), [""; 0]);
    assert_eq!(all(Noise::ExtraWord, "en", "red lamp"), [""; 0]);
    for query in all(Noise::ExtraWord, "en", "tall red lamp") {
        let mut words = typed(&query);
        words.retain(|word| !["tall", "red", "lamp"].contains(&word.as_str()));
        assert!(words.len() == 1 && words[0].len() >= 6, "{query}");
    }
}
