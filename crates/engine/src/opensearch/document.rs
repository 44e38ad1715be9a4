//! A document as it is sent to the cluster.

use super::fields::{
    self, DERIVED, HOLE, PRESENCE, PUBLIC, SAME_PLACE, SEPARATOR, STATED, form_term, longer_term,
    pair, stem_term, unmarked_form_term,
};
use crate::columns::{DocumentValue, ValueField, each_value, name_key};
use crate::indexed_document::{IndexedDocument, IndexedText};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use domain::document::price::{PriceField, PriceKind};
use domain::document::{Document, Numbers};
use domain::first_characters;
use domain::label_text::label_text;
use domain::limits::LABEL_CHARACTERS_MAX;
use domain::relevance::field::FieldId;
use domain::search::FilterField;
use domain::visitor::DocumentAccess;
use query::Analyser;
use query::analysis::CachedWord;
use query::scoring::{
    FactorValues, PREFIX_CHARACTERS_MAX, PREFIX_CHARACTERS_MIN, SUBSTRING_CHARACTERS_MAX,
    SUBSTRING_CHARACTERS_MIN,
};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What a document is written with.
pub struct DocumentWriter<'a> {
    /// The analyser of the index.
    pub analyser: &'a Analyser,
    /// Whether the index contains the substrings of the words of names.
    pub partial: bool,
}

impl DocumentWriter<'_> {
    /// Returns the document of `indexed`, which has this number in storage, with its fingerprint.
    pub fn write(&self, indexed: &IndexedDocument<'_>, ordinal: u32) -> Value {
        let mut all = self.content(indexed);
        let print = fingerprint(&all);
        all.insert(fields::ORDINAL.to_owned(), json!(ordinal));
        // The cluster knows only numbers with a sign.
        all.insert(fields::FINGERPRINT.to_owned(), json!(print.cast_signed()));
        Value::Object(all)
    }

    /// Returns the fingerprint of `indexed`.
    pub fn fingerprint(&self, indexed: &IndexedDocument<'_>) -> u64 {
        fingerprint(&self.content(indexed))
    }

    fn content(&self, indexed: &IndexedDocument<'_>) -> Map<String, Value> {
        let document = indexed.document;
        let mut all = Map::new();
        all.insert(fields::ID.to_owned(), json!(document.id));
        all.insert(
            fields::NAME_KEY.to_owned(),
            json!(name_key(&document.texts.name)),
        );
        self.put_texts(indexed, &mut all);
        for (field, terms) in &indexed.codes {
            all.insert(fields::code(*field), json!(terms));
        }
        all.insert(fields::FILLED.to_owned(), json!(filled(indexed)));
        put_values(document, &mut all);
        put_numbers(&document.numbers, &mut all);
        let card = BASE64_STANDARD.encode(indexed.card().to_bytes());
        all.insert(fields::CARD.to_owned(), json!(card));
        all
    }

    fn put_texts(&self, indexed: &IndexedDocument<'_>, all: &mut Map<String, Value>) {
        let (mut stems, mut forms) = (BTreeSet::new(), BTreeSet::new());
        for text in &indexed.texts {
            let (values, length) = written(indexed, text);
            all.insert(fields::text(text.field), json!(values));
            all.insert(fields::length(text.field), json!(length));
            for place in indexed.values(text).flatten() {
                stems.insert(&*place.word.stem);
                if self.analyser.has_number_forms() {
                    let form = pair(&place.word.form, &place.word.folded);
                    forms.insert(pair(&place.word.stem, &form));
                }
            }
            if text.field == FieldId::NAME {
                let words = indexed.values(text).flatten().map(|place| place.word);
                self.put_longer(words, all);
            }
        }
        let terms: Vec<String> = stems.iter().map(|stem| stem_term(stem)).collect();
        all.insert(
            fields::ALL.to_owned(),
            json!(terms.join(&SEPARATOR.to_string())),
        );
        if self.analyser.compounds().is_some() {
            all.insert(fields::STEMS.to_owned(), json!(stems));
        }
        if self.analyser.has_number_forms() {
            all.insert(fields::FORMS.to_owned(), json!(forms));
        }
    }

    /// Adds what longer words of the name are found by.
    fn put_longer<'w>(
        &self,
        words: impl Iterator<Item = &'w CachedWord>,
        all: &mut Map<String, Value>,
    ) {
        let (mut prefixes, mut substrings) = (BTreeSet::new(), BTreeSet::new());
        for word in words {
            let letters: Vec<char> = word.folded.chars().collect();
            let part = |from: usize, to: usize| letters[from..to].iter().collect::<String>();
            for end in PREFIX_CHARACTERS_MIN..=PREFIX_CHARACTERS_MAX.min(letters.len()) {
                prefixes.insert(longer_term(&part(0, end), letters.len()));
            }
            for from in (0..letters.len()).filter(|_| self.partial) {
                let last = (from + SUBSTRING_CHARACTERS_MAX).min(letters.len());
                for end in from + SUBSTRING_CHARACTERS_MIN..=last {
                    substrings.insert(longer_term(&part(from, end), letters.len()));
                }
            }
        }
        all.insert(fields::PREFIXES.to_owned(), json!(prefixes));
        all.insert(fields::SUBSTRINGS.to_owned(), json!(substrings));
    }
}

