//! Hostile bodies: each kind fills the known fields of an operation with values that make a careless server expensive.

use domain::limits::JSON_DEPTH_MAX;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

/// The kind of a hostile body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nested beyond every limit.
    Deep,
    /// Objects with very many keys.
    Wide,
    /// Keys as long as the body.
    LongKeys,
    /// The same key repeated, below long keys.
    DuplicateKeys,
    /// Texts as long as the body.
    LongTexts,
    /// Lists with very many items.
    ManyItems,
    /// Lists of small values of every type but the right one.
    WrongTypes,
}

/// All kinds.
pub const KINDS: [Kind; 7] = [
    Kind::Deep,
    Kind::Wide,
    Kind::LongKeys,
    Kind::DuplicateKeys,
    Kind::LongTexts,
    Kind::ManyItems,
    Kind::WrongTypes,
];

/// A body of about `bytes` bytes that is hostile in each of `fields`, and has one unknown field.
pub fn body(kind: Kind, fields: &[String], bytes: usize) -> Vec<u8> {
    let mut names: Vec<&str> = fields.iter().map(String::as_str).collect();
    names.push("unknown");
    let share = bytes / names.len();
    let fields = names
        .iter()
        .map(|name| format!("\"{name}\":{}", value(kind, share)));
    let fields: Vec<String> = fields.collect();
    format!("{{{}}}", fields.join(",")).into_bytes()
}

/// A value of about `bytes` bytes.
fn value(kind: Kind, bytes: usize) -> String {
    match kind {
        Kind::Deep => format!("{}{}", "[".repeat(bytes / 2), "]".repeat(bytes / 2)),
        Kind::Wide => object((0..bytes / 12).map(|at| format!("\"k{at}\":0"))),
        Kind::LongKeys => format!("{{\"{}\":0}}", "K".repeat(bytes)),
        Kind::DuplicateKeys => duplicates(bytes),
        Kind::LongTexts => format!("\"{}\"", "x".repeat(bytes)),
        Kind::ManyItems => list("0", bytes),
        Kind::WrongTypes => list("{\"a\":0},\"x\",null,true,[],-1.5", bytes),
    }
}

/// A list that repeats `items`.
pub fn list(items: &str, bytes: usize) -> String {
    let rounds = bytes / (items.len() + 1);
    let items = std::iter::repeat_n(items, rounds.max(1));
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

/// Keys nested to the maximum depth, each of the maximum length, with a duplicate key at the bottom; or duplicate keys
/// alone if there are too few bytes for that.
fn duplicates(bytes: usize) -> String {
    let repeated = |bytes: usize| object((0..bytes / 5).map(|_| "\"\":0".to_owned()));
    let levels = (bytes / 2_048).min(JSON_DEPTH_MAX - 4);
    let key = "K".repeat(1_024);
    let mut value = repeated(bytes - levels * 1_030);
    for _ in 0..levels {
        value = format!("{{\"{key}\":{value}}}");
    }
    value
}

fn object(members: impl Iterator<Item = String>) -> String {
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

/// `content` compressed.
pub fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}
