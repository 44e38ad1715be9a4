//! Tests across the whole system.

mod many_stores;
mod n_grams;
mod one_ranking;
