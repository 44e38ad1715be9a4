//! What stands in the payload of every commit: whose index it is, how far it has come, and its average lengths.

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
    /// Whether it holds the parts of the words of names.
    pub partial: bool,
    /// Where it stands.
    #[serde(flatten)]
    pub progress: Progress,
    /// Its average lengths.
    pub averages: Averages,
}

/// How far an index has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Number of the last change that it holds.
    pub watermark: i64,
    /// Number up to which it held every text when it last had caught up.
    pub settled: i64,
    /// Whether it is being built beside another one, which counts until this one is complete.
    pub building: bool,
}

impl CommitPayload {
    /// The payload of an index of `spec`.
    pub fn new(spec: &IndexSpec, progress: Progress, averages: Averages) -> Self {
        Self {
            format: FORMAT,
            identity: spec.identity.clone(),
            language: spec.language.base().to_owned(),
            partial: spec.partial,
            progress,
            averages,
        }
    }

    /// The payload that `text` holds, if it is of a complete index of `spec` and of this version.
    pub fn of(spec: &IndexSpec, text: &str) -> Option<Self> {
        let payload: Self = serde_json::from_str(text).ok()?;
        let fits = payload.format == FORMAT
            && payload.identity == spec.identity
            && payload.language == spec.language.base()
            && !payload.progress.building;
        fits.then_some(payload)
    }

    /// Its form in the commit.
    pub fn text(&self) -> Result<String, EngineError> {
        serde_json::to_string(self).map_err(EngineError::during("write a commit's payload"))
    }
}
