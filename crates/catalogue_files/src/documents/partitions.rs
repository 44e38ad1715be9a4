//! Divides rows by the id of their document into temporary files, so that one file at a time is merged in memory, and
//! returns the documents in the order of the file.

use super::facts::RowFacts;
use super::merge::{AddedRow, MergeRules, MergedGroup, RowGroup};
use super::spool::{Spool, SpoolReader};
use crate::bounds::{DOCUMENTS_MAX, PARTITION_BYTES, PARTITIONS_MAX};
use crate::error::{FileError, FileErrorCode, ReadError};
use crate::report::codes;
use crate::report::findings::Findings;
use crate::report::result::RejectedRow;
use crate::statistics::DocumentStatistics;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::cmp::Reverse;
use std::collections::hash_map::RandomState;
use std::collections::{BinaryHeap, HashMap};
use std::hash::BuildHasher;
use std::io;
use std::path::{Path, PathBuf};

/// A document of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileDocument {
    /// Number of its first row.
    pub row: u64,
    /// Line of that row.
    pub line: u64,
    /// Its fields.
    pub fields: Map<String, Value>,
}

impl FileDocument {
    /// Returns the bytes of its JSON text.
    pub fn bytes(&self) -> usize {
        self.text().len()
    }

    /// Returns the SHA-256 of its JSON text in hexadecimal.
    pub fn hash(&self) -> String {
        let digest = Sha256::digest(self.text().as_bytes());
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn text(&self) -> String {
        serde_json::to_string(&self.fields).unwrap_or_default()
    }
}

/// Rows, divided by the id of their document.
#[derive(Debug)]
pub struct Partitions {
    folder: PathBuf,
    spools: Vec<Spool<RowFacts>>,
    /// Seeded at random, so that no file can aim at one partition.
    hasher: RandomState,
}

impl Partitions {
    /// Creates the files of a text of so many bytes.
    pub fn new(folder: &Path, bytes: u64) -> io::Result<Self> {
        let count = (1 + bytes / PARTITION_BYTES).min(PARTITIONS_MAX);
        let spools = (0..count).map(|_| Spool::new(folder));
        Ok(Self {
            folder: folder.to_owned(),
            spools: spools.collect::<io::Result<_>>()?,
            hasher: RandomState::new(),
        })
    }

    /// Adds a row.
    pub fn add(&mut self, facts: &RowFacts) -> io::Result<()> {
        let hash = self.hasher.hash_one(&facts.key);
        let count = self.spools.len() as u64;
        let index = usize::try_from(hash % count).unwrap_or(0);
        self.spools[index].write(facts)
    }

    /// Merges the rows of each document.
    pub fn merge(
        self,
        rules: &MergeRules,
        findings: &mut Findings,
        statistics: &mut DocumentStatistics,
        kept: &mut Spool<String>,
    ) -> Result<MergedFile, ReadError> {
        let mut parts = Vec::with_capacity(self.spools.len());
        for spool in self.spools {
            let mut groups = Groups {
                findings: &mut *findings,
                kept: &mut *kept,
                groups: HashMap::new(),
                order: Vec::new(),
            };
            for facts in spool.finish()? {
                groups.add(facts?)?;
            }
            let mut documents = groups.documents(rules)?;
            documents.sort_by_key(|document| document.row);
            let mut part = Spool::new(&self.folder)?;
            for document in documents {
                statistics.add(&document.fields);
                if statistics.documents > DOCUMENTS_MAX {
                    let message = format!("more than {DOCUMENTS_MAX} products");
                    return Err(FileError::new(FileErrorCode::TooManyRows, message).into());
                }
                part.write(&document)?;
            }
            parts.push(part.finish()?);
        }
        MergedFile::new(parts)
    }
}

struct Groups<'a> {
    findings: &'a mut Findings,
    kept: &'a mut Spool<String>,
    groups: HashMap<String, RowGroup>,
    order: Vec<String>,
}

impl Groups<'_> {
    fn add(&mut self, facts: RowFacts) -> Result<(), ReadError> {
        let (row, line, key) = (facts.row, facts.line, facts.key.clone());
        if !self.groups.contains_key(&key) {
            self.order.push(key.clone());
        }
        match self.groups.entry(key.clone()).or_default().add(facts) {
            AddedRow::New => {}
            AddedRow::Again => self.findings.warn(codes::DUPLICATE_ID, None, line, &key),
            AddedRow::TooMany => self.reject(row, line, &key, codes::TOO_MANY_VARIANTS)?,
        }
        Ok(())
    }

    fn documents(mut self, rules: &MergeRules) -> Result<Vec<FileDocument>, ReadError> {
        let mut documents = Vec::with_capacity(self.order.len());
        for key in std::mem::take(&mut self.order) {
            let Some(group) = self.groups.remove(&key) else {
                continue;
            };
            let rows: Vec<(u64, u64)> = group.rows().collect();
            let Some((row, line)) = rows.iter().min().copied() else {
                continue;
            };
            match group.merge(rules) {
                MergedGroup::Document(document) => {
                    for _ in 0..document.hidden {
                        self.findings.skip(codes::NOT_PUBLISHED);
                    }
                    documents.push(FileDocument {
                        row,
                        line,
                        fields: document.fields,
                    });
                }
                MergedGroup::Hidden => {
                    for _ in rows {
                        self.findings.skip(codes::NOT_PUBLISHED);
                    }
                }
                MergedGroup::Nameless => {
                    let code = rules.doc_type.fields().name_missing;
                    for (row, line) in rows {
                        self.reject(row, line, &key, code)?;
                    }
                }
            }
        }
        Ok(documents)
    }

    fn reject(&mut self, row: u64, line: u64, id: &str, code: &str) -> Result<(), ReadError> {
        self.kept.write(&id.to_owned())?;
        self.findings.reject(RejectedRow {
            line,
            row,
            id: Some(id.to_owned()),
            code: code.to_owned(),
            field: None,
            column: None,
            message: codes::text(code).to_owned(),
        });
        Ok(())
    }
}

/// The documents of a file, in the order of their first rows.
#[derive(Debug)]
pub struct MergedFile {
    parts: Vec<SpoolReader<FileDocument>>,
    next: BinaryHeap<Reverse<(u64, usize)>>,
    heads: Vec<Option<FileDocument>>,
}

impl MergedFile {
    fn new(mut parts: Vec<SpoolReader<FileDocument>>) -> Result<Self, ReadError> {
        let mut next = BinaryHeap::with_capacity(parts.len());
        let mut heads = Vec::with_capacity(parts.len());
        for (index, part) in parts.iter_mut().enumerate() {
            let head = part.next().transpose()?;
            if let Some(head) = &head {
                next.push(Reverse((head.row, index)));
            }
            heads.push(head);
        }
        Ok(Self { parts, next, heads })
    }
}

impl Iterator for MergedFile {
    type Item = io::Result<FileDocument>;

    fn next(&mut self) -> Option<Self::Item> {
        let Reverse((_, index)) = self.next.pop()?;
        let following = match self.parts[index].next().transpose() {
            Ok(following) => following,
            Err(error) => return Some(Err(error)),
        };
        if let Some(following) = &following {
            self.next.push(Reverse((following.row, index)));
        }
        let document = std::mem::replace(&mut self.heads[index], following);
        document.map(Ok)
    }
}
