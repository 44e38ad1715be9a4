//! The result of an import, the same from the command line and the control panel (`docs/import.md`).

use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The result of an import.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the keys are explained in docs/import.md")]
pub struct ImportResult {
    pub received: u64,
    pub accepted: u64,
    pub clipped: u64,
    pub stale: u64,
    pub rejected: Vec<RejectedRow>,
    #[serde(skip_serializing_if = "is_zero")]
    pub rejected_more: u64,
    pub documents: u64,
    pub new: u64,
    pub changed: u64,
    pub unchanged: u64,
    pub removed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<HeldRemoval>,
    pub kept: u64,
    pub skipped: BTreeMap<&'static str, u64>,
    pub warnings: Vec<ImportWarning>,
    pub notices: Vec<ImportNotice>,
    pub file: FileFacts,
    #[serde(rename = "type")]
    pub doc_type: &'static str,
    pub language: String,
    pub columns: Vec<ColumnReport>,
    pub extra_columns: Vec<String>,
    pub dropped_columns: Vec<String>,
    pub fields: Vec<FieldReport>,
    pub missing_fields: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_sale_change: Option<domain::Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    pub took_ms: u64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sampled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preview: Option<Vec<Map<String, Value>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ImportError>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl ImportResult {
    /// Returns the number of rejected rows, also of those that are not named.
    pub fn rejected_count(&self) -> u64 {
        self.rejected.len() as u64 + self.rejected_more
    }
}

/// A rejected row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the keys are explained in docs/import.md")]
pub struct RejectedRow {
    pub line: u64,
    pub row: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub code: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    pub message: String,
}

/// Cells that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the keys are explained in docs/import.md")]
pub struct ImportWarning {
    pub code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    pub count: u64,
    pub lines: Vec<u64>,
    pub example: String,
    pub message: &'static str,
}

/// What the whole file is like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the keys are explained in docs/import.md")]
pub struct ImportNotice {
    pub code: &'static str,
    pub message: String,
}

/// What was found out about the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the keys are explained in docs/import.md")]
pub struct FileFacts {
    pub name: String,
    pub bytes: u64,
    pub container: &'static str,
    pub format: &'static str,
    pub profile: &'static str,
    pub encoding: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<String>,
}

/// A column of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the keys are explained in docs/import.md")]
pub struct ColumnReport {
    pub column: String,
    pub targets: Vec<String>,
    pub filled: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<String>,
}

/// A field of the documents.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the keys are explained in docs/import.md")]
pub struct FieldReport {
    pub field: String,
    pub filled: u64,
    /// Share of the documents, with four decimals.
    pub share: f64,
}

/// A removal that the owner has to release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the keys are explained in docs/import.md")]
pub struct HeldRemoval {
    pub run_id: String,
    pub would_purge: u64,
}

/// Why nothing was imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the keys are explained in docs/import.md")]
pub struct ImportError {
    pub code: String,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
}
