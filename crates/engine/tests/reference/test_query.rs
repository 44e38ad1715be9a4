//! Random queries: words with all kinds of typing errors, a relevance configuration, rules, and a request.

use super::rules::rules;
use super::shop::{BRANDS, CATEGORIES, GROUPS};
use super::shopper::shoppers;
use super::synonyms::{Groups, groups};
use super::vocabulary::Vocabulary;
use domain::relevance::field::FieldId;
use domain::relevance::{Boosts, Fuzziness, Percent, ReferenceMode, Relevance, SearchSettings};
use domain::search::{FilterChoice, FilterField, FilterKind, RangeValue, Sort};
use engine::{FacetRequest, Request};
use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use query::rules::PlanRules;
use std::collections::BTreeSet;

/// A query with its configuration and request.
#[derive(Clone, Debug)]
pub struct TestQuery {
    pub text: String,
    /// Synonym groups of the store.
    pub synonyms: Groups,
    pub relevance: Relevance,
    /// The effects of rules of the store.
    pub rules: PlanRules,
    pub request: Request,
}

pub fn test_queries(vocabulary: &Vocabulary) -> impl Strategy<Value = TestQuery> + use<> {
    let parts = (
        texts(vocabulary),
        groups(vocabulary),
        relevances(),
        rules(),
        requests(),
    );
    parts.prop_map(|(text, synonyms, relevance, rules, request)| TestQuery {
        text,
        synonyms,
        relevance,
        rules,
        request,
    })
}

fn texts(vocabulary: &Vocabulary) -> impl Strategy<Value = String> + use<> {
    let words = || (vocabulary.words(), faults()).prop_map(|(word, fault)| fault.of(&word));
    let codes = || (vocabulary.codes(), faults()).prop_map(|(code, fault)| fault.of(code));
    let several = |count| vec(words(), count).prop_map(|words| words.join(" "));
    let known = vec(vocabulary.words(), 2..4).prop_map(|words| words.join(" "));
    let punctuation = select(vec![
        "", "  ", "!?", "- /", "the of", "de la", "&amp;", "...1",
    ]);
    prop_oneof![
        1 => punctuation.prop_map(str::to_owned),
        3 => several(1..2),
        3 => several(2..3),
        4 => several(3..5),
        2 => several(5..9),
        4 => known,
        1 => vec(words(), 2..4).prop_map(|words| words.join("-")),
        3 => codes(),
        1 => vec(codes(), 2..4).prop_map(|codes| codes.join(" ")),
        2 => (vec(codes(), 2..9), select(vec![", ", ",", " ", "  "]))
            .prop_map(|(codes, sign)| codes.join(sign)),
        1 => (codes(), several(1..3)).prop_map(|(code, words)| format!("{words} {code}")),
    ]
}

/// A typing error.
#[derive(Clone, Debug)]
struct Fault {
    kind: u8,
    at: Index,
}

fn faults() -> impl Strategy<Value = Fault> {
    (0..22u8, any::<Index>()).prop_map(|(kind, at)| Fault { kind, at })
}

impl Fault {
    fn of(&self, word: &str) -> String {
        let mut characters: Vec<char> = word.chars().collect();
        let at = self.at.index(characters.len());
        match self.kind {
            0 => drop(characters.remove(at)),
            1 => characters.swap(at, (at + 1) % word.chars().count()),
            2 => characters[at] = 'x',
            3 => characters.insert(at, 'e'),
            4 | 5 => characters.truncate(at + 1),
            8 | 9 => drop(characters.drain(..at)),
            6 => return word.to_uppercase(),
            7 => return word.replace(['-', '.', '/', ' '], ""),
            _ => {}
        }
        characters.into_iter().collect()
    }
}

fn relevances() -> impl Strategy<Value = Relevance> {
    let configured = (boosts(), settings()).prop_map(|(boosts, search_settings)| Relevance {
        boosts,
        search_settings,
    });
    prop_oneof![1 => Just(Relevance::default()), 4 => configured]
}

