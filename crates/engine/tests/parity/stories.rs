//! What besides the configuration decides what is found: rules, synonyms, filters, orders and visitors.

use super::catalogue::{Catalogue, GROUP};
use super::pair::PAGE;
use domain::TriggerAlternatives;
use domain::document::Document;
use domain::rule::{BoostEntry, Modifier, NumericField, TermField};
use domain::search::{FilterChoice, FilterField, FilterValue, Sort};
use domain::visitor::{DocumentAccess, Visitor};
use engine::Request;
use query::rules::{BoostRule, PlanRules};
use query::synonyms::SynonymTerms;
use query::{Analyser, SynonymSet};
use std::sync::Arc;

/// Products that a rule hides, and such that it pins.
const HIDDEN: usize = 20;
const PINNED: usize = 3;
/// Groups of synonyms.
const GROUPS: usize = 100;

/// Everything but query and relevance.
#[derive(Default)]
pub struct Story {
    pub name: &'static str,
    /// Whether no facets are counted.
    pub without_facets: bool,
    pub rules: PlanRules,
    pub synonyms: SynonymSet,
    pub request: Request,
}

/// Returns the stories of a catalogue.
pub fn all(catalogue: &Catalogue, analyser: &Analyser) -> Vec<Story> {
    let of = |name, request| Story {
        name,
        request,
        ..Story::default()
    };
    let mut all = vec![
        Story {
            name: "rules",
            rules: rules(&catalogue.documents),
            ..Story::default()
        },
        Story {
            name: "synonyms",
            synonyms: synonyms(&catalogue.documents, analyser),
            ..Story::default()
        },
        of("a visitor without a group", visited_by(&[])),
        of("a visitor of the group", visited_by(&[GROUP])),
        of("filters", filtered(&catalogue.documents)),
        of(
            "the second page",
            Request {
                offset: PAGE,
                ..Request::default()
            },
        ),
    ];
    for (name, sort) in [("by price", Sort::PriceAsc), ("by name", Sort::Name)] {
        let request = Request {
            sort,
            ..Request::default()
        };
        all.push(of(name, request));
    }
    all
}

/// Documents from all parts of a catalogue.
fn some(documents: &[Arc<Document>], count: usize) -> impl Iterator<Item = &Document> {
    let step = (documents.len() / count).max(1);
    documents.iter().step_by(step).take(count).map(Arc::as_ref)
}

fn rules(documents: &[Arc<Document>]) -> PlanRules {
    let ids = |count| some(documents, count).map(|document| document.id.clone());
    let hidden: Vec<String> = ids(HIDDEN).collect();
    let mut pins: Vec<String> = ids(HIDDEN + PINNED).collect();
    pins.retain(|id| !hidden.contains(id));
    pins.truncate(PINNED);
    let range = BoostEntry::Range {
        field: NumericField::Price,
        min: Some(10.0),
        max: Some(100.0),
        weight: 3.0,
    };
    let sales = BoostEntry::Value {
        field: NumericField::SalesCount,
        factor: 0.7,
        modifier: Modifier::Log1p,
        missing: Some(1.0),
    };
    let brand = BoostEntry::Term {
        field: TermField::Of(FilterField::Manufacturer),
        value: brand(documents),
        weight: 5.0,
    };
    let boosts = [vec![range, sales], vec![brand]];
    let boosts = boosts.into_iter().zip(["first", "second"]);
    PlanRules {
        hidden,
        filters: Vec::new(),
        boosts: boosts
            .map(|(entries, rule)| BoostRule {
                rule: rule.into(),
                entries: entries.into(),
            })
            .collect(),
        pins,
    }
}

/// Returns the brand of the first product that has one.
fn brand(documents: &[Arc<Document>]) -> String {
    let mut brands = documents.iter().map(|own| &own.texts.manufacturer);
    let some = brands.find(|brand| !brand.is_empty());
    some.cloned().unwrap_or_default()
}

/// Returns groups of neighbouring words of names, of which every second one goes one way.
fn synonyms(documents: &[Arc<Document>], analyser: &Analyser) -> SynonymSet {
    let groups: Vec<(bool, Vec<String>)> = some(documents, GROUPS)
        .enumerate()
        .filter_map(|(at, document)| {
            let words: Vec<&str> = document.texts.name.split_whitespace().collect();
            let (first, rest) = words.split_first()?;
            let second = rest.iter().take(1 + at % 2).copied();
            let second = second.collect::<Vec<_>>().join(" ");
            let terms = vec![(*first).to_owned(), second];
            (!rest.is_empty()).then_some((at % 2 == 0, terms))
        })
        .collect();
    let terms = groups.iter().map(|(is_one_way, terms)| SynonymTerms {
        id: "group",
        input: is_one_way.then_some(terms[0].as_str()),
        terms: &terms[usize::from(*is_one_way)..],
        alternatives: TriggerAlternatives::default(),
    });
    SynonymSet::new(terms, analyser)
}

fn visited_by(groups: &[&str]) -> Request {
    let groups = groups.iter().map(|group| (*group).to_owned()).collect();
    Request {
        visitor: Arc::new(Visitor {
            access: DocumentAccess::Groups(groups),
            ..Visitor::default()
        }),
        ..Request::default()
    }
}

fn filtered(documents: &[Arc<Document>]) -> Request {
    let any = |field, value: String| FilterChoice::new(field, FilterValue::Any(vec![value]));
    let choices = [
        any(FilterField::InStock, "true".to_owned()),
        any(FilterField::Manufacturer, brand(documents)),
    ];
    Request {
        choices: choices.into_iter().filter_map(Result::ok).collect(),
        ..Request::default()
    }
}
