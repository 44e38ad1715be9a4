//! The products of a file in the place of the invented ones: read before anything is created, imported as all there are.

use super::feeding::SEARCHABLE_TIME;
use super::keys::DemoKeys;
use crate::admin::AdminFailure;
use crate::cli::args::Common;
use crate::cli::demo_args::DemoArgs;
use crate::cli::import::progress::ImportDisplay;
use crate::cli::import::screen;
use crate::cli::import::source::ImportFile;
use crate::cli::outcome::CommandError;
use crate::data_dir;
use crate::imports::{self, Destination, FileImport};
use catalogue_files::report::result::ImportResult;
use catalogue_files::{Catalogue, OpenedFile, ReadSettings};
use domain::search::SearchRequest;
use domain::{Caller, DocType, Language, StoreId};
use operations::clock::{Clock, SystemClock};
use operations::import::run::ImportScope;
use operations::import::store::ImportStore;
use operations::{Service, authenticate, search};
use std::path::{Path, PathBuf};
use tokio::time::Instant;

/// Where a terminal names its language, the strongest first.
const LOCALES: [&str; 3] = ["LC_ALL", "LC_MESSAGES", "LANG"];
const ENGLISH: &str = "en";

/// A file that was read to its end.
pub struct CatalogueOfFile {
    /// Language of its products.
    pub language: Language,
    file: ImportFile,
    settings: ReadSettings,
    folder: PathBuf,
    catalogue: Catalogue,
    started: Instant,
}

/// What a demo of a file has to show.
pub struct ProductsOfFile {
    /// Name of the file.
    pub file: String,
    /// Number of its products.
    pub products: u64,
    /// A word that finds some of them; empty, which finds all, if no name has a long one.
    pub query: String,
}

impl ProductsOfFile {
    /// Returns the query as an address holds it.
    pub fn query_in_address(&self) -> String {
        let bytes = self.query.bytes();
        bytes.fold(String::new(), |mut text, byte| {
            match byte.is_ascii_alphanumeric() {
                true => text.push(char::from(byte)),
                false => text.push_str(&format!("%{byte:02X}")),
            }
            text
        })
    }
}

/// Reads the file; one that is no catalogue is a result with an error. `kept` is what an earlier start left.
///
/// Errors: the directory has products in another language than the one that is asked for; a file cannot be read.
pub async fn read(
    common: &Common,
    demo: &DemoArgs,
    path: &Path,
    kept: Option<&DemoKeys>,
) -> Result<Result<CatalogueOfFile, ImportResult>, CommandError> {
    let started = Instant::now();
    let mapping = demo.mapping.options()?;
    let before = kept.and_then(|keys| keys.language.clone());
    let wanted = chosen_language(common, demo, before)?;
    data_dir::create(&common.data)
        .map_err(|error| CommandError::failed(format!("{}: {error}", common.data.display())))?;
    let file = ImportFile::open(path, &common.data)?;
    let folder = imports::folder(&common.data);
    let folder = folder.map_err(|error| CommandError::failed(error.to_string()))?;
    let language = wanted.clone().unwrap_or_else(of_terminal);
    let scope = scope(StoreId::from(""), language.clone());
    let now = SystemClock.now();
    let mut settings = imports::settings(&file.name, &scope, &no_store(), mapping, now);
    let declared = match wanted {
        Some(_) => None,
        None => declared(&file, &settings).await?,
    };
    let language = declared.unwrap_or(language);
    settings.language = language.to_string();
    let bar = ImportDisplay::new();
    let spooled = file.try_clone()?;
    let read = imports::read_file(&spooled, &settings, &folder, &bar.control()).await;
    bar.clear();
    Ok(read?.map(|catalogue| CatalogueOfFile {
        language,
        file,
        settings,
        folder,
        catalogue,
        started,
    }))
}

fn chosen_language(
    common: &Common,
    demo: &DemoArgs,
    before: Option<Language>,
) -> Result<Option<Language>, CommandError> {
    match (&demo.language, before) {
        (Some(given), Some(before)) if *given != before => Err(CommandError::failed(format!(
            "{} has products in the language {before}; name another directory with --data for {given}",
            common.data.display()
        ))),
        (given, before) => Ok(given.clone().or(before)),
    }
}

fn scope(store: StoreId, language: Language) -> ImportScope {
    ImportScope {
        store,
        doc_type: DocType::Products,
        language,
    }
}

/// What a store without products says about itself: the file may name any currency, at each start.
fn no_store() -> ImportStore {
    ImportStore {
        languages: Vec::new(),
        url: String::new(),
        base_currency: None,
        currencies: Vec::new(),
    }
}

