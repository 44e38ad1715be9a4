//! The steps of a traced server and the answers between them, and what a power cut after any of them leaves on disk.

use std::collections::HashMap;
use std::ops::Range;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Bytes of a record before its own bytes: kind, file, offset, length.
const HEAD_BYTES: usize = 21;

/// Everything that a server did to its files, in its order.
pub struct Trace {
    records: Vec<Record>,
    /// Inode of the data directory.
    root: u64,
}

struct Record {
    kind: u8,
    /// Number of the file, or inode of the directory.
    file: u64,
    offset: u64,
    bytes: Vec<u8>,
}

/// A file as the disk knows it: what was flushed, and the steps since.
#[derive(Default)]
struct Content {
    flushed: Vec<u8>,
    since: Vec<usize>,
}

impl Trace {
    /// Reads what was written down about a server on `root`.
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

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// How many records the first `bytes` of the trace hold.
    pub fn records_in(&self, bytes: u64) -> usize {
        let ends = self.records.iter().scan(0, |end, record| {
            *end += (HEAD_BYTES + record.bytes.len()) as u64;
            Some(*end)
        });
        ends.take_while(|end| *end <= bytes).count()
    }

    /// After how many records each answer left.
    pub fn answers(&self) -> Vec<usize> {
        let is_answer = |record: &Record| {
            let starts: [&[u8]; 2] = [b"HTTP/1.1 ", b"{\"Ok\":"];
            record.kind == b'A' && starts.iter().any(|start| record.bytes.starts_with(start))
        };
        let numbered = self.records.iter().enumerate();
        numbered
            .filter(|(_, record)| is_answer(record))
            .map(|(at, _)| at + 1)
            .collect()
    }

    /// The names of the files that match `of` and hold something unflushed after `count` records.
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

    /// Builds in `target` what is left when the power fails after `count` records.
    ///
    /// Of every file that is what it held when it was last flushed, and of the later writes those that `survives`
    /// says. Of every directory it is the names of its last flush, or the later ones if they survive. Directories
    /// themselves stay: without them no index would be left to look at.
    pub fn restore(&self, count: usize, target: &Path, mut survives: impl FnMut() -> bool) {
        let left = self.left(count, &mut survives);
        let mut waiting = vec![(self.root, PathBuf::from("/"))];
        while let Some((directory, path)) = waiting.pop() {
            let here = target.join(path.strip_prefix("/").expect("below the root"));
            std::fs::create_dir_all(&here).expect("a directory");
            let made = left
                .made
                .iter()
                .filter(|(made, _)| made.parent() == Some(&path));
            waiting.extend(made.map(|(path, inode)| (*inode, path.clone())));
            for (kind, number, name) in left.names.get(&directory).into_iter().flatten() {
                if *kind == "d" {
                    let path = path.join(name);
                    if !left.made.contains_key(&path) {
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
                    left.made.insert(PathBuf::from(text()), record.file);
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

/// What is on the disk.
#[derive(Default)]
struct Left<'a> {
    contents: HashMap<u64, Content>,
    /// Kind, number and name of what is in each directory, by inode.
    names: HashMap<u64, Vec<(&'a str, u64, &'a str)>>,
    /// Inodes of the directories that the server made, by their paths below the root.
    made: HashMap<PathBuf, u64>,
}

impl Record {
    /// Does to `bytes` what the step did to its file.
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

/// Kind, number and name of a line that the library writes of a directory.
fn entry(line: &str) -> (&str, u64, &str) {
    let mut parts = line.splitn(3, ' ');
    let mut next = || parts.next().expect("three parts");
    (next(), next().parse().expect("a number"), next())
}
