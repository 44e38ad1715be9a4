//! Compares the embedded engine with the one on OpenSearch on catalogues in files, and measures what both cost.
//!
//!     parity --language en FILE.ndjson[.gz] [--queries FILE.tsv] [--sample N] [--copies N]
//!
//! Totals, facets and tiers have to be equal, scores within 1e-5, and the first ten the same, but for neighbours that are
//! closer than that. Each exception is printed with its cause; one without a known cause fails.

mod catalogue;
mod compare;
mod costs;
#[path = "../../tests/node/address.rs"]
mod node_address;

use catalogue::{documents, queries};
use compare::{Cause, differences};
use costs::{Costs, cpu};
use domain::document::{DocType, Document};
use domain::relevance::field::FieldId;
use domain::relevance::{Fuzziness, ReferenceMode, Relevance};
use domain::{IndexId, Language};
use engine::{
    Batch, ClusterAccess, DocumentChange, EmbeddedEngine, Engine, Index, IndexSpec,
    OpenSearchEngine, Request, SearchResult,
};
use query::{Analyser, MistypedWords, Plan, SynonymSet, UserQuery};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Documents of a batch.
const BATCH: usize = 4_000;
/// Exceptions that are printed.
const PRINTED_MAX: usize = 40;
/// How long a search may take here.
const PATIENCE: Duration = Duration::from_secs(60);

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

struct Options {
    language: Language,
    file: PathBuf,
    queries: Option<PathBuf>,
    sample: usize,
    copies: usize,
}

fn language(text: &str) -> Outcome<Language> {
    Language::parse(text).map_err(|_| format!("{text} is no language").into())
}

fn options() -> Outcome<Options> {
    let mut options = Options {
        language: language("en")?,
        file: PathBuf::new(),
        queries: None,
        sample: 300,
        copies: 1,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or("an option without its value");
        match argument.as_str() {
            "--language" => options.language = language(&value()?)?,
            "--queries" => options.queries = Some(value()?.into()),
            "--sample" => options.sample = value()?.parse()?,
            "--copies" => options.copies = value()?.parse()?,
            file => options.file = file.into(),
        }
    }
    match options.file.as_os_str().is_empty() {
        true => Err("name a file of products".into()),
        false => Ok(options),
    }
}

/// The configurations that are compared, by name.
fn configurations() -> Vec<(&'static str, Relevance)> {
    let with = |change: fn(&mut Relevance)| {
        let mut relevance = Relevance::default();
        change(&mut relevance);
        relevance
    };
    vec![
        ("default", Relevance::default()),
        (
            "fuzziness 2",
            with(|own| own.search_settings.fuzziness = Fuzziness::Two),
        ),
        (
            "no typos",
            with(|own| own.search_settings.fuzziness = Fuzziness::None),
        ),
        (
            "one field",
            with(|own| own.search_settings.cross_fields_boost = 0.0),
        ),
        (
            "cutoff 50",
            with(|own| own.search_settings.score_cutoff = 50),
        ),
        (
            "codes first",
            with(|own| own.search_settings.reference_mode = ReferenceMode::Priority),
        ),
        (
            "factors",
            with(|own| {
                own.search_settings.stock_boost = 2.0;
                own.search_settings.sales_boost = 1.0;
                own.search_settings.rating_boost = 1.0;
            }),
        ),
        (
            "description 200",
            with(|own| {
                let field = FieldId::named("description").expect("a field");
                own.boosts = own.boosts.clone().with(field, 200.0);
            }),
        ),
        (
            "name 0",
            with(|own| own.boosts = own.boosts.clone().with(FieldId::NAME, 0.0)),
        ),
    ]
}

/// Writes the documents; returns what they cost, and how long one changed document takes.
fn fill(index: &dyn Index, documents: &[Arc<Document>]) -> Outcome<(Costs, Duration)> {
    let before = cpu()?;
    let change = |at: usize| DocumentChange {
        ordinal: at as u32,
        document: Some(Document::clone(&documents[at])),
        texts_changed: true,
    };
    let mut watermark = 0;
    for first in (0..documents.len()).step_by(BATCH) {
        let last = documents.len().min(first + BATCH);
        watermark = last as i64;
        let changes = (first..last).map(change).collect();
        let batch = Batch { changes, watermark };
        rejected_none(index.apply(batch)?.rejected.len())?;
    }
    let costs = cpu()?.since(before);
    let took = costs::took(|| {
        let batch = Batch {
            changes: vec![change(0)],
            watermark: watermark + 1,
        };
        rejected_none(index.apply(batch)?.rejected.len())
    });
    Ok((costs, took?))
}

fn rejected_none(rejected: usize) -> Outcome<()> {
    match rejected {
        0 => Ok(()),
        some => Err(format!("{some} documents were rejected").into()),
    }
}