/// Returns the values of a text, and its number of words.
fn written(indexed: &IndexedDocument<'_>, text: &IndexedText) -> (Vec<String>, u32) {
    let (mut values, mut length) = (Vec::new(), 0);
    for places in indexed.values(text) {
        let mut value = String::new();
        let mut next = 0;
        for place in places {
            // A text begins with its presence, a place with a separator unless it is the first one.
            if values.is_empty() && value.is_empty() {
                value.push(PRESENCE);
                value.push(SAME_PLACE);
            }
            for position in next..=place.position {
                if position > 0 {
                    value.push(SEPARATOR);
                }
                if position < place.position {
                    value.push(HOLE);
                }
            }
            if next > place.position && !value.ends_with(SAME_PLACE) {
                value.push(SAME_PLACE);
            }
            next = next.max(place.position + 1);
            push_word(place.word, &mut value);
            length += u32::from(!place.joined);
        }
        if !value.is_empty() {
            values.push(value);
        }
    }
    (values, length)
}

fn push_word(word: &CachedWord, value: &mut String) {
    value.push_str(&word.stem);
    value.push(SAME_PLACE);
    value.push_str(&form_term(&word.form, &word.stem));
    if word.unmarked_number().is_some() {
        value.push(SAME_PLACE);
        value.push_str(&unmarked_form_term(&word.folded, &word.stem));
    }
}

