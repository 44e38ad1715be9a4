//! The payload of every commit: the identity of the index, its progress, and its average lengths.

use super::averages::Averages;
use super::schema::FORMAT;
use crate::{EngineError, IndexSpec};
use serde::{Deserialize, Serialize};

/// The payload of a commit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CommitPayload {
    format: u32,
    identity: String,
    language: String,
    /// Whether the index contains the substrings of the words of names.
    pub partial: bool,
    /// Progress of the index.
    #[serde(flatten)]
    pub progress: CommitProgress,
    /// Average field lengths.
    pub averages: Averages,
}

/// The progress of an index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommitProgress {
    /// Sequence number of the last change that it contains.
    pub watermark: i64,
    /// Sequence number up to which it contained every text when it last caught up.
    pub settled: i64,
    /// Whether it is being built beside another one, which is used until this one is complete.
    pub building: bool,
}

impl CommitPayload {
    /// The payload of the index `spec`.
    pub fn new(spec: &IndexSpec, progress: CommitProgress, averages: Averages) -> Self {
        Self {
            format: FORMAT,
            identity: spec.identity.clone(),
            language: spec.language.base().to_owned(),
            partial: spec.partial,
            progress,
            averages,
        }
    }

    /// Parses `text`; none unless it is of a complete index `spec` in the current format.
    pub fn of(spec: &IndexSpec, text: &str) -> Option<Self> {
        let payload: Self = serde_json::from_str(text).ok()?;
        let is_valid = payload.format == FORMAT
            && payload.identity == spec.identity
            && payload.language == spec.language.base()
            && !payload.progress.building;
        is_valid.then_some(payload)
    }

    /// Serialises the payload.
    pub fn text(&self) -> Result<String, EngineError> {
        serde_json::to_string(self).map_err(EngineError::during("write the payload of a commit"))
    }
}
