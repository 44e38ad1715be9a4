//! An indexed catalogue, generated or real, and the yardstick's index of its names.

use crate::Outcome;
use crate::arguments::Arguments;
use crate::catalogue::{bare_product, name, product};
use crate::measure::{passed_and_computed, wall_time};
use crate::raw::RawIndex;
use domain::document::{DocType, Document};
use domain::{IndexId, Language};
use engine::{
    Batch, BatchOutcome, DocumentChange, EmbeddedEngine, Engine, EngineError, Index, IndexSpec,
    LocalIndex,
};
use query::Analyser;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

/// Documents of a batch, as large as the indexer makes them while catching up.
const BATCH: usize = 32_000;

/// An indexed shop.
pub struct Shop {
    /// Analyser of its language.
    pub analyser: Analyser,
    /// Names of its products.
    pub names: Vec<String>,
    /// The index.
    pub index: Arc<dyn Index>,
    /// The yardstick.
    pub raw: RawIndex,
    /// Deleted with the shop. Benchmarks write only here, never into an index that is kept.
    _folder: TempDir,
}

impl Shop {
    /// The generated shop, opened from its folder or built.
    pub fn generated(arguments: &Arguments) -> Outcome<Self> {
        let products = arguments.products;
        let names: Vec<String> = (0..products).map(|number| name(number, 0)).collect();
        let Some(keep) = &arguments.keep else {
            let folder = tempfile::tempdir()?;
            let index = open(folder.path())?;
            build(index.as_ref(), products, |number| Ok(product(number, 0)))?;
            return Self::of(names, index, folder);
        };
        let kept = keep.join(products.to_string());
        if open(&kept)?.watermark() != i64::from(products) {
            build(open(&kept)?.as_ref(), products, |n| Ok(product(n, 0)))?;
        }
        let folder = tempfile::tempdir_in(keep)?;
        link(&kept, folder.path())?;
        let index = open(folder.path())?;
        let (loaded, took) = wall_time(|| load(index.as_ref(), products));
        loaded?;
        println!(
            "numbers of {products} products generated and loaded in {:.1} s",
            took / 1e6
        );
        let shop = Self::of(names, index, folder)?;
        if !kept.join("raw").exists() {
            copy(&shop.folder().join("raw"), &kept.join("raw"))?;
        }
        Ok(shop)
    }

    /// The 19,406 products of Icecat in `data`.
    pub fn icecat(data: &Path) -> Outcome<Self> {
        let file = std::fs::File::open(data.join("icecat-chorus/products.ndjson.gz"))?;
        let lines = BufReader::new(flate2::read::MultiGzDecoder::new(file)).lines();
        let mut bodies = Vec::new();
        for line in lines {
            bodies.push(serde_json::from_str::<serde_json::Value>(&line?)?);
        }
        let names = bodies.iter().map(|body| {
            let name = body.get("name").and_then(|name| name.as_str());
            name.unwrap_or_default().to_owned()
        });
        let names = names.collect();
        let folder = tempfile::tempdir()?;
        let index = open(folder.path())?;
        build(index.as_ref(), bodies.len() as u32, |number| {
            Document::parse(DocType::Products, 0, bodies[number as usize].clone())
                .map_err(|invalid| format!("product {number}: {invalid:?}").into())
        })?;
        Self::of(names, index, folder)
    }

    fn of(names: Vec<String>, index: Arc<dyn Index>, folder: TempDir) -> Outcome<Self> {
        let analyser = Analyser::new(&Language::parse("en")?);
        let stems = names.iter().map(|name| stems(name, &analyser).join(" "));
        let raw = RawIndex::open(&folder.path().join("raw"), stems)?;
        Ok(Self {
            analyser,
            names,
            index,
            raw,
            _folder: folder,
        })
    }

    fn folder(&self) -> &Path {
        self._folder.path()
    }
}

/// The analysed words of `text`.
pub fn stems(text: &str, analyser: &Analyser) -> Vec<String> {
    let words = analyser.words(text).into_iter();
    words.map(|token| token.stem).collect()
}

fn open(folder: &Path) -> Outcome<Arc<dyn Index>> {
    let spec = IndexSpec {
        id: IndexId(1),
        identity: "bench".to_owned(),
        doc_type: DocType::Products,
        language: Language::parse("en")?,
        partial: false,
    };
    Ok(EmbeddedEngine::new(folder.to_owned()).open(&spec)?)
}

/// Writes all products in batches and prints the speed, without parsing.
fn build(
    index: &dyn Index,
    products: u32,
    product: impl Fn(u32) -> Outcome<Document>,
) -> Outcome<()> {
    let (mut wall, mut computed) = (0.0, 0.0);
    let all: Vec<u32> = (0..products).collect();
    for numbers in all.chunks(BATCH) {
        let changes = numbers.iter().map(|number| {
            Ok(DocumentChange {
                ordinal: *number,
                document: Some(product(*number)?),
                texts_changed: true,
            })
        });
        let batch = Batch {
            changes: changes.collect::<Outcome<_>>()?,
            watermark: i64::from(numbers[numbers.len() - 1]) + 1,
        };
        let apply = || match numbers.last() == all.last() {
            true => index.apply(batch),
            false => local(index)?.apply_part(batch),
        };
        let (applied, [passed, took]) = passed_and_computed(apply);
        let BatchOutcome { rejected } = applied?;
        assert_eq!(rejected, [], "a product is rejected");
        wall += passed;
        computed += took;
    }
    let (rested, waited) = wall_time(|| rest(index));
    rested?;
    println!(
        "{products} products written from parsed documents to commit: {:.0} a second, {:.0} a second of computing \
         with merges; rest after {:.1} s; {:.0} MiB",
        f64::from(products) / wall * 1e6,
        f64::from(products) / computed * 1e6,
        waited / 1e6,
        index.snapshot().facts().bytes as f64 / 1_048_576.0,
    );
    Ok(())
}

fn local(index: &dyn Index) -> Result<&dyn LocalIndex, EngineError> {
    let none = || EngineError::new("measure an index", "it is not on this machine");
    index.local().ok_or_else(none)
}

fn rest(index: &dyn Index) -> Result<(), EngineError> {
    let index = local(index)?;
    index.freeze_averages(0.0)?;
    while !index.go_idle()? {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    Ok(())
}

fn load(index: &dyn Index, products: u32) -> Result<(), EngineError> {
    let all: Vec<u32> = (0..products).collect();
    for numbers in all.chunks(50_000) {
        let changes = numbers.iter().map(|number| DocumentChange {
            ordinal: *number,
            document: Some(bare_product(*number, 0)),
            texts_changed: true,
        });
        local(index)?.load(changes.collect())?;
    }
    Ok(())
}

/// Files of an index never change once written, so hard links are a free copy.
fn link(from: &Path, to: &Path) -> std::io::Result<()> {
    each_file(from, to, &|from, to| std::fs::hard_link(from, to))
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    each_file(from, to, &|from, to| std::fs::copy(from, to).map(|_| ()))
}

type ForFile<'a> = &'a dyn Fn(&Path, &Path) -> std::io::Result<()>;

fn each_file(from: &Path, to: &Path, work: ForFile<'_>) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let (here, there) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            each_file(&here, &there, work)?;
        } else {
            work(&here, &there)?;
        }
    }
    Ok(())
}
