//! What goes through all of the house.

mod durability;
mod one_ranking;
