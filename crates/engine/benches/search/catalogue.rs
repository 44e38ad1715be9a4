//! A deterministic catalogue of any size: syllable words by Zipf's law, every field of a product filled.

use domain::document::{DocType, Document};
use serde_json::{Value, json};

const WORDS: u32 = 60_000;
const TYPES: u32 = 1_500;
const ADJECTIVES: u32 = 3_000;
const BRANDS: u32 = 2_000;
const CATEGORIES: u32 = 300;

/// A sequence of numbers that looks random and is the same in every run (SplitMix64).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, uniformly distributed.
    pub fn below(&mut self, end: u32) -> u32 {
        (self.next() % u64::from(end.max(1))) as u32
    }

    /// A number below `end`, by Zipf's law with exponent 1.
    fn rank(&mut self, end: u32) -> u32 {
        let share = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        (f64::from(end).powf(share) as u32).clamp(1, end) - 1
    }
}

/// The word with the number `number` of a `family` of words, encoded in syllables.
fn word(family: u32, number: u32) -> String {
    const STARTS: [&str; 16] = [
        "b", "br", "c", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "st", "t", "v",
    ];
    const ENDS: [&str; 15] = [
        "a", "e", "i", "o", "u", "an", "el", "in", "on", "ur", "ar", "et", "il", "om", "un",
    ];
    let syllables = (STARTS.len() * ENDS.len()) as u32;
    // Neighbouring numbers must not share a prefix.
    let mut rest = (number * 4 + family).wrapping_mul(2_654_435_761) >> 8;
    let mut word = String::new();
    for _ in 0..3 {
        let syllable = (rest % syllables) as usize;
        word.push_str(STARTS[syllable % STARTS.len()]);
        word.push_str(ENDS[syllable / STARTS.len()]);
        rest /= syllables;
        if rest == 0 {
            break;
        }
    }
    word
}

fn text(dice: &mut Dice, words: u32) -> String {
    let words = (0..words).map(|_| word(0, dice.rank(WORDS)));
    words.collect::<Vec<_>>().join(" ")
}

/// The name of product `number`; `version` changes everything about it.
pub fn name(number: u32, version: u32) -> String {
    let mut dice = dice_of(number, version);
    let mut words = vec![word(3, dice.rank(BRANDS))];
    let adjectives = dice.below(4);
    words.extend((0..adjectives).map(|_| word(2, dice.rank(ADJECTIVES))));
    words.push(word(1, dice.rank(TYPES)));
    let others = dice.below(4);
    words.extend((0..others).map(|_| word(0, dice.rank(WORDS))));
    words.join(" ")
}

/// The reference of product `number`.
pub fn reference(number: u32) -> String {
    format!("REF-{:06}", u64::from(number) * 7_919 % 1_000_003)
}

/// Product `number`.
pub fn product(number: u32, version: u32) -> Document {
    parsed(body(number, version))
}

/// The product with only the fields of its numbers and labels.
pub fn bare_product(number: u32, version: u32) -> Document {
    let mut dice = dice_of(number, version ^ 0x5555);
    let variants = dice.below(7);
    let labels = labels(&mut dice, variants);
    parsed(with_numbers(number, version, labels))
}

fn parsed(body: Value) -> Document {
    let document = Document::parse(DocType::Products, 0, body).expect("a product");
    document.without_body()
}

/// Product `number`, as a shop sends it.
pub fn body(number: u32, version: u32) -> Value {
    let mut dice = dice_of(number, version ^ 0x5555);
    let variants = dice.below(7);
    let code = |kind: &str, at: u32| format!("{kind}{number:07}{at}");
    let codes = |kind: &str| (0..variants).map(|at| code(kind, at)).collect::<Vec<_>>();
    let mut texts = labels(&mut dice, variants);
    let others = json!({
        "reference": reference(number),
        "ean13": format!("4{number:012}"), "upc": format!("{number:012}"), "mpn": code("M", 0),
        "combinationReferences": codes("V"), "combinationEans": codes("5000"),
        "combinationMpns": codes("N"), "short_description": text(&mut dice, 19),
        "description": text(&mut dice, 75), "ai_description": text(&mut dice, 20),
        "ai_description_manual": text(&mut dice, 5),
    });
    extend(&mut texts, others);
    with_numbers(number, version, texts)
}

/// The facet values of a product with so many `variants`, except those of its numbers.
fn labels(dice: &mut Dice, variants: u32) -> Value {
    let features = (0..3 + dice.below(7)).map(|_| json!({"feature": "f", "value": text(dice, 2)}));
    let features: Vec<Value> = features.collect();
    let colours =
        (0..variants).map(|_| json!({"group": "colour", "value": word(2, dice.below(30))}));
    let attributes: Vec<Value> = colours.collect();
    let tags: Vec<String> = (0..dice.below(6)).map(|_| text(dice, 1)).collect();
    json!({
        "supplier": word(3, dice.below(50)), "tags": tags, "features": features,
        "attributes": attributes,
    })
}

fn extend(body: &mut Value, others: Value) {
    if let (Value::Object(body), Value::Object(others)) = (body, others) {
        body.extend(others);
    }
}

/// The product of the given `texts`, with name, labels and numbers.
fn with_numbers(number: u32, version: u32, texts: Value) -> Value {
    let mut dice = dice_of(number, version ^ 0xaaaa);
    let name = name(number, version);
    let brand = name.split(' ').next().unwrap_or_default();
    let categories: Vec<u32> = (0..2 + dice.below(2))
        .map(|_| dice.rank(CATEGORIES))
        .collect();
    let named = categories
        .iter()
        .map(|c| json!({"id": c.to_string(), "name": word(1, *c)}));
    let ids = categories.iter().map(u32::to_string);
    let price = f64::from(100 + dice.rank(100_000)) / 100.0;
    let mut body = json!({
        "id": number.to_string(), "name": name, "manufacturer": brand,
        "categories": named.collect::<Vec<_>>(), "categoryIds": ids.collect::<Vec<_>>(),
        "priceInclTax": price, "originalPriceInclTax": price * (1.0 + f64::from(dice.below(3)) / 10.0),
        "inStock": dice.below(5) > 0, "sales_count": dice.rank(10_000),
        "rating": f64::from(dice.below(51)) / 10.0, "currency": "EUR",
    });
    extend(&mut body, texts);
    body
}

fn dice_of(number: u32, version: u32) -> Dice {
    Dice::new(u64::from(number) << 32 | u64::from(version))
}
