//! A catalogue in both engines, and one search with each.

use crate::Outcome;
use crate::catalogue::Catalogue;
use crate::compare::{Cause, differences};
use crate::filling::fill;
use crate::node_access::access;
use crate::node_address;
use crate::stories::Story;
use domain::IndexId;
use domain::document::{DocType, Document};
use domain::relevance::Relevance;
use engine::{
    DocumentChange, EmbeddedEngine, Engine, Index, IndexSpec, OpenSearchEngine, Request,
    SearchResult,
};
use query::{Analyser, MistypedWords, Plan, UserQuery};
use std::path::Path;
use std::sync::Arc;

/// Hits of a page.
pub const PAGE: usize = 24;
/// Searches at once.
const AT_ONCE: usize = 4;
/// One of so many searches is explained.
const EXPLAINED: usize = 5;

/// Returns the engine on the node, with indexes of so many shards.
///
/// Errors: no node runs.
fn cluster(shards: u16) -> Outcome<OpenSearchEngine> {
    let address = node_address::address().ok_or("no node runs: cargo xtask nodes up")?;
    let prefix = format!("parity-{}-{shards}", std::process::id());
    Ok(OpenSearchEngine::new(&access(address, prefix, shards))?)
}

/// Returns what an index of the catalogue is.
fn spec(catalogue: &Catalogue) -> IndexSpec {
    IndexSpec {
        id: IndexId(1),
        identity: "parity".to_owned(),
        doc_type: DocType::Products,
        language: catalogue.language.clone(),
        partial: true,
    }
}

/// Returns the plan of a query.
pub fn plan(text: &str, relevance: &Relevance, analyser: &Analyser, story: &Story) -> Plan {
    let query = UserQuery::new(text, analyser, &relevance.search_settings).with_synonyms(
        &story.synonyms,
        analyser,
        &MistypedWords::default(),
    );
    Plan::new(&query, relevance, DocType::Products).with_rules(story.rules.clone())
}

/// A catalogue in both engines.
pub struct Pair {
    /// What makes words of its texts.
    pub analyser: Analyser,
    indexes: [Arc<dyn Index>; 2],
    cluster: OpenSearchEngine,
    id: IndexId,
}

/// What a comparison found.
#[derive(Default)]
pub struct Findings {
    /// Searches that were compared.
    pub searches: usize,
    /// Such with neighbours closer than both engines are.
    pub near: usize,
    /// What differs otherwise, as sentences.
    pub unknown: Vec<String>,
}

impl Findings {
    fn add(&mut self, other: Self) {
        self.searches += other.searches;
        self.near += other.near;
        self.unknown.extend(other.unknown);
    }
}

impl Pair {
    /// Writes a catalogue into an index in `folder` and into one of so many shards.
    pub fn of(catalogue: &Catalogue, folder: &Path, shards: u16) -> Outcome<Self> {
        let spec = spec(catalogue);
        let cluster = cluster(shards)?;
        let embedded = EmbeddedEngine::new(folder.to_owned()).renew(&spec)?;
        let indexes = [embedded, cluster.renew(&spec)?];
        for index in &indexes {
            let documents = &catalogue.documents;
            fill(index.as_ref(), documents.len(), |at| {
                Ok(DocumentChange {
                    ordinal: at as u32,
                    document: Some(Document::clone(&documents[at])),
                    texts_changed: true,
                })
            })?;
        }
        Ok(Self {
            analyser: Analyser::new(&catalogue.language),
            indexes,
            cluster,
            id: spec.id,
        })
    }

    /// Returns the results of both engines, the embedded one first.
    pub fn search(&self, plan: &Plan, request: &Request) -> Outcome<[SearchResult; 2]> {
        let [own, other] = &self.indexes;
        Ok([
            own.snapshot().search(plan, request)?,
            other.snapshot().search(plan, request)?,
        ])
    }

    /// Compares the results of all queries, some at once: engine and cluster wait for each other.
    pub fn compare(
        &self,
        queries: &[String],
        configuration: (&str, &Relevance),
        story: &Story,
        findings: &mut Findings,
    ) -> Outcome<()> {
        let each = queries.len().div_ceil(AT_ONCE).max(1);
        std::thread::scope(|scope| {
            let compare =
                |queries| scope.spawn(move || self.compared(queries, configuration, story));
            let threads: Vec<_> = queries.chunks(each).map(compare).collect();
            for thread in threads {
                findings.add(thread.join().expect("no panic")?);
            }
            Ok(())
        })
    }

    fn compared(
        &self,
        queries: &[String],
        (name, relevance): (&str, &Relevance),
        story: &Story,
    ) -> Outcome<Findings> {
        let mut findings = Findings::default();
        for (at, text) in queries.iter().enumerate() {
            let plan = plan(text, relevance, &self.analyser, story);
            let request = Request {
                limit: PAGE,
                facets: !story.without_facets,
                explain: at % EXPLAINED == 0,
                ..story.request.clone()
            };
            let [own, other] = self.search(&plan, &request)?;
            findings.searches += 1;
            for (cause, what) in differences(&own, &other) {
                match cause {
                    Cause::Near => findings.near += 1,
                    Cause::Unknown => {
                        let story = story.name;
                        findings
                            .unknown
                            .push(format!("{name} {story}: {text:?}: {what}"));
                    }
                }
            }
        }
        Ok(findings)
    }

    /// Deletes the index in the cluster.
    pub fn discard(self) -> Outcome<()> {
        drop(self.indexes);
        Ok(self.cluster.discard(self.id)?)
    }
}
