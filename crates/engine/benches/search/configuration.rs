//! The cost of synonyms and rules for a query of three words, when none and when some of them are triggered.

use crate::Outcome;
use crate::measure::{Times, time};
use crate::queries::{BenchQuery, queries};
use crate::shop::Shop;
use domain::document::DocType;
use domain::form::{Label, ProductIds};
use domain::rule::{
    Actions, BoostEntry, MatchKind, Rule, RuleContent, RuleType, TermField, Trigger,
};
use domain::search::FilterField;
use domain::{Language, Relevance, Timestamp, TriggerAlternatives};
use engine::{EngineError, Request, Snapshot};
use query::synonyms::SynonymTerms;
use query::{MistypedWords, Plan, RuleSet, SynonymSet, UserQuery};

const GROUPS: usize = 5_000;
const RULES: usize = 1_000;
const ROUNDS: usize = 9;

/// A configuration to measure.
struct Configured {
    name: &'static str,
    synonyms: SynonymSet,
    rules: RuleSet,
}

/// Prints the time under every configuration, and the median ratio to no configuration by query.
pub fn table(shop: &Shop) -> Outcome<()> {
    let queries = queries(shop, 3, false);
    let none = || (SynonymSet::default(), RuleSet::new([], &shop.analyser));
    let configured = [
        ("5,000 groups, none fires", synonyms(shop, &[]), none().1),
        ("two of them fire", synonyms(shop, &queries), none().1),
        ("1,000 rules, none fires", none().0, rules(shop, Vec::new())),
        ("three of them fire", none().0, rules(shop, firing(shop))),
        ("a boost alone", none().0, rules(shop, vec![boosting(shop)])),
        (
            "hidden products alone",
            none().0,
            rules(shop, vec![hiding()]),
        ),
        ("pins alone", none().0, rules(shop, vec![pinning()])),
    ];
    let plain = none();
    let plain = Configured {
        name: "",
        synonyms: plain.0,
        rules: plain.1,
    };
    println!("{:<26}{:>9}{:>9}{:>8}", "3 words", "µs", "without", "ratio");
    for (name, synonyms, rules) in configured {
        let configured = Configured {
            name,
            synonyms,
            rules,
        };
        compare(shop, &queries, &plain, &configured)?;
    }
    Ok(())
}

fn compare(
    shop: &Shop,
    queries: &[BenchQuery],
    plain: &Configured,
    configured: &Configured,
) -> Outcome<()> {
    let snapshot = shop.index.snapshot();
    let (mut ratios, mut with, mut without) =
        (Times::default(), Times::default(), Times::default());
    for query in queries {
        let (mut own, mut other) = (Times::default(), Times::default());
        for _ in 0..ROUNDS {
            for (configuration, times) in [(configured, &mut own), (plain, &mut other)] {
                let asked = || ask(shop, snapshot.as_ref(), &query.text, configuration);
                let (answer, took) = time(asked);
                answer?;
                times.add(took);
            }
        }
        ratios.add(own.median() / other.median());
        with.add(own.median());
        without.add(other.median());
    }
    println!(
        "{:<26}{:>9.0}{:>9.0}{:>8.3}",
        configured.name,
        with.median(),
        without.median(),
        ratios.median()
    );
    Ok(())
}

fn ask(
    shop: &Shop,
    snapshot: &dyn Snapshot,
    text: &str,
    configured: &Configured,
) -> Result<u64, EngineError> {
    let relevance = Relevance::default();
    let query = UserQuery::new(text, &shop.analyser, &relevance.search_settings).with_synonyms(
        &configured.synonyms,
        &shop.analyser,
        &MistypedWords::default(),
    );
    let effects = (configured.rules).effects(
        text,
        &shop.analyser,
        &MistypedWords::default(),
        Timestamp(0),
    );
    let plan = Plan::new(&query, &relevance, DocType::Products).with_rules(effects.plan(true));
    let request = Request {
        limit: 10,
        ..Request::default()
    };
    snapshot.search(&plan, &request).map(|found| found.total)
}