fn boosts() -> impl Strategy<Value = Boosts> {
    let fields: Vec<FieldId> = FieldId::all().collect();
    let boost = select(vec![0.0, 0.0, 0.5, 1.0, 6.0, 200.0]);
    let most = fields.len();
    let changes = prop_oneof![3 => 0..4usize, 1 => 0..most]
        .prop_flat_map(move |count| vec((select(fields.clone()), boost.clone()), count));
    // The only field that is not searched by default is often searched here.
    let partial = select(vec![0.0, 3.0, 12.0]);
    (changes, partial).prop_map(|(changes, partial)| {
        let all = changes.into_iter();
        let first = Boosts::default().with(FieldId::PARTIAL, partial);
        all.fold(first, |boosts, (field, boost)| boosts.with(field, boost))
    })
}

fn settings() -> impl Strategy<Value = SearchSettings> {
    use Fuzziness::{Auto, None, One, Two};
    use ReferenceMode::{Off, Priority, Strict};
    let percent = || select(vec![0, 30, 50, 67, 75, 100]).prop_map(Percent);
    let typos = (select(vec![Auto, None, One, Two]), 0..3u32);
    let matching = (percent(), percent(), 1..6u32);
    let bonuses = (
        select(vec![0.0, 8.0, 300.0]),
        select(vec![0.0, 20.0, 500.0]),
        select(vec![0.0, 0.0, 3.0, 200.0]),
    );
    let factor = || select(vec![0.0, 0.5, 1.5, 50.0]);
    let factors = (factor(), factor(), factor(), factor(), any::<bool>());
    let cutoff = select(vec![0, 0, 1, 20, 50, 100]);
    let modes = select(vec![Off, Off, Priority, Priority, Strict]);
    let codes = (any::<bool>(), any::<bool>(), modes);
    let all = (typos, matching, bonuses, factors, (codes, cutoff));
    all.prop_map(
        |(typos, matching, bonuses, factors, (codes, score_cutoff))| {
            let (stock_boost, sales_boost, rating_boost, discount_boost, hide_out_of_stock) =
                factors;
            SearchSettings {
                fuzziness: typos.0,
                fuzzy_prefix_length: typos.1,
                min_match_short: matching.0,
                min_match_long: matching.1,
                long_query_threshold: matching.2,
                phrase_boost: bonuses.0,
                exact_ref_boost: bonuses.1,
                cross_fields_boost: bonuses.2,
                stock_boost,
                sales_boost,
                rating_boost,
                discount_boost,
                hide_out_of_stock,
                exact_reference_search: codes.0,
                reference_case_sensitive: codes.1,
                score_cutoff,
                reference_mode: codes.2,
            }
        },
    )
}

fn requests() -> impl Strategy<Value = Request> {
    let sorts = select(vec![
        Sort::Relevance,
        Sort::PriceAsc,
        Sort::PriceDesc,
        Sort::Name,
        Sort::Newest,
        Sort::Sales,
        Sort::Rating,
    ]);
    let sorts = prop_oneof![4 => Just(Sort::Relevance), 1 => sorts];
    // Ids are those of the history; some do not exist.
    let shown = vec((0..61u32).prop_map(|number| format!("p{number}")), 0..20);
    let page = prop_oneof![
        3 => Just((0, 100, Vec::new())),
        1 => (0..5usize, 0..6usize, Just(Vec::new())),
        1 => (0..3usize, 0..6usize, shown),
    ];
    let unnamed = vec(select(vec!["c-1", "c-2", "c-5", "unknown"]), 0..3);
    let unnamed = unnamed.prop_map(|ids| ids.into_iter().map(str::to_owned).collect());
    let facets = (any::<bool>(), weighted(0.4, facet_requests()), unnamed);
    let flags = (facets, any::<bool>());
    (page, sorts, choices(), shoppers(), flags).prop_map(
        |((offset, limit, shown), sort, choices, visitor, (facets, explain))| {
            let (facets, wishes, unnamed_categories): (
                bool,
                Option<Vec<FacetRequest>>,
                Vec<String>,
            ) = facets;
            Request {
                offset,
                shown,
                limit,
                sort,
                visitor,
                choices,
                facets,
                wishes: wishes.map(Into::into),
                explain,
                bare: false,
                unnamed_categories: unnamed_categories.into(),
            }
        },
    )
}

