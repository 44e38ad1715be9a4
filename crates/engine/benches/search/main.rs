//! Cost of a question, of a block and of a breakdown, in one run, against tantivy's own BM25 over the names.
//!
//! `cargo bench -p engine` takes 100,000 products; a number after `--` takes another count, and a text there, such as
//! `"3 words"`, only the questions whose kind it begins.

mod catalogue;
mod measure;
mod raw;

use catalogue::{Dice, name, product, reference};
use domain::document::DocType;
use domain::{IndexId, Language, Relevance};
use engine::{
    Batch, Change, EmbeddedEngine, Engine, EngineError, Index, IndexSpec, Request, Snapshot,
};
use measure::{Times, time};
use query::{Analyser, Plan, UserQuery};
use raw::RawIndex;
use std::error::Error;
use std::sync::Arc;

const PRODUCTS: u32 = 100_000;
/// Questions of one kind, and how often each is asked.
const QUESTIONS: usize = 200;
const ROUNDS: usize = 5;
/// Blocks of 500 changes.
const BLOCKS: u32 = 20;
const BLOCK: u32 = 500;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    // Tests of all targets start this program too, and must not wait for it.
    if !std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let mut numbers = std::env::args().filter_map(|argument| argument.parse().ok());
    let products: u32 = numbers.next().unwrap_or(PRODUCTS);
    let folder = tempfile::tempdir()?;
    let bench = Bench::new(folder.path(), products)?;
    let kind = std::env::args()
        .skip(1)
        .find(|argument| argument.contains(' '));
    bench.questions(kind.as_deref().unwrap_or_default())?;
    if kind.is_some() {
        return Ok(());
    }
    bench.breakdowns()?;
    bench.blocks()
}

struct Bench {
    products: u32,
    analyser: Analyser,
    index: Arc<dyn Index>,
    raw: RawIndex,
}

/// A question with the words that the yardstick looks for.
struct Question {
    text: String,
    raw: Vec<String>,
}

impl Bench {
    fn new(folder: &std::path::Path, products: u32) -> Outcome<Self> {
        let language = Language::parse("en")?;
        let analyser = Analyser::new(&language);
        let spec = IndexSpec {
            id: IndexId(1),
            identity: "bench".to_owned(),
            doc_type: DocType::Products,
            language,
        };
        let index = EmbeddedEngine::new(folder.to_owned()).open(&spec)?;
        let (built, took) = time(|| build(index.as_ref(), products));
        built?;
        let rate = f64::from(products) / took.as_secs_f64();
        let mebibytes = index.snapshot().bytes() as f64 / 1_048_576.0;
        println!(
            "{products} products: {rate:.0} a second with their generation, {mebibytes:.0} MiB"
        );
        let names = (0..products).map(|number| stems(&name(number, 0), &analyser).join(" "));
        let raw = RawIndex::new(names)?;
        Ok(Self {
            products,
            analyser,
            index,
            raw,
        })
    }

    fn questions(&self, wanted: &str) -> Outcome<()> {
        println!(
            "\n{:<18}{:>9}{:>9}{:>9}{:>9}{:>8}{:>8}",
            "question", "ours", "p95", "mean", "raw", "ratio", "found"
        );
        let kinds: [(&str, usize, bool, bool); 6] = [
            ("1 word", 1, false, false),
            ("3 words", 3, false, false),
            ("7 words", 7, false, false),
            ("1 word, typo", 1, true, false),
            ("3 words, typo", 3, true, false),
            ("3 words, facets", 3, false, true),
        ];
        for (kind, words, typo, facets) in kinds {
            if !kind.starts_with(wanted) {
                continue;
            }
            self.compare(kind, &self.worded(words, typo), facets)?;
        }
        let codes = (0..QUESTIONS as u32).map(|at| reference(at * 97 % self.products));
        let codes = codes.map(|text| Question {
            raw: stems(&text, &self.analyser),
            text,
        });
        self.compare("code", &codes.collect::<Vec<_>>(), false)
    }

    /// Questions of `words` words out of names, the last of them misspelt or not.
    fn worded(&self, words: usize, typo: bool) -> Vec<Question> {
        let mut dice = Dice::new(words as u64);
        let mut questions = Vec::with_capacity(QUESTIONS);
        while questions.len() < QUESTIONS {
            let name = name(dice.below(self.products), 0);
            let mut chosen: Vec<String> = name.split(' ').map(str::to_owned).collect();
            let surplus = chosen.len().checked_sub(words);
            let Some(surplus) = surplus else { continue };
            chosen = chosen.split_off(dice.below(surplus as u32 + 1) as usize);
            chosen.truncate(words);
            let raw = stems(&chosen.join(" "), &self.analyser);
            if let Some(last) = chosen.last_mut().filter(|_| typo) {
                last.insert(2 + dice.below(last.len() as u32 - 2) as usize, 'w');
            }
            questions.push(Question {
                text: chosen.join(" "),
                raw,
            });
        }
        questions
    }

