//! Sends the documents of a file in blocks, within a run if the file is the whole catalogue.

use super::control::{ImportControl, ImportProgress};
use super::destination::Destination;
use super::failure::ImportFailure;
use super::file_import::FileImport;
use crate::admin::ImportRequest;
use catalogue_files::bounds::REJECTED_MAX;
use catalogue_files::report::result::{HeldRemoval, ImportResult, RejectedRow};
use catalogue_files::{Catalogue, FileDocument};
use domain::RunId;
use domain::feed::{RunClosed, ScopeStatus};
use domain::limits::{BLOCK_BYTES_MAX, BLOCK_DOCUMENTS_MAX};
use operations::import::ImportBlock;
use operations::import::run::ImportScope;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

/// Sends documents.
pub struct Sender<'a, 'd> {
    destination: &'a mut Destination<'d>,
    control: ImportControl,
    scope: ImportScope,
    run: Option<RunId>,
    /// Start of the import in milliseconds: what is written meanwhile is newer.
    rev: i64,
    /// Documents that the run saw.
    seen: u64,
    /// Documents that were sent or marked.
    done: u64,
    of: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OpenedRun {
    run_id: RunId,
}

#[derive(Deserialize)]
struct TouchedBlock {
    touched: u64,
    missing: Vec<String>,
    changed: Vec<String>,
}

/// A document with its size and hash.
struct HashedDocument {
    document: FileDocument,
    bytes: usize,
    hash: String,
}

impl<'a, 'd> Sender<'a, 'd> {
    /// Opens the run of a complete import.
    pub async fn open(
        import: &FileImport,
        destination: &'a mut Destination<'d>,
        control: &ImportControl,
    ) -> Result<Self, ImportFailure> {
        let mut sender = Self {
            destination,
            control: control.clone(),
            scope: import.scope.clone(),
            run: None,
            rev: import.settings.now.0,
            seen: 0,
            done: 0,
            of: 0,
        };
        if import.is_complete {
            let request = ImportRequest::Open {
                of: sender.scope.clone(),
                id: client_run_id(sender.rev),
            };
            let opened: OpenedRun = sender.destination.run(request).await?;
            sender.run = Some(opened.run_id);
        }
        Ok(sender)
    }

    /// Sends all documents; returns the result and the ids of rejected rows.
    pub async fn send(
        &mut self,
        catalogue: Catalogue,
    ) -> Result<(ImportResult, Vec<String>), ImportFailure> {
        let mut result = catalogue.result;
        self.of = result.documents;
        result.run_id = self.run.as_ref().map(RunId::to_string);
        let mut kept: Vec<String> = Vec::new();
        let mut block: Vec<HashedDocument> = Vec::new();
        let mut bytes = 0;
        for document in catalogue.documents {
            let document = hashed(document?);
            if block.len() == BLOCK_DOCUMENTS_MAX || bytes + document.bytes > BLOCK_BYTES_MAX {
                bytes = 0;
                self.send_block(std::mem::take(&mut block), &mut result, &mut kept)
                    .await?;
            }
            bytes += document.bytes;
            block.push(document);
        }
        self.send_block(block, &mut result, &mut kept).await?;
        for id in catalogue.kept {
            kept.push(id?);
        }
        result.rejected.sort_by_key(|row| row.row);
        Ok((result, kept))
    }

    async fn send_block(
        &mut self,
        block: Vec<HashedDocument>,
        result: &mut ImportResult,
        kept: &mut Vec<String>,
    ) -> Result<(), ImportFailure> {
        if block.is_empty() {
            return Ok(());
        }
        let all = block.len() as u64;
        let rest = match &self.run {
            Some(run) => self.touch(run.clone(), block, result).await?,
            None => block,
        };
        if !rest.is_empty() {
            self.send_documents(rest, result, kept).await?;
        }
        self.done += all;
        self.control.report(ImportProgress::Storing {
            documents: self.done,
            of: self.of,
            accepted: result.accepted,
            rejected: result.rejected_count(),
        });
        Ok(())
    }

