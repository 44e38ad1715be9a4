//! What goes through all of the house.

mod many_stores;
mod one_ranking;
mod parts_of_words;
