//! Tests across the whole system.

mod known_items;
mod many_stores;
mod n_grams;
mod one_ranking;
