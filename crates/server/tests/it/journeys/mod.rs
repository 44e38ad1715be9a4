//! Tests across the whole system.

mod many_stores;
mod one_ranking;
mod parts_of_words;
