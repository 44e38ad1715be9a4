//! Breakdowns: the parts of the score of each hit, in a second pass over the hits alone.
//!
//! Reads the posting lists of the same clauses as the search, adds up what each word scores in each field, and
//! names the words that a hit contains. The arithmetic is that of the search, so a breakdown explains the score
//! that ranked the hit. A search without breakdowns pays nothing for them.

pub mod explainer;
mod hit_parts;
mod matches;