    /// Asks every question of both indexes in turn, so that noise meets both.
    fn compare(&self, kind: &str, questions: &[Question], facets: bool) -> Outcome<()> {
        let snapshot = self.index.snapshot();
        let request = Request {
            limit: 10,
            facets,
            ..Request::default()
        };
        let (mut ours, mut raws, mut found) = (Times::default(), Times::default(), 0);
        for question in questions {
            let raw = self.raw.question(&question.raw);
            let (mut own, mut other) = (Times::default(), Times::default());
            for _ in 0..ROUNDS {
                let (answer, took) = time(|| self.ask(snapshot.as_ref(), &question.text, &request));
                found += answer?;
                own.add(took);
                let (answer, took) = time(|| self.raw.search(&raw));
                answer?;
                other.add(took);
            }
            ours.add(std::time::Duration::from_secs_f64(own.median() / 1e6));
            raws.add(std::time::Duration::from_secs_f64(other.median() / 1e6));
        }
        let ratio = ours.median() / raws.median();
        println!(
            "{kind:<18}{:>9.0}{:>9.0}{:>9.0}{:>9.1}{ratio:>8.1}{:>8}",
            ours.median(),
            ours.quantile(0.95),
            ours.mean(),
            raws.median(),
            found / (questions.len() * ROUNDS) as u64,
        );
        Ok(())
    }

    /// Documents found under the default configuration.
    fn ask(
        &self,
        snapshot: &dyn Snapshot,
        text: &str,
        request: &Request,
    ) -> Result<u64, EngineError> {
        let relevance = Relevance::default();
        let query = UserQuery::new(text, &self.analyser, &relevance.search_settings);
        let plan = Plan::new(&query, &relevance, DocType::Products);
        snapshot.search(&plan, request).map(|found| found.total)
    }

    /// The simulator's 500 explained hits against the ten of a page.
    fn breakdowns(&self) -> Outcome<()> {
        let snapshot = self.index.snapshot();
        let page = Request {
            limit: 10,
            ..Request::default()
        };
        let all = Request {
            limit: 500,
            ..Request::default()
        };
        let explained = Request {
            explain: true,
            ..all.clone()
        };
        let questions = self.worded(3, false);
        let mut medians = Vec::new();
        for request in [&page, &all, &explained] {
            let mut times = Times::default();
            for question in &questions {
                let (answer, took) = time(|| self.ask(snapshot.as_ref(), &question.text, request));
                answer?;
                times.add(took);
            }
            medians.push(times.median());
        }
        println!("\n3 words, 10 hits: {:.0} µs", medians[0]);
        for (what, median) in [("500 hits", medians[1]), ("500 hits explained", medians[2])] {
            println!(
                "3 words, {what}: {median:.0} µs, ratio {:.2}",
                median / medians[0]
            );
        }
        Ok(())
    }

    /// Blocks as a feed sends them: with other texts, then with other numbers alone.
    fn blocks(&self) -> Outcome<()> {
        println!();
        for (what, texts_changed) in [("texts", true), ("numbers", false)] {
            let mut times = Times::default();
            for block in 1..=BLOCKS {
                let mut dice = Dice::new(u64::from(block));
                let places = (0..BLOCK).map(|_| dice.below(self.products));
                let batch = batch(places, block, texts_changed);
                let (applied, took) = time(|| self.index.apply(batch));
                applied?;
                times.add(took);
            }
            let (median, most) = (times.median() / 1e3, times.quantile(0.95) / 1e3);
            println!("block of {BLOCK} changed {what}: {median:.1} ms, p95 {most:.1} ms");
        }
        Ok(())
    }
}

fn build(index: &dyn Index, products: u32) -> Result<(), EngineError> {
    let all: Vec<u32> = (0..products).collect();
    for numbers in all.chunks(5_000) {
        index.apply(batch(numbers.iter().copied(), 0, true))?;
    }
    index.freeze_averages()?;
    while !index.rest()? {
        std::thread::yield_now();
    }
    Ok(())
}

/// The products of these numbers in a version, each once.
fn batch(numbers: impl Iterator<Item = u32>, version: u32, texts_changed: bool) -> Batch {
    let numbers: std::collections::BTreeSet<u32> = numbers.collect();
    let changes = numbers.into_iter().map(|ordinal| Change {
        ordinal,
        document: Some(product(ordinal, version)),
        texts_changed,
    });
    Batch {
        changes: changes.collect(),
        watermark: i64::from(version) + 1,
    }
}

fn stems(text: &str, analyser: &Analyser) -> Vec<String> {
    analyser
        .words(text)
        .into_iter()
        .map(|token| token.stem)
        .collect()
}
