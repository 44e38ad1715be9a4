//! How relevance is measured on queries that nobody had to judge: samples of a catalogue, as pure functions.

pub mod choices;