/// Requested facets, some with groups of values.
fn facet_requests() -> impl Strategy<Value = Vec<FacetRequest>> {
    let brands = ["b-1", "b-2", "b-3", "Red", "Café Ñandú", "unknown"];
    let categories = ["c-1", "c-2", "c-3", "Red tents", "Fish", "unknown"];
    let tags = ["tent", "red", "A4", "unknown", "Tent", "Red"];
    let of = |field: FilterField, texts: [&'static str; 6]| {
        let group = vec(select(texts.map(str::to_owned).to_vec()), 1..4);
        (vec(group, 0..4), any::<bool>()).prop_map(move |(groups, empty)| FacetRequest {
            field: field.clone(),
            groups,
            empty,
        })
    };
    let without = select(vec![
        FilterField::Price,
        FilterField::Rating,
        FilterField::FeatureNum,
        FilterField::InStock,
        FilterField::Discount,
        FilterField::Supplier,
    ]);
    let without = without.prop_map(|field| FacetRequest {
        field,
        groups: Vec::new(),
        empty: false,
    });
    let one = prop_oneof![
        of(FilterField::Manufacturer, brands),
        of(FilterField::Categories, categories),
        of(FilterField::Tags, tags),
        without,
    ];
    vec(one, 0..6).prop_map(|mut wishes| {
        let mut fields = BTreeSet::new();
        wishes.retain(|wish: &FacetRequest| fields.insert(wish.field.clone()));
        wishes
    })
}

/// At most one filter per field; most queries have none or one.
pub fn choices() -> impl Strategy<Value = Vec<FilterChoice>> {
    let end = || weighted(0.7, select(vec![0.0, 4.5, 5.0, 10.0, 12.0]));
    let number = select(vec![
        FilterField::Price,
        FilterField::Price,
        FilterField::Rating,
        FilterField::FeatureNum,
    ]);
    let range = (number, end(), end())
        .prop_map(|(field, min, max)| FilterChoice::Range(field, RangeValue { min, max }));
    let brands = BRANDS.iter().flat_map(|(id, name)| id.iter().chain([name]));
    let brands = brands.map(|text| (*text).to_owned());
    let categories = CATEGORIES.iter().flat_map(|(id, name)| [*id, *name]);
    let categories = categories.map(str::to_owned);
    let texts = |texts: [&str; 3]| texts.map(str::to_owned).to_vec();
    let states = texts(["true", "false", "true"]);
    let groups = (
        0..GROUPS,
        any::<bool>(),
        vec(select(texts(["1", "value 1", "tent"])), 1..3),
    );
    let groups = groups.prop_map(|(group, attribute, values)| {
        let name = match group % 2 {
            0 => group.to_string(),
            _ => format!("Group {group}"),
        };
        let field = match attribute {
            true => FilterField::Attributes(name),
            false => FilterField::Features(name),
        };
        FilterChoice::Any(field, values)
    });
    let one = prop_oneof![
        4 => range,
        2 => any_of(FilterField::Manufacturer, brands.collect()),
        2 => any_of(FilterField::Categories, categories.collect()),
        2 => any_of(FilterField::InStock, states.clone()),
        2 => any_of(FilterField::Discount, states),
        1 => any_of(FilterField::Tags, texts(["tent", "red", "A4"])),
        1 => any_of(FilterField::Supplier, texts(["tent", "red", "A4"])),
        3 => groups,
    ];
    let several = vec(one, 0..4).prop_map(|mut choices| {
        let mut fields = BTreeSet::new();
        choices.retain(|choice| fields.insert(choice.field().clone()));
        choices
    });
    prop_oneof![1 => Just(Vec::new()), 1 => several]
}

/// Some of `values`, sometimes with one that no document has.
fn any_of(field: FilterField, mut values: Vec<String>) -> impl Strategy<Value = FilterChoice> {
    if field.kind() == FilterKind::Values {
        values.push("unknown".to_owned());
    }
    vec(select(values), 1..3).prop_map(move |values| FilterChoice::Any(field.clone(), values))
}
