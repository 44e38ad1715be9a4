//! The form in which a simulation is sent: its hits laid out by cores that have nothing to do.
//!
//! Five hundred explained hits are half a megabyte of JSON, and one thread would be busy with it for longer than with
//! some searches.

use super::{Simulation, SimulationHit};
use crate::OperationError;
use engine::together::{each, threads_for};
use serde_json::value::{RawValue, to_raw_value};

/// Shares of hits for each thread, so that all end at about the same time.
const SHARES: usize = 4;

/// A hit as it is sent.
type Sent = Box<RawValue>;

impl Simulation {
    /// The same, with hits in the form in which they are sent.
    ///
    /// Errors: internal when a hit has no JSON form, which would be a mistake of its type.
    pub fn laid_out(self) -> Result<Simulation<Sent>, OperationError> {
        let sent = lay_out(&self.hits).map_err(OperationError::internal)?;
        Ok(self.with_hits(sent))
    }
}

fn lay_out(hits: &[SimulationHit]) -> serde_json::Result<Vec<Sent>> {
    let threads = threads_for(hits.len());
    let share = hits.len().div_ceil(threads * SHARES).max(1);
    let shares: Vec<_> = hits.chunks(share).collect();
    let sent = each(threads, &shares, |share| {
        let sent = share.iter().map(to_raw_value);
        sent.collect::<serde_json::Result<Vec<_>>>()
    });
    let mut all = Vec::with_capacity(hits.len());
    for share in sent {
        all.append(&mut share?);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    //! However many hits there are, all are sent, in their order, in the form that one alone has.

    use super::*;

    fn hit(position: u32) -> SimulationHit {
        SimulationHit {
            position,
            saved_position: Some(position),
            id: format!("product {position}"),
            name: "A tent \"for two\"".to_owned(),
            reference: String::new(),
            image: String::new(),
            price: Some(0.1 + f64::from(position)),
            in_stock: true,
            score: 1.0 / f64::from(position),
            breakdown: None,
        }
    }

    #[test]
    fn all_hits_are_sent_in_order() {
        for number in [0, 1, 2, 50, 499] {
            let hits: Vec<SimulationHit> = (1..=number).map(hit).collect();
            let sent = lay_out(&hits).expect("hits have a JSON form");
            let sent = serde_json::to_string(&sent).expect("it is JSON");
            assert_eq!(sent, serde_json::to_string(&hits).expect("it is JSON"));
        }
    }
}
