//! Feeds the demo catalogue as a connector does: creates indexes, opens a run, sends blocks and closes the run.

use super::keys::DemoKeys;
use crate::admin::AdminFailure;
use crate::cli::outcome::CommandError;
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

/// Document types of the demo.
const TYPES: [DocType; 3] = [DocType::Products, DocType::Categories, DocType::Brands];
/// The demo in the client header.
const CLIENT: &str = concat!("findwell-demo/", env!("CARGO_PKG_VERSION"));
/// Maximum time until the last block is searchable, and until a block is accepted.
pub const SEARCHABLE_TIME: Duration = Duration::from_secs(120);
const SEARCHABLE_STEP: Duration = Duration::from_millis(20);

/// The documents of one type and language.
struct DemoBatch {
    doc_type: DocType,
    language: &'static str,
    documents: Vec<Value>,
}

/// Feeds the whole catalogue, with URLs below `base`, and waits until it is searchable.
pub async fn feed(service: &Service, keys: &DemoKeys, base: &str) -> Result<(), CommandError> {
    let batches = batches(base);
    let total = batches
        .iter()
        .map(|batch| batch.documents.len())
        .sum::<usize>();
    let bar = ProgressBar::new(total as u64);
    if let Ok(style) = ProgressStyle::with_template("Filling the shelves {bar:30} {pos}/{len}") {
        bar.set_style(style);
    }
    let products = products_per_language(&batches);
    send(service, keys, batches, &bar)
        .await
        .map_err(AdminFailure::from)?;
    bar.finish_and_clear();
    until_searchable(service, keys, products).await
}

fn batches(base: &str) -> Vec<DemoBatch> {
    let mut batches = Vec::new();
    for language in catalogue::LANGUAGES {
        for doc_type in TYPES {
            let documents = match doc_type {
                DocType::Categories => catalogue::categories(language, base),
                DocType::Brands => catalogue::brands(language, base),
                _ => catalogue::documents(language, base),
            };
            batches.push(DemoBatch {
                doc_type,
                language,
                documents,
            });
        }
    }
    batches
}

fn products_per_language(batches: &[DemoBatch]) -> u64 {
    let products = batches
        .iter()
        .find(|batch| batch.doc_type == DocType::Products);
    products.map_or(0, |batch| batch.documents.len() as u64)
}

async fn send(
    service: &Service,
    keys: &DemoKeys,
    batches: Vec<DemoBatch>,
    bar: &ProgressBar,
) -> Result<(), OperationError> {
    let caller = FeedCaller {
        caller: authenticate::by_key(service, &keys.connector).await?,
        client: Some(CLIENT.to_owned()),
    };
    accepted(async || indices::create(service, &caller, new_indices()).await).await?;
    let run = open_run(service, &caller).await?;
    let mut scopes = Vec::new();
    for batch in batches {
        scopes.push(ScopeClose {
            doc_type: batch.doc_type,
            language: language(batch.language)?,
            sent: batch.documents.len() as u64,
            touched: 0,
            dropped: 0,
            allow_empty: false,
        });
        send_batch(service, &caller, &run, batch, bar).await?;
    }
    let close = RunClose {
        scopes,
        confirm_purge: false,
    };
    let closed =
        accepted(async || runs::close(service, &caller, &run, close.clone()).await).await?;
    let whole = closed
        .scopes
        .iter()
        .all(|s| s.status == ScopeStatus::Purged);
    match whole {
        true => Ok(()),
        false => Err(OperationError::internal(
            "the demo's run did not close completely",
        )),
    }
}

async fn send_batch(
    service: &Service,
    caller: &FeedCaller,
    run: &RunId,
    batch: DemoBatch,
    bar: &ProgressBar,
) -> Result<(), OperationError> {
    for documents in batch.documents.chunks(BLOCK_DOCUMENTS_MAX) {
        let block = Block {
            language: batch.language.to_owned(),
            run_id: Some(run.clone()),
            documents: documents.to_vec().into(),
        };
        let send = async || blocks::upsert(service, caller, batch.doc_type, block.clone()).await;
        let report = accepted(send).await?;
        if let Some(rejected) = report.rejected.first() {
            let text = format!("the demo's catalogue has an invalid document: {rejected:?}");
            return Err(OperationError::internal(text));
        }
        bar.inc(documents.len() as u64);
    }
    Ok(())
}

/// Tries again after the time that the service asks for, as every connector does: on a busy machine the indexes lag.
async fn accepted<T>(
    mut attempt: impl AsyncFnMut() -> Result<T, OperationError>,
) -> Result<T, OperationError> {
    let deadline = Instant::now() + SEARCHABLE_TIME;
    loop {
        match attempt().await {
            Err(OperationError::Unavailable { retry_after_s, .. }) if Instant::now() < deadline => {
                sleep(Duration::from_secs(retry_after_s)).await;
            }
            ended => return ended,
        }
    }
}

fn new_indices() -> NewIndices {
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

/// Opens a run, or continues one that an earlier demo did not finish.
async fn open_run(service: &Service, caller: &FeedCaller) -> Result<RunId, OperationError> {
    let mut number = 0;
    loop {
        let run = new_run(number)?;
        match accepted(async || runs::open(service, caller, run.clone()).await).await {
            Ok(opened) => return Ok(opened.run_id),
            // That run is closed: the catalogue was fed before, for another address.
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

/// Waits until all products are searchable in every language.
async fn until_searchable(
    service: &Service,
    keys: &DemoKeys,
    products: u64,
) -> Result<(), CommandError> {
    let deadline = Instant::now() + SEARCHABLE_TIME;
    for language in catalogue::LANGUAGES {
        while count_products(service, keys, language)
            .await
            .map_err(AdminFailure::from)?
            < products
        {
            if Instant::now() > deadline {
                return Err(CommandError::failed(
                    "the catalogue did not become searchable",
                ));
            }
            sleep(SEARCHABLE_STEP).await;
        }
    }
    Ok(())
}

async fn count_products(
    service: &Service,
    keys: &DemoKeys,
    language: &str,
) -> Result<u64, OperationError> {
    let shopper = authenticate::by_key(service, &keys.search_only).await?;
    let request = SearchRequest {
        lang: Some(language.to_owned()),
        types: Some(vec![DocType::Products]),
        limit: Some(1),
        ..SearchRequest::default()
    };
    let response = search::search(service, &shopper, request).await?;
    Ok(response.products.total)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn busy() -> OperationError {
        OperationError::Unavailable {
            retry_after_s: 1,
            source: None,
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_busy_service_is_asked_again_until_the_time_is_over() {
        let mut attempts = 0;
        let third = accepted(async || {
            attempts += 1;
            if attempts < 3 {
                Err(busy())
            } else {
                Ok(attempts)
            }
        });
        assert_eq!(third.await.ok(), Some(3));
        let began = Instant::now();
        let ended = accepted(async || Err::<(), _>(busy())).await;
        assert!(matches!(ended, Err(OperationError::Unavailable { .. })));
        assert_eq!(began.elapsed(), SEARCHABLE_TIME);
        let mut attempts = 0;
        let gone = accepted(async || {
            attempts += 1;
            Err::<(), _>(OperationError::Gone)
        });
        assert!(matches!(gone.await, Err(OperationError::Gone)));
        assert_eq!(attempts, 1, "other errors are final");
    }
}