    /// Marks the documents that are stored as they are; returns the others.
    async fn touch(
        &mut self,
        run: RunId,
        block: Vec<HashedDocument>,
        result: &mut ImportResult,
    ) -> Result<Vec<HashedDocument>, ImportFailure> {
        let hashes = block.iter().filter_map(|document| {
            let id = document.document.fields.get("id")?.as_str()?;
            Some((id.to_owned(), document.hash.clone()))
        });
        let hashes: Vec<(String, String)> = hashes.collect();
        if hashes.is_empty() {
            return Ok(block);
        }
        let request = ImportRequest::Touch {
            of: self.scope.clone(),
            run,
            hashes,
        };
        let touching = self.destination.run(request);
        let touched: TouchedBlock = self.control.unless_cancelled(touching).await?;
        let others: HashSet<String> = touched.missing.into_iter().chain(touched.changed).collect();
        result.accepted += touched.touched;
        result.unchanged += touched.touched;
        self.seen += touched.touched;
        let rest = block.into_iter().filter(|document| {
            let id = document.document.fields.get("id").and_then(Value::as_str);
            id.is_none_or(|id| others.contains(id))
        });
        Ok(rest.collect())
    }

    async fn send_documents(
        &mut self,
        block: Vec<HashedDocument>,
        result: &mut ImportResult,
        kept: &mut Vec<String>,
    ) -> Result<(), ImportFailure> {
        let mut rows = Vec::with_capacity(block.len());
        let mut documents = Vec::with_capacity(block.len());
        for HashedDocument { document, hash, .. } in block {
            rows.push((document.row, document.line));
            let mut fields = document.fields;
            fields.insert("hash".to_owned(), json!(hash));
            if self.run.is_some() {
                fields.insert("rev".to_owned(), json!(self.rev));
            }
            documents.push(Value::Object(fields));
        }
        let block = ImportBlock {
            store: self.scope.store.clone(),
            language: self.scope.language.clone(),
            doc_type: self.scope.doc_type,
            run: self.run.clone(),
            documents,
        };
        let storing = self.destination.block(&block);
        let response = self.control.unless_cancelled(storing).await?;
        result.accepted += response.accepted;
        result.clipped += response.clipped;
        result.stale += response.stale.len() as u64;
        result.new += response.new;
        result.changed += response.changed;
        result.unchanged += response.unchanged;
        self.seen += response.accepted + response.stale.len() as u64;
        for rejection in response.rejected {
            let (row, line) = rows.get(rejection.index).copied().unwrap_or_default();
            kept.extend(rejection.id.clone());
            if result.rejected.len() == REJECTED_MAX {
                result.rejected_more += 1;
                continue;
            }
            result.rejected.push(RejectedRow {
                line,
                row,
                id: rejection.id,
                code: rejection.code,
                field: rejection.field,
                column: None,
                message: rejection.message,
            });
        }
        Ok(())
    }

    /// Keeps the documents of rejected rows, and removes those that are not in the file.
    pub async fn close(
        &mut self,
        kept: Vec<String>,
        result: &mut ImportResult,
    ) -> Result<(), ImportFailure> {
        let Some(run) = self.run.clone() else {
            return Ok(());
        };
        for ids in kept.chunks(BLOCK_DOCUMENTS_MAX) {
            let request = ImportRequest::Keep {
                of: self.scope.clone(),
                run: run.clone(),
                ids: ids.to_vec(),
            };
            let keeping = self.destination.run(request);
            let count: u64 = self.control.unless_cancelled(keeping).await?;
            result.kept += count;
            self.seen += count;
        }
        let request = ImportRequest::Close {
            of: self.scope.clone(),
            run: run.clone(),
            seen: self.seen,
        };
        let closed: RunClosed = self.destination.run(request).await?;
        for scope in closed.scopes {
            match scope.status {
                ScopeStatus::Purged => result.removed += scope.purged,
                ScopeStatus::Held => {
                    result.held = Some(HeldRemoval {
                        run_id: run.to_string(),
                        would_purge: scope.would_purge.unwrap_or(0),
                    });
                }
                ScopeStatus::Mismatch | ScopeStatus::Skipped | ScopeStatus::Empty => {
                    return Err(ImportFailure::Changed);
                }
            }
        }
        Ok(())
    }

    /// Ends the run, so that nothing is removed.
    pub async fn abort(&mut self) {
        if let Some(run) = self.run.take() {
            let of = self.scope.clone();
            // A run that is left open ends by itself, without removing anything.
            let request = ImportRequest::Abort { of, run };
            let _: Result<Value, ImportFailure> = self.destination.run(request).await;
        }
    }
}

/// Returns an id of a run that no other import of any process has.
fn client_run_id(rev: i64) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("{rev}-{}-{next}", std::process::id())
}

fn hashed(document: FileDocument) -> HashedDocument {
    HashedDocument {
        bytes: document.bytes(),
        hash: document.hash(),
        document,
    }
}
