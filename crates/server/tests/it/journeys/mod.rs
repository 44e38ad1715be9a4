//! What goes through all of the house.

mod one_ranking;
mod parts_of_words;
