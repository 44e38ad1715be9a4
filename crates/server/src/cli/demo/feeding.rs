//! Feeds the demo catalogue as a connector would: indices, a run, blocks, and the close of the run.

use super::keys::DemoKeys;
use crate::admin::AdminFailure;
use crate::cli::outcome::Ending;
use crate::demo::catalogue;
use domain::feed::{
    Block, FeedLanguage, NewIndices, NewRun, RunClose, RunMode, ScopeClose, ScopeStatus,
};
use domain::limits::BLOCK_DOCUMENTS_MAX;
use domain::search::SearchRequest;
use domain::{DocType, Language, RunId};
use indicatif::{ProgressBar, ProgressStyle};
use operations::feed::{FeedCaller, blocks, indices, runs};
use operations::{OperationError, Service, authenticate, search};
use serde_json::Value;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// What the demo sends.
const TYPES: [DocType; 3] = [DocType::Products, DocType::Categories, DocType::Brands];
/// How the demo names itself in the client header.
const CLIENT: &str = concat!("findwell-demo/", env!("CARGO_PKG_VERSION"));
/// How long the last block may take to become searchable.
const SEARCHABLE_TIME: Duration = Duration::from_secs(30);
const SEARCHABLE_STEP: Duration = Duration::from_millis(20);

/// The documents of one type and language.
struct DemoBatch {
    doc_type: DocType,
    language: &'static str,
    documents: Vec<Value>,
}

/// Feeds the whole catalogue, its addresses below `base`, and waits until it is searchable.
pub async fn feed(service: &Service, keys: &DemoKeys, base: &str) -> Result<(), Ending> {
    let parts = parts(base);
    let total = parts.iter().map(|part| part.documents.len()).sum::<usize>();
    let bar = ProgressBar::new(total as u64);
    if let Ok(style) = ProgressStyle::with_template("Filling the shelves {bar:30} {pos}/{len}") {
        bar.set_style(style);
    }
    let products = products_per_language(&parts);
    send(service, keys, parts, &bar)
        .await
        .map_err(AdminFailure::from)?;
    bar.finish_and_clear();
    until_searchable(service, keys, products).await
}

fn parts(base: &str) -> Vec<DemoBatch> {
    let mut parts = Vec::new();
    for language in catalogue::LANGUAGES {
        for doc_type in TYPES {
            let documents = match doc_type {
                DocType::Categories => catalogue::categories(language, base),
                DocType::Brands => catalogue::brands(language, base),
                _ => catalogue::documents(language, base),
            };
            parts.push(DemoBatch {
                doc_type,
                language,
                documents,
            });
        }
    }
    parts
}

fn products_per_language(parts: &[DemoBatch]) -> u64 {
    let products = parts.iter().find(|part| part.doc_type == DocType::Products);
    products.map_or(0, |part| part.documents.len() as u64)
}

async fn send(
    service: &Service,
    keys: &DemoKeys,
    parts: Vec<DemoBatch>,
    bar: &ProgressBar,
) -> Result<(), OperationError> {
    let caller = FeedCaller {
        caller: authenticate::by_key(service, &keys.connector).await?,
        client: Some(CLIENT.to_owned()),
    };
    indices::create(service, &caller, wanted()).await?;
    let run = open_run(service, &caller).await?;
    let mut scopes = Vec::new();
    for part in parts {
        scopes.push(ScopeClose {
            doc_type: part.doc_type,
            language: language(part.language)?,
            sent: part.documents.len() as u64,
            touched: 0,
            dropped: 0,
            allow_empty: false,
        });
        send_part(service, &caller, &run, part, bar).await?;
    }
    let close = RunClose {
        scopes,
        confirm_purge: false,
    };
    let closed = runs::close(service, &caller, &run, close).await?;
    let whole = closed
        .scopes
        .iter()
        .all(|s| s.status == ScopeStatus::Purged);
    match whole {
        true => Ok(()),
        false => Err(OperationError::internal(
            "the demo's run did not close as a whole",
        )),
    }
}

async fn send_part(
    service: &Service,
    caller: &FeedCaller,
    run: &RunId,
    part: DemoBatch,
    bar: &ProgressBar,
) -> Result<(), OperationError> {
    for documents in part.documents.chunks(BLOCK_DOCUMENTS_MAX) {
        let block = Block {
            language: part.language.to_owned(),
            run_id: Some(run.clone()),
            documents: documents.to_vec().into(),
        };
        let report = blocks::upsert(service, caller, part.doc_type, block).await?;
        if let Some(rejected) = report.rejected.first() {
            let text = format!("the demo's catalogue has a mistake: {rejected:?}");
            return Err(OperationError::internal(text));
        }
        bar.inc(documents.len() as u64);
    }
    Ok(())
}

fn wanted() -> NewIndices {
    let languages = catalogue::LANGUAGES.iter().zip(0..);
    NewIndices {
        types: TYPES.to_vec(),
        languages: languages
            .map(|(code, place)| FeedLanguage {
                code: (*code).to_owned(),
                locale: None,
                name: None,
                default: place == 0,
            })
            .collect(),
    }
}

/// Opens a run, or goes on with one that a demo before this one could not finish.
async fn open_run(service: &Service, caller: &FeedCaller) -> Result<RunId, OperationError> {
    let mut number = 0;
    loop {
        match runs::open(service, caller, new_run(number)?).await {
            Ok(opened) => return Ok(opened.run_id),
            // That run has ended: the catalogue was fed before, for another address.
            Err(OperationError::Gone) => number += 1,
            Err(error) => return Err(error),
        }
    }
}

fn new_run(number: u32) -> Result<NewRun, OperationError> {
    Ok(NewRun {
        client_run_id: format!("findwell-demo-{number}"),
        mode: RunMode::Full,
        types: TYPES.to_vec(),
        languages: catalogue::LANGUAGES
            .iter()
            .map(|code| language(code))
            .collect::<Result<_, _>>()?,
    })
}

fn language(code: &str) -> Result<Language, OperationError> {
    Language::parse(code).map_err(OperationError::internal)
}

/// Waits until every language finds all its products.
async fn until_searchable(service: &Service, keys: &DemoKeys, products: u64) -> Result<(), Ending> {
    let deadline = Instant::now() + SEARCHABLE_TIME;
    for language in catalogue::LANGUAGES {
        while found(service, keys, language)
            .await
            .map_err(AdminFailure::from)?
            < products
        {
            if Instant::now() > deadline {
                return Err(Ending::failed("the catalogue did not become searchable"));
            }
            sleep(SEARCHABLE_STEP).await;
        }
    }
    Ok(())
}

async fn found(service: &Service, keys: &DemoKeys, language: &str) -> Result<u64, OperationError> {
    let shopper = authenticate::by_key(service, &keys.search_only).await?;
    let request = SearchRequest {
        lang: Some(language.to_owned()),
        types: Some(vec![DocType::Products]),
        limit: Some(1),
        ..SearchRequest::default()
    };
    let answer = search::search(service, &shopper, request).await?;
    Ok(answer.products.total)
}
