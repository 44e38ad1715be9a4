//! The requests of some plans as files, so that a change of a request is seen without a node. `FINDWELL_WRITE=1` writes them.
//!
//! 1. The query of a plan, and its sort keys, are those of the file.
//! 2. A query with many misspelled words has no more clauses than a cluster must allow.

use super::prices::VisitorPrices;
use super::queries::visible;
use super::ranking::RankingQuery;
use super::startup::CLAUSES;
use super::tiers;
use domain::Language;
use domain::document::DocType;
use domain::relevance::field::FieldId;
use domain::relevance::{ReferenceMode, Relevance};
use domain::rule::{BoostEntry, Modifier, NumericField};
use domain::visitor::Visitor;
use query::meaning::Meaning;
use query::meaning::code_order::CodeOrder;
use query::meaning::lookups::{
    CountedTerm, DocumentSet, FuzzyLookup, LookupBatch, LookupResults, Lookups,
};
use query::rules::{BoostRule, PlanRules};
use query::{Analyser, Clauses, Plan, UserQuery};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::path::PathBuf;

/// Documents of the invented index, and those that contain a word of the query.
const DOCUMENTS: u64 = 1_000;
const WITH_WORD: u64 = 20;

/// An index in which words are as often as it says, with as many fuzzy terms.
struct InventedIndex {
    with_word: u64,
    fuzzy: usize,
}

impl Lookups for InventedIndex {
    type Error = Infallible;

    fn look_up(&mut self, batch: &LookupBatch) -> Result<LookupResults, Infallible> {
        let counts = batch.counts.iter().map(|set| match set {
            DocumentSet::All => DOCUMENTS,
            DocumentSet::Word(_) => self.with_word,
            _ => 0,
        });
        let fuzzy = batch.fuzzy.iter().map(|lookup| {
            let count = match lookup {
                FuzzyLookup::Word(_) => self.fuzzy,
                FuzzyLookup::Code(..) => 0,
            };
            let terms = (0..count).map(|number| CountedTerm {
                term: format!("near{number}").into(),
                distance: 1,
                documents: 1,
            });
            terms.collect()
        });
        Ok(LookupResults {
            counts: counts.collect(),
            fuzzy: fuzzy.collect(),
            ..LookupResults::default()
        })
    }
}

/// The query and the sort key of the rank.
fn request(text: &str, index: &mut InventedIndex, order: CodeOrder, rules: PlanRules) -> Value {
    let analyser = Analyser::new(&Language::parse("en").expect("a language"));
    let mut relevance = Relevance::default();
    relevance.search_settings.reference_mode = ReferenceMode::Priority;
    let query = UserQuery::new(text, &analyser, &relevance.search_settings);
    let plan = Plan::new(&query, &relevance, DocType::Products).with_rules(rules);
    let Ok(meaning) = Meaning::of(&plan, &analyser, index);
    let clauses = Clauses::of(&plan, &meaning);
    let prices = VisitorPrices::new(&Visitor::default());
    // Few fields, so that people read the files.
    let filled = ["name", "name.autocomplete", "description", "reference"];
    let filled = filled.map(|name| FieldId::named(name).expect("a field"));
    let ranking = RankingQuery {
        plan: &plan,
        meaning: &meaning,
        clauses: &clauses,
        order,
        prices: &prices,
        filled: &filled,
        named: false,
    };
    let filters = [visible(&Visitor::default())];
    json!({
        "query": ranking.query(&filters, &plan.rules.pins),
        "rank": tiers::rank(&ranking),
    })
}

fn compare(name: &str, request: &Value) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/opensearch/snapshots");
    let path = folder.join(format!("{name}.json"));
    let mut text = serde_json::to_string_pretty(request).expect("JSON");
    text.push('\n');
    if std::env::var_os("FINDWELL_WRITE").is_some() {
        std::fs::write(&path, &text).expect("written");
    }
    let expected = std::fs::read_to_string(&path).expect("a snapshot");
    assert!(
        text == expected,
        "{name} differs; FINDWELL_WRITE=1 writes it"
    );
}

fn existing_words() -> InventedIndex {
    InventedIndex {
        with_word: WITH_WORD,
        fuzzy: 0,
    }
}

#[test]
fn two_words_match_texts_and_earn_bonuses() {
    let request = request(
        "red tent",
        &mut existing_words(),
        CodeOrder::None,
        PlanRules::default(),
    );
    compare("two_words", &request);
}

#[test]
fn an_empty_query_finds_everything() {
    let request = request(
        "",
        &mut existing_words(),
        CodeOrder::None,
        PlanRules::default(),
    );
    compare("empty", &request);
}

#[test]
fn a_code_orders_by_tiers() {
    let order = CodeOrder::Tiers { only: false };
    let request = request(
        "KT-1200",
        &mut existing_words(),
        order,
        PlanRules::default(),
    );
    compare("code", &request);
}

#[test]
fn rules_pin_and_multiply() {
    let entry = BoostEntry::Value {
        field: NumericField::SalesCount,
        factor: 1.0,
        modifier: Modifier::Log1p,
        missing: None,
    };
    let rules = PlanRules {
        pins: vec!["p1".to_owned(), "p2".to_owned()],
        boosts: vec![BoostRule {
            rule: "rule".into(),
            entries: vec![entry].into(),
        }],
        ..PlanRules::default()
    };
    let request = request("", &mut existing_words(), CodeOrder::None, rules);
    compare("rules", &request);
}

#[test]
fn misspelled_words_stay_within_the_clauses() {
    let mut index = InventedIndex {
        with_word: 0,
        fuzzy: 50,
    };
    let words =
        "backpack lantern camping kettle blanket sleeping compass thermos hammock binoculars";
    let request = request(words, &mut index, CodeOrder::None, PlanRules::default());
    let text = request["query"].to_string();
    let clauses = text.matches("\"term\":").count() + text.matches("\"terms\":").count();
    assert!(clauses <= CLAUSES as usize, "{clauses}");
    assert!(text.contains("near0"), "the nearest are kept");
}
