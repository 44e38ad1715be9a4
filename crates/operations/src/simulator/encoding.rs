//! In what form hits are told: as they are, or as the JSON that is sent.
//!
//! Five hundred explained hits are half a megabyte of JSON, and one thread would be busy with it for longer than with
//! some searches. So each hit is laid out by the thread that explained it.

use super::{Simulation, SimulationHit};
use crate::OperationError;
use serde_json::value::{RawValue, to_raw_value};

/// A form of a hit.
pub trait HitEncoding: Sized + Send + 'static {
    /// The hit in this form.
    ///
    /// Errors: internal when it has no such form, which would be a mistake of its type.
    fn of(hit: SimulationHit) -> Result<Self, OperationError>;
}

/// JSON, as it is sent.
pub type Json = Box<RawValue>;

impl HitEncoding for SimulationHit {
    fn of(hit: SimulationHit) -> Result<Self, OperationError> {
        Ok(hit)
    }
}

impl HitEncoding for Json {
    fn of(hit: SimulationHit) -> Result<Self, OperationError> {
        to_raw_value(&hit).map_err(OperationError::internal)
    }
}

/// Bytes of JSON beside the hits, in most answers.
const OTHER_BYTES: usize = 8 * 1024;

impl Simulation<Json> {
    /// About how many bytes of JSON it is, so that it is written into one piece of memory.
    pub fn bytes(&self) -> usize {
        let hits = self.hits.iter().map(|hit| hit.get().len() + 1);
        OTHER_BYTES + hits.sum::<usize>()
    }
}
