//! Queries from names, executed in both indexes in turn, so that noise affects both.

use crate::Outcome;
use crate::arguments::Arguments;
use crate::catalogue::Dice;
use crate::measure::{Times, passed_and_computed, time};
use crate::shop::{Shop, stems};
use domain::Relevance;
use domain::document::DocType;
use engine::{EngineError, Request, Snapshot};
use query::{Plan, UserQuery};

/// Number of queries of one kind.
const QUERIES: usize = 200;
const ROUNDS: usize = 5;

/// A query, with the words that the yardstick searches for.
pub struct BenchQuery {
    /// The text as typed.
    pub text: String,
    raw: Vec<String>,
}

/// A kind of query.
struct Kind {
    name: &'static str,
    words: usize,
    typo: bool,
    facets: bool,
}

const fn kind(name: &'static str, words: usize, typo: bool, facets: bool) -> Kind {
    Kind {
        name,
        words,
        typo,
        facets,
    }
}

const KINDS: [Kind; 6] = [
    kind("1 word", 1, false, false),
    kind("3 words", 3, false, false),
    kind("7 words", 7, false, false),
    kind("1 word, typo", 1, true, false),
    kind("3 words, typo", 3, true, false),
    kind("3 words, facets", 3, false, true),
];

/// Prints a row for every kind of query.
pub fn table(shop: &Shop, arguments: &Arguments) -> Outcome<()> {
    println!(
        "{:<18}{:>9}{:>9}{:>9}{:>9}{:>9}{:>8}{:>8}{:>8}",
        "query", "ours", "p95", "mean", "raw", "mean", "ratio", "of mean", "found"
    );
    for kind in KINDS.iter().filter(|kind| arguments.wants(kind.name)) {
        let queries = queries(shop, kind.words, kind.typo);
        compare(shop, kind.name, &queries, kind.facets)?;
    }
    Ok(())
}

/// Queries of `words` adjacent words of names, the last of them misspelt if `typo`.
pub fn queries(shop: &Shop, words: usize, typo: bool) -> Vec<BenchQuery> {
    let mut dice = Dice::new(words as u64);
    let mut queries = Vec::with_capacity(QUERIES);
    while queries.len() < QUERIES {
        let name = &shop.names[dice.below(shop.names.len() as u32) as usize];
        let mut chosen: Vec<String> = name.split_whitespace().map(str::to_owned).collect();
        let surplus = chosen.len().checked_sub(words);
        let Some(surplus) = surplus else { continue };
        chosen = chosen.split_off(dice.below(surplus as u32 + 1) as usize);
        chosen.truncate(words);
        let raw = stems(&chosen.join(" "), &shop.analyser);
        if let Some(last) = chosen.last_mut().filter(|_| typo) {
            let letters: Vec<usize> = last.char_indices().map(|(at, _)| at).collect();
            if letters.len() < 4 {
                continue;
            }
            last.insert(
                letters[2 + dice.below(letters.len() as u32 - 2) as usize],
                'w',
            );
        }
        queries.push(BenchQuery {
            text: chosen.join(" "),
            raw,
        });
    }
    queries
}

fn compare(shop: &Shop, kind: &str, queries: &[BenchQuery], facets: bool) -> Outcome<()> {
    let snapshot = shop.index.snapshot();
    let request = Request {
        limit: 10,
        facets,
        ..Request::default()
    };
    let (mut ours, mut raws, mut ratios) = (Times::default(), Times::default(), Times::default());
    let mut passing = Times::default();
    let mut found = 0;
    for query in queries {
        let raw = shop.raw.query(&query.raw);
        let (mut own, mut other) = (Times::default(), Times::default());
        for _ in 0..ROUNDS {
            let asked = || ask(shop, snapshot.as_ref(), &query.text, &request);
            let (answer, [passed, computed]) = passed_and_computed(asked);
            found += answer?;
            own.add(computed);
            passing.add(passed);
            let (answer, took) = time(|| shop.raw.search(&raw));
            answer?;
            other.add(took);
        }
        ratios.add(own.median() / other.median());
        ours.add(own.median());
        raws.add(other.median());
    }
    println!(
        "{kind:<18}{:>9.0}{:>9.0}{:>9.0}{:>9.1}{:>9.1}{:>8.1}{:>8.1}{:>8}",
        ours.median(),
        ours.quantile(0.95),
        ours.mean(),
        raws.median(),
        raws.mean(),
        ratios.median(),
        ours.mean() / raws.mean(),
        found / (queries.len() * ROUNDS) as u64,
    );
    if facets {
        // Counting runs in parallel on idle cores, so that wall time is less than processor time.
        println!(
            "{:<18}{:>9.0}{:>9.0}{:>9.0}",
            "  as it passes",
            passing.median(),
            passing.quantile(0.95),
            passing.mean()
        );
    }
    Ok(())
}

/// The median time of the yardstick for queries of three words.
pub fn yardstick(shop: &Shop) -> Outcome<f64> {
    let mut times = Times::default();
    for query in queries(shop, 3, false) {
        let raw = shop.raw.query(&query.raw);
        let mut own = Times::default();
        for _ in 0..ROUNDS {
            let (answer, took) = time(|| shop.raw.search(&raw));
            answer?;
            own.add(took);
        }
        times.add(own.median());
    }
    Ok(times.median())
}

/// Number of documents found under the default configuration, including analysis and planning.
pub fn ask(
    shop: &Shop,
    snapshot: &dyn Snapshot,
    text: &str,
    request: &Request,
) -> Result<u64, EngineError> {
    let relevance = Relevance::default();
    let query = UserQuery::new(text, &shop.analyser, &relevance.search_settings);
    let plan = Plan::new(&query, &relevance, DocType::Products);
    snapshot.search(&plan, request).map(|found| found.total)
}
