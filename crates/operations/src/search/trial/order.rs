//! The order of the hits of a query under one configuration, and what differs between two orders.

use crate::search::ranking::Ranking;
use std::collections::HashMap;

/// The order of the hits of a query, and how many it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    /// Ids of the hits.
    pub ids: Vec<String>,
    /// Number of all hits.
    pub total: u64,
}

impl Order {
    /// Returns the order of the hits of a ranking.
    pub fn of(ranking: &Ranking) -> Self {
        let hits = ranking.found.hits.iter();
        Self {
            ids: hits.map(|hit| hit.id.clone()).collect(),
            total: ranking.found.total,
        }
    }
}

/// What differs between two orders.
pub(crate) struct Moves {
    /// Id, position and saved position of every hit.
    pub order: Vec<(String, u32, Option<u32>)>,
    /// Hits at another position.
    pub moved: usize,
    /// Hits that were none.
    pub entered: usize,
    /// Hits that are none any more.
    pub left: Vec<String>,
}

impl Moves {
    /// Compares an order with the saved one.
    pub fn between(tried: Order, saved: Order) -> Self {
        let mut places: HashMap<String, u32> = saved.ids.iter().cloned().zip(1..).collect();
        let order: Vec<(String, u32, Option<u32>)> = tried
            .ids
            .into_iter()
            .zip(1..)
            .map(|(id, position)| {
                let saved = places.remove(&id);
                (id, position, saved)
            })
            .collect();
        let moved = order
            .iter()
            .filter(|(_, position, saved)| saved.is_some_and(|saved| saved != *position));
        let entered = order.iter().filter(|(_, _, saved)| saved.is_none());
        let gone = saved.ids.into_iter().filter(|id| places.contains_key(id));
        Self {
            moved: moved.count(),
            entered: entered.count(),
            left: gone.collect(),
            order,
        }
    }
}