fn search(index: &dyn Index, plan: &Plan, explain: bool) -> Outcome<SearchResult> {
    let request = Request {
        limit: 24,
        facets: true,
        explain,
        ..Request::default()
    };
    Ok(index.snapshot().search(plan, &request)?)
}

fn plan(text: &str, relevance: &Relevance, analyser: &Analyser) -> Plan {
    let query = UserQuery::new(text, analyser, &relevance.search_settings).with_synonyms(
        &SynonymSet::default(),
        analyser,
        &MistypedWords::default(),
    );
    Plan::new(&query, relevance, DocType::Products)
}

/// Searches with both engines; returns the number of exceptions without a known cause.
fn compare_all(
    [embedded, cluster]: [&dyn Index; 2],
    queries: &[String],
    analyser: &Analyser,
) -> Outcome<usize> {
    let (mut printed, mut unknown, mut near) = (0, 0, 0);
    for (name, relevance) in configurations() {
        for (at, text) in queries.iter().enumerate() {
            let plan = plan(text, &relevance, analyser);
            let explain = at % 5 == 0;
            let own = search(embedded, &plan, explain)?;
            let other = search(cluster, &plan, explain)?;
            for (cause, what) in differences(&own, &other) {
                match cause {
                    Cause::Near => near += 1,
                    Cause::Unknown => unknown += 1,
                }
                if cause == Cause::Unknown && printed < PRINTED_MAX {
                    printed += 1;
                    println!("{name}: {text:?}: {what} ({cause})");
                }
            }
        }
    }
    println!(
        "{} queries in {} configurations: {near} neighbours closer than 1e-5 in another order, {unknown} other exceptions",
        queries.len(),
        configurations().len()
    );
    Ok(unknown)
}

fn measure(name: &str, index: &dyn Index, queries: &[String], analyser: &Analyser) -> Outcome<()> {
    let relevance = Relevance::default();
    let plans: Vec<Plan> = queries
        .iter()
        .map(|text| plan(text, &relevance, analyser))
        .collect();
    // Once before it counts: caches and compilers are warm in a shop.
    for plan in &plans {
        search(index, plan, false)?;
    }
    let before = cpu()?;
    let took = costs::took(|| {
        plans
            .iter()
            .try_for_each(|plan| search(index, plan, false).map(drop))
    })?;
    let costs = cpu()?.since(before);
    let per = |all: Duration| all.as_secs_f64() * 1e3 / plans.len() as f64;
    println!(
        "{name}: a search with facets takes {:.2} ms, CPU {:.2} ms here and {:.2} ms in the node",
        per(took),
        per(costs.own),
        per(costs.node)
    );
    Ok(())
}

fn spec(language: &Language) -> IndexSpec {
    IndexSpec {
        id: IndexId(1),
        identity: "parity".to_owned(),
        doc_type: DocType::Products,
        language: language.clone(),
        partial: false,
    }
}

fn cluster() -> Outcome<OpenSearchEngine> {
    let access = ClusterAccess {
        hosts: vec![node_address::address().ok_or("no node runs: cargo xtask nodes up")?],
        credentials: None,
        authorities: None,
        prefix: "parity".to_owned(),
        patience: PATIENCE,
    };
    Ok(OpenSearchEngine::new(&access)?)
}

fn compare_engines(options: &Options, folder: &Path) -> Outcome<usize> {
    let documents = documents(&options.file, options.copies)?;
    let queries = queries(&documents, options.queries.as_deref(), options.sample)?;
    let (spec, analyser) = (spec(&options.language), Analyser::new(&options.language));
    let engines: [(&str, Box<dyn Engine>); 2] = [
        ("embedded", Box::new(EmbeddedEngine::new(folder.to_owned()))),
        ("opensearch", Box::new(cluster()?)),
    ];
    let mut indexes = Vec::new();
    for (name, engine) in &engines {
        let index = engine.renew(&spec)?;
        let (costs, lag) = fill(index.as_ref(), &documents)?;
        let per = |all: Duration| all.as_secs_f64() * 1e6 / documents.len() as f64;
        println!(
            "{name}: {} documents, each with CPU {:.0} µs here and {:.0} µs in the node; a change is visible after {lag:.1?}",
            documents.len(),
            per(costs.own),
            per(costs.node)
        );
        indexes.push(index);
    }
    let pair = [indexes[0].as_ref(), indexes[1].as_ref()];
    let unknown = compare_all(pair, &queries, &analyser)?;
    for ((name, _), index) in engines.iter().zip(&indexes) {
        measure(name, index.as_ref(), &queries, &analyser)?;
    }
    drop(indexes);
    engines[1].1.discard(spec.id)?;
    Ok(unknown)
}

fn main() -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    match compare_engines(&options()?, folder.path())? {
        0 => Ok(()),
        some => Err(format!("{some} exceptions without a known cause").into()),
    }
}