/// Returns the language that the terminal is set to.
fn of_terminal() -> Language {
    let set = LOCALES.iter().filter_map(|name| std::env::var(name).ok());
    let locale = set.into_iter().find(|locale| !locale.is_empty());
    let language = locale.and_then(|locale| base_language(&locale));
    language.unwrap_or_else(|| Language::parse(ENGLISH).unwrap_or_else(|_| Language::spanish()))
}

/// Returns the language of a locale or tag such as `de_AT.UTF-8` or `de-AT`; `C` and `POSIX` have none.
fn base_language(text: &str) -> Option<Language> {
    let base = text.split(['_', '-', '.', '@']).next()?;
    Language::parse(base).ok()
}

/// Returns the language that a file declares; none if it cannot be read, which reading it reports.
async fn declared(
    file: &ImportFile,
    settings: &ReadSettings,
) -> Result<Option<Language>, CommandError> {
    let (file, settings) = (file.try_clone()?, settings.clone());
    let opened = tokio::task::spawn_blocking(move || OpenedFile::open(file, &settings));
    let opened = opened.await;
    let opened =
        opened.map_err(|error| CommandError::failed(format!("reading failed: {error}")))?;
    let declared = opened.ok().and_then(|opened| opened.language);
    Ok(declared.and_then(|text| base_language(&text)))
}

impl CatalogueOfFile {
    /// Imports the products, removes all others, and waits until they are searchable.
    ///
    /// Errors: those of the import; no product could be stored.
    pub async fn import(
        self,
        service: &Service,
        keys: &DemoKeys,
    ) -> Result<ProductsOfFile, CommandError> {
        let name = self.file.name.clone();
        let import = FileImport {
            file: self.file.try_clone()?,
            scope: scope(keys.store.clone(), self.language.clone()),
            settings: self.settings,
            folder: self.folder,
            is_complete: true,
        };
        let mut destination = Destination::Service {
            service,
            caller: &Caller::operator(),
        };
        let bar = ImportDisplay::new();
        let (read, control) = (self.catalogue, bar.control());
        let stored =
            imports::store_read(import, read, self.started, &mut destination, &control).await;
        bar.clear();
        let result = stored?;
        screen::print(&result, false)?;
        if result.accepted == 0 {
            let message = format!("{name}: no product of the file could be stored");
            return Err(CommandError::failed(message));
        }
        let searchable = service
            .wait_until_searchable(&keys.store, SEARCHABLE_TIME)
            .await;
        searchable.map_err(AdminFailure::from)?;
        Ok(ProductsOfFile {
            file: name,
            products: result.accepted,
            query: first_query(service, keys, &self.language).await?,
        })
    }
}

/// Returns the first long word of a product's name.
async fn first_query(
    service: &Service,
    keys: &DemoKeys,
    language: &Language,
) -> Result<String, CommandError> {
    let shopper = authenticate::by_key(service, &keys.search_only).await;
    let shopper = shopper.map_err(AdminFailure::from)?;
    let request = SearchRequest {
        lang: Some(language.to_string()),
        types: Some(vec![DocType::Products]),
        limit: Some(1),
        ..SearchRequest::default()
    };
    let found = search::search(service, &shopper, request).await;
    let found = found.map_err(AdminFailure::from)?;
    let name = found.products.hits.first().map(|hit| hit.name.as_str());
    Ok(long_word(name.unwrap_or_default()))
}

fn long_word(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_alphanumeric());
    let word = words.into_iter().find(|word| word.chars().count() >= 4);
    word.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    //! 1. Locales and tags name a language, or none.
    //! 2. A query out of a name can stand in an address.

    use super::*;

    #[test]
    fn locales_and_tags_name_a_language() {
        for (text, language) in [
            ("de_AT.UTF-8", Some("de")),
            ("es", Some("es")),
            ("pt-BR", Some("pt")),
            ("ca@valencia", Some("ca")),
            ("C.UTF-8", None),
            ("POSIX", None),
            ("", None),
        ] {
            let found = base_language(text);
            assert_eq!(found.as_ref().map(Language::as_str), language, "{text}");
        }
    }

    #[test]
    fn a_query_out_of_a_name_stands_in_an_address() {
        for (name, word, in_address) in [
            ("2 x Señora & co", "Señora", "Se%C3%B1ora"),
            ("a b c", "", ""),
        ] {
            let shown = ProductsOfFile {
                file: "f".to_owned(),
                products: 1,
                query: long_word(name),
            };
            assert_eq!(shown.query, word);
            assert_eq!(shown.query_in_address(), in_address);
        }
    }
}