/// The names of the searchable fields with a value.
fn filled(indexed: &IndexedDocument<'_>) -> Vec<&'static str> {
    let texts = indexed.texts.iter().map(|text| text.field);
    let codes = indexed.codes.iter().map(|(field, _)| *field);
    texts.chain(codes).map(FieldId::name).collect()
}

fn put_values(document: &Document, all: &mut Map<String, Value>) {
    // A label that is stated counts before one that is derived, and of several stated ones the last.
    let mut known: BTreeMap<(String, &str), (ValueField<'_>, DocumentValue<'_>)> = BTreeMap::new();
    each_value(document, |of, value| {
        let key = (of.field().to_string(), value.id);
        if value.certain || !known.contains_key(&key) {
            known.insert(key, (of, value));
        }
    });
    let [mut values, mut ids, mut labels, mut carried, mut groups] = [const { BTreeSet::new() }; 5];
    for ((name, _), (of, value)) in &known {
        let flag = if value.certain { STATED } else { DERIVED };
        values.insert(pair(name, &pair(value.id, &pair(flag, value.label))));
        if value.id != value.label {
            ids.insert(pair(name, value.id));
        }
        let label = label_text(value.label);
        labels.insert(pair(name, &label));
        match of.field() {
            FilterField::Attributes(_) => drop(labels.insert(pair(fields::ANY_ATTRIBUTE, &label))),
            FilterField::Features(_) => drop(labels.insert(pair(fields::ANY_FEATURE, &label))),
            _ => {}
        }
        groups.insert(pair(name, of.group()));
        carried.insert(name.clone());
    }
    let numbers = &document.numbers;
    let has_price = |kinds: [PriceKind; 2]| {
        numbers
            .prices
            .keys()
            .any(|field| kinds.contains(&field.kind))
    };
    let of_numbers = [
        (FilterField::InStock, true),
        (
            FilterField::Price,
            has_price([PriceKind::InclTax, PriceKind::ExclTax]),
        ),
        (
            FilterField::Discount,
            has_price([PriceKind::OriginalInclTax, PriceKind::OriginalExclTax]),
        ),
        (FilterField::Rating, numbers.rating.is_some()),
        (FilterField::FeatureNum, numbers.feature_num.is_some()),
    ];
    let of_numbers = of_numbers.into_iter().filter(|(_, carries)| *carries);
    carried.extend(of_numbers.map(|(field, _)| field.to_string()));
    for (name, terms) in [
        (fields::VALUES, values),
        (fields::VALUE_IDS, ids),
        (fields::LABELS, labels),
        (fields::CARRIED, carried),
        (fields::GROUPS, groups),
    ] {
        all.insert(name.to_owned(), json!(terms));
    }
}

fn put_numbers(numbers: &Numbers, all: &mut Map<String, Value>) {
    let factors = FactorValues::of(numbers, false);
    let prices = numbers
        .prices
        .iter()
        .map(|(field, price)| (field.to_string(), json!(price)));
    let prices: Map<String, Value> = prices.collect();
    let sold = numbers.sales_count.map(|sold| sold.max(0.0));
    let currency = numbers
        .currency
        .as_deref()
        .map(|code| first_characters(code, LABEL_CHARACTERS_MAX));
    let mut put = |name: &str, value: Value| {
        if !value.is_null() {
            all.insert(name.to_owned(), value);
        }
    };
    put(fields::ACCESS, json!(access(numbers)));
    put(fields::IN_STOCK, json!(numbers.available()));
    put(fields::HIDDEN_WHEN_OUT, json!(numbers.hidden_when_out()));
    put(fields::CHEAPER, json!(cheaper(numbers)));
    put(fields::SALES, json!(sold.unwrap_or(0.0)));
    put(fields::SOLD, json!(sold));
    put(fields::SALES_LOG, json!(factors.sales_log));
    put(fields::RATING, json!(numbers.rating));
    put(fields::RATING_LOG, json!(factors.rating_log));
    put(fields::RATING_COUNT, json!(numbers.rating_count));
    put(fields::FEATURE_NUM, json!(numbers.feature_num));
    put(fields::ADDED, json!(numbers.date_add.map(|added| added.0)));
    put("price", json!(prices));
    let shown = json!({
        "prices": prices, "currency": currency, "in_stock": numbers.available(), "rating": numbers.rating,
        "rating_count": numbers.rating_count, "sold": sold, "sales_log": factors.sales_log,
        "rating_log": factors.rating_log, "feature_num": numbers.feature_num,
    });
    put(fields::NUMBERS, shown);
}

/// Who may see a document; nobody where it is empty.
fn access(numbers: &Numbers) -> Vec<&str> {
    match numbers.access_groups.as_deref() {
        None | Some([]) => vec![PUBLIC],
        Some(groups) => {
            let groups = groups.iter().map(String::as_str);
            groups
                .filter(|group| ![DocumentAccess::NOBODY, PUBLIC].contains(group))
                .collect()
        }
    }
}

/// The names of the price fields whose former price is higher.
fn cheaper(numbers: &Numbers) -> Vec<String> {
    let below = |field: &PriceField, price: f64| {
        let kind = match field.kind {
            PriceKind::InclTax => PriceKind::OriginalInclTax,
            PriceKind::ExclTax => PriceKind::OriginalExclTax,
            PriceKind::OriginalInclTax | PriceKind::OriginalExclTax => return false,
        };
        let former = PriceField {
            kind,
            ..field.clone()
        };
        numbers
            .prices
            .get(&former)
            .is_some_and(|former| *former > price)
    };
    let all = numbers
        .prices
        .iter()
        .filter(|(field, price)| below(field, **price));
    all.map(|(field, _)| field.to_string()).collect()
}

/// A hash that stays the same in every version: FNV-1a.
fn fingerprint(content: &Map<String, Value>) -> u64 {
    let text = json!(content).to_string();
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |print, byte| {
        (print ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
