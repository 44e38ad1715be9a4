//! The steps of a traced server and the responses between them, and what a power cut after any of them leaves on disk.

use std::collections::HashMap;
use std::ops::Range;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The size of a record's header: kind, file, offset, length.
const HEAD_BYTES: usize = 21;

/// Everything that a server did to its files, in order.
pub struct Trace {
    records: Vec<Record>,
    /// The inode of the data directory.
    root: u64,
}

struct Record {
    kind: u8,
    /// The number of the file, or the inode of the directory.
    file: u64,
    offset: u64,
    bytes: Vec<u8>,
}

/// A file as the disk knows it: its flushed bytes, and the steps since.
#[derive(Default)]
struct Content {
    flushed: Vec<u8>,
    since: Vec<usize>,
}

impl Trace {
    /// Reads the trace of a server on `root`.
    pub fn read(trace: &Path, root: &Path) -> Self {
        let bytes = std::fs::read(trace).expect("a trace");
        let mut rest = bytes.as_slice();
        let mut records = Vec::new();
        while !rest.is_empty() {
            let (head, more) = rest.split_at(HEAD_BYTES);
            let word = |at: Range<usize>| u64::from_ne_bytes(head[at].try_into().expect("8 bytes"));
            let length = u32::from_ne_bytes(head[17..21].try_into().expect("4 bytes"));
            let (bytes, more) = more.split_at(length as usize);
            records.push(Record {
                kind: head[0],
                file: word(1..9),
                offset: word(9..17),
                bytes: bytes.to_vec(),
            });
            rest = more;
        }
        let root = std::fs::metadata(root).expect("a directory").ino();
        Self { records, root }
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// The number of records in the first `bytes` of the trace.
    pub fn records_in(&self, bytes: u64) -> usize {
        let ends = self.records.iter().scan(0, |end, record| {
            *end += (HEAD_BYTES + record.bytes.len()) as u64;
            Some(*end)
        });
        ends.take_while(|end| *end <= bytes).count()
    }

    /// The number of records before each response.
    pub fn responses(&self) -> Vec<usize> {
        let is_response = |record: &Record| {
            let starts: [&[u8]; 2] = [b"HTTP/1.1 ", b"{\"Ok\":"];
            record.kind == b'A' && starts.iter().any(|start| record.bytes.starts_with(start))
        };
        let numbered = self.records.iter().enumerate();
        numbered
            .filter(|(_, record)| is_response(record))
            .map(|(at, _)| at + 1)
            .collect()
    }

    /// The names of the files that match `of` and have unflushed writes after `count` records.
    pub fn unflushed(&self, count: usize, of: impl Fn(&str) -> bool) -> Vec<String> {
        let mut dirty: HashMap<u64, bool> = HashMap::new();
        let mut names: HashMap<u64, String> = HashMap::new();
        for record in &self.records[..count] {
            match record.kind {
                b'C' => {
                    let name = String::from_utf8(record.bytes.clone()).expect("a name");
                    names.insert(record.file, name);
                }
                b'W' | b'T' => drop(dirty.insert(record.file, true)),
                b'S' => drop(dirty.insert(record.file, false)),
                _ => {}
            }
        }
        let dirty = names
            .into_iter()
            .filter(|(file, name)| dirty.get(file) == Some(&true) && of(name));
        dirty.map(|(_, name)| name).collect()
    }

    /// Builds in `target` what is left if the power fails after `count` records.
    ///
    /// A file has its content at its last flush, and those of the later writes for which `survives` returns true. A
    /// directory has its names at its last flush, or the later ones if they survive. Directories themselves remain:
    /// without them no index would be left to examine.
    pub fn restore(&self, count: usize, target: &Path, mut survives: impl FnMut() -> bool) {
        let left = self.left(count, &mut survives);
        let mut waiting = vec![(self.root, PathBuf::from("/"))];
        while let Some((directory, path)) = waiting.pop() {
            let here = target.join(path.strip_prefix("/").expect("below the root"));
            std::fs::create_dir_all(&here).expect("a directory");
            let created = left
                .created
                .iter()
                .filter(|(created, _)| created.parent() == Some(&path));
            waiting.extend(created.map(|(path, inode)| (*inode, path.clone())));
            for (kind, number, name) in left.names.get(&directory).into_iter().flatten() {
                if *kind == "d" {
                    let path = path.join(name);
                    if !left.created.contains_key(&path) {
                        waiting.push((*number, path));
                    }
                    continue;
                }
                let mut bytes = Vec::new();
                if let Some(content) = left.contents.get(number) {
                    bytes.clone_from(&content.flushed);
                    let since = content.since.iter().filter(|_| survives());
                    since.for_each(|at| self.records[*at].apply(&mut bytes));
                }
                std::fs::write(here.join(name), bytes).expect("written");
            }
        }
    }

    fn left(&self, count: usize, survives: &mut impl FnMut() -> bool) -> Left<'_> {
        let later_names = survives();
        let mut left = Left::default();
        for (at, record) in self.records[..count].iter().enumerate() {
            let text = || std::str::from_utf8(&record.bytes).expect("names");
            match record.kind {
                b'C' => drop(left.contents.insert(record.file, Content::default())),
                b'W' | b'T' => left.contents.entry(record.file).or_default().since.push(at),
                b'S' => {
                    let content = left.contents.entry(record.file).or_default();
                    for at in std::mem::take(&mut content.since) {
                        self.records[at].apply(&mut content.flushed);
                    }
                }
                b'M' => {
                    left.created.insert(PathBuf::from(text()), record.file);
                    left.names.remove(&record.file);
                }
                b'N' if !later_names => {}
                b'D' | b'N' => {
                    let names = text().lines().map(entry).collect();
                    left.names.insert(record.file, names);
                }
                _ => {}
            }
        }
        left
    }
}

/// The content of the disk.
#[derive(Default)]
struct Left<'a> {
    contents: HashMap<u64, Content>,
    /// Kind, number and name of each entry of a directory, by inode.
    names: HashMap<u64, Vec<(&'a str, u64, &'a str)>>,
    /// Inodes of the directories that the server created, by their paths below the root.
    created: HashMap<PathBuf, u64>,
}

impl Record {
    /// Applies the step to the bytes of its file.
    fn apply(&self, bytes: &mut Vec<u8>) {
        let offset = usize::try_from(self.offset).expect("a small file");
        if self.kind == b'T' {
            bytes.resize(offset, 0);
            return;
        }
        let end = offset + self.bytes.len();
        if bytes.len() < end {
            bytes.resize(end, 0);
        }
        bytes[offset..end].copy_from_slice(&self.bytes);
    }
}

/// Parses a directory entry of the trace: its kind, number and name.
fn entry(line: &str) -> (&str, u64, &str) {
    let mut parts = line.splitn(3, ' ');
    let mut next = || parts.next().expect("three fields");
    (next(), next().parse().expect("a number"), next())
}
