//! A store with a catalogue, filled through the feed and idle.

use crate::Outcome;
use crate::catalogue::body;
use crate::measure::time_of_all_threads;
use domain::access::{Identity, KeyIdentity};
use domain::search::SearchRequest;
use domain::store::PlanLimits;
use domain::{Caller, DocType, KeyKind, Language, StoreId};
use operations::import::{self, ImportBlock};
use operations::search::{self, SearchResponse};
use operations::stores::{self, NewStore};
use operations::{Service, ServiceOptions};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// Products of one request of the feed.
pub const BLOCK: usize = 500;

/// Half seconds without computation after which a store counts as idle: an index waits five seconds before each step
/// towards it.
const QUIET: u32 = 16;

/// The products of a store.
pub enum Catalogue {
    /// Number of generated products.
    Generated(u32),
    /// Products of icecat.
    Icecat(Vec<Value>),
}

impl Catalogue {
    /// So many generated `products`.
    pub fn generated(products: u32) -> Self {
        Self::Generated(products)
    }

    /// The products of icecat below `data`.
    pub fn icecat(data: &Path) -> Outcome<Self> {
        let file = std::fs::File::open(data.join("icecat-chorus/products.ndjson.gz"))?;
        let lines = BufReader::new(flate2::read::MultiGzDecoder::new(file)).lines();
        let bodies = lines.map(|line| Ok(serde_json::from_str(&line?)?));
        bodies.collect::<Outcome<_>>().map(Self::Icecat)
    }

    /// Name of the catalogue.
    pub fn name(&self) -> String {
        match self {
            Self::Generated(products) => format!("{products} generated products"),
            Self::Icecat(bodies) => format!("{} products of icecat", bodies.len()),
        }
    }

    /// Whether there may be another version of each product.
    pub fn is_generated(&self) -> bool {
        matches!(self, Self::Generated(_))
    }

    /// Number of its products.
    pub fn len(&self) -> u32 {
        match self {
            Self::Generated(products) => *products,
            Self::Icecat(bodies) => bodies.len() as u32,
        }
    }

    /// Product `number`, as a shop sends it.
    pub fn body(&self, number: u32) -> Value {
        match self {
            Self::Generated(_) => body(number, 0),
            Self::Icecat(bodies) => bodies[number as usize].clone(),
        }
    }
}

/// A store that can be searched.
pub struct Shop {
    /// The service.
    pub runtime: Runtime,
    /// Runtime of the operations.
    pub service: Service,
    /// The store.
    pub store: StoreId,
    /// The directory, if it is temporary.
    _folder: Option<TempDir>,
}

impl Shop {
    /// Opens the store of `catalogue` from its directory below `keep`, or fills it.
    pub fn open(catalogue: &Catalogue, keep: Option<PathBuf>) -> Outcome<Self> {
        let runtime = Runtime::new()?;
        let (path, folder) = match keep {
            Some(keep) => (keep.join(catalogue.len().to_string()), None),
            None => {
                let folder = tempfile::tempdir()?;
                (folder.path().to_owned(), Some(folder))
            }
        };
        let (service, store) = runtime.block_on(async {
            std::fs::create_dir_all(&path)?;
            let service = Service::open(ServiceOptions::new(path)).await?;
            let known = stores::list(&service, &Caller::operator()).await?;
            let store = match known.into_iter().next() {
                Some(store) => store.id,
                None => fill(&service, catalogue).await?,
            };
            Outcome::Ok((service, store))
        })?;
        let shop = Self {
            runtime,
            service,
            store,
            _folder: folder,
        };
        while shop.total()? < u64::from(catalogue.len()) {
            std::thread::sleep(Duration::from_millis(50));
        }
        shop.settle();
        Ok(shop)
    }

    /// Sends a block of products.
    pub fn send(&self, documents: Vec<Value>) -> Outcome<()> {
        let sent = send(&self.service, &self.store, documents);
        self.runtime.block_on(sent)
    }

    /// Waits until all background work is done.
    pub fn settle(&self) {
        let mut quiet = 0;
        while quiet < QUIET {
            let ((), computed) =
                time_of_all_threads(|| std::thread::sleep(Duration::from_millis(500)));
            quiet = if computed < 5_000.0 { quiet + 1 } else { 0 };
        }
    }

    /// Stops the background work.
    pub fn close(self) {
        self.runtime.block_on(self.service.close());
    }

    fn total(&self) -> Outcome<u64> {
        let request = serde_json::from_value(json!({"q": "", "types": ["products"]}))?;
        Ok(self.search(request)?.products.total)
    }

    /// Searches as a shopper does whose searches count in no statistics.
    pub fn search(&self, mut request: SearchRequest) -> Outcome<SearchResponse> {
        request.analytics = false;
        let shopper = shopper(&self.store);
        let found = search::search(&self.service, &shopper, request);
        Ok(self.runtime.block_on(found)?)
    }
}

/// Returns a caller with a search-only key of `store`.
fn shopper(store: &StoreId) -> Caller {
    Caller {
        identity: Identity::Key(Arc::new(KeyIdentity {
            id: "shopper".into(),
            name: "Shopper".to_owned(),
            kind: KeyKind::SearchOnly,
            scope: None,
            account: "account".into(),
            store: Some(store.clone()),
            account_stores: [store.clone()].into(),
        })),
        request_id: None,
        attempt: domain::WriteAttempt::default(),
    }
}

async fn fill(service: &Service, catalogue: &Catalogue) -> Outcome<StoreId> {
    let new = NewStore {
        name: "Bench".to_owned(),
        account: None,
        languages: vec![Language::parse("en")?],
        plan: PlanLimits::default(),
    };
    let created = stores::create(service, &Caller::operator(), new).await?;
    let store = created.store.id;
    let numbers: Vec<u32> = (0..catalogue.len()).collect();
    for block in numbers.chunks(BLOCK) {
        let bodies = block.iter().map(|number| catalogue.body(*number));
        send(service, &store, bodies.collect()).await?;
    }
    Ok(store)
}

async fn send(service: &Service, store: &StoreId, documents: Vec<Value>) -> Outcome<()> {
    let block = ImportBlock {
        store: store.clone(),
        language: Language::parse("en")?,
        doc_type: DocType::Products,
        run: None,
        documents,
    };
    import::block(service, &Caller::operator(), block).await?;
    Ok(())
}
