//! Encodings of the hits of a simulation: as values, or as the JSON that is sent.
//!
//! Five hundred explained hits are half a megabyte of JSON, which takes longer than some searches. So they are serialised
//! once, where they are ranked, and not by a thread that serves connections.

use super::{Simulation, SimulationHit, Tested};
use crate::OperationError;
use serde_json::value::{RawValue, to_raw_value};

/// An encoding of a hit.
pub trait HitEncoding: Sized + Send + 'static {
    /// Encodes a hit.
    ///
    /// Errors: `Internal` if it cannot be encoded, which would be a bug of its type.
    fn of(hit: SimulationHit) -> Result<Self, OperationError>;
}

/// A hit as JSON text.
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

/// Bytes of JSON beside the hits, in most responses.
const OTHER_BYTES: usize = 8 * 1024;

impl Simulation<Json> {
    /// Returns the approximate size of its JSON, so that it is written into one buffer without reallocation.
    fn bytes(&self) -> usize {
        let hits = self.hits.iter().map(|hit| hit.get().len() + 1);
        OTHER_BYTES + hits.sum::<usize>()
    }
}

/// Bytes of JSON of a query of which the moves are returned, in most responses.
const QUERY_BYTES: usize = 2 * 1024;

impl Tested<Json> {
    /// Returns the approximate size of its JSON.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Full(simulation) => simulation.bytes(),
            Self::Bare(_) => OTHER_BYTES,
            Self::Moves(moves) => OTHER_BYTES + QUERY_BYTES * moves.queries.len(),
        }
    }
}