/// Groups of which each of the first two words of every query triggers one, which adds a word and a phrase; no query
/// triggers the others.
fn synonyms(shop: &Shop, queries: &[BenchQuery]) -> SynonymSet {
    let words: Vec<&str> = queries
        .iter()
        .flat_map(|query| query.text.split_whitespace().take(2))
        .collect();
    let mut groups: Vec<Vec<String>> = Vec::with_capacity(GROUPS);
    for (at, word) in words.iter().enumerate() {
        let other = (at / 2 * 2 + 2) % words.len();
        let phrase = format!("{} {}", words[other], words[other + 1]);
        if !words[..at].contains(word) {
            groups.push(vec![(*word).to_owned(), words[other].to_owned(), phrase]);
        }
    }
    for at in groups.len()..GROUPS {
        groups.push(vec![format!("q{at}x y{at}z"), format!("w{at}v")]);
    }
    let groups = groups.iter().map(|terms| SynonymTerms {
        id: "group",
        input: Some(&terms[0]),
        terms: &terms[1..],
        alternatives: TriggerAlternatives::default(),
    });
    SynonymSet::new(groups, &shop.analyser)
}

/// As many rules as a store may have, of every kind of trigger, of which only `firing` are triggered.
fn rules(shop: &Shop, firing: Vec<Rule>) -> RuleSet {
    let others = (firing.len()..RULES).map(|at| {
        let (kind, query) = match at % 4 {
            0 => (MatchKind::Exact, format!("question {at}")),
            1 => (MatchKind::Contains, format!("part{at} of")),
            2 => (MatchKind::StartsWith, format!("start{at} of")),
            _ => (MatchKind::Regex, format!("^(no|never) {at}[a-z]+ \\d+$")),
        };
        rule(
            at,
            kind,
            &query,
            Actions::Hide(product_ids(vec![at.to_string()])),
        )
    });
    RuleSet::new(firing.into_iter().chain(others), &shop.analyser)
}

/// A boost, a rule that hides and one that pins, for every query.
fn firing(shop: &Shop) -> Vec<Rule> {
    vec![boosting(shop), hiding(), pinning()]
}

fn boosting(shop: &Shop) -> Rule {
    let brand = shop.names[0].split(' ').next().unwrap_or_default();
    let entry = BoostEntry::Term {
        field: TermField::Of(FilterField::Manufacturer),
        value: brand.to_owned(),
        weight: 3.0,
    };
    every(0, Actions::Boost(vec![entry]))
}

fn hiding() -> Rule {
    every(1, Actions::Hide(ids(1)))
}

fn pinning() -> Rule {
    every(2, Actions::Pin(ids(4)))
}

fn every(at: usize, actions: Actions) -> Rule {
    rule(at, MatchKind::Contains, "", actions)
}

/// Three products from all over the catalogue.
fn ids(from: usize) -> ProductIds {
    let ids = (from..from + 3).map(|at| (at * 7_919).to_string());
    product_ids(ids.collect())
}

fn product_ids(ids: Vec<String>) -> ProductIds {
    ProductIds::parse("ids", ids).expect("ids")
}

fn rule(at: usize, kind: MatchKind, query: &str, actions: Actions) -> Rule {
    Rule {
        id: format!("rule {at}").into(),
        content: RuleContent {
            name: Label::parse(format!("rule {at}")).expect("a label"),
            language: Language::spanish(),
            kind: match &actions {
                Actions::Boost(_) => RuleType::Boost,
                Actions::Pin(_) => RuleType::Pin,
                _ => RuleType::Hide,
            },
            trigger: Trigger {
                query: query.to_owned(),
                kind,
                alternatives: TriggerAlternatives::default(),
            },
            actions,
            priority: 0,
            active: true,
            start_date: None,
            end_date: None,
            time_zone: None,
        },
        created_at: Timestamp(0),
        updated_at: Timestamp(0),
    }
}
