//! What a server keeps when its process, its disk, its index or its clock fails.
//!
//! A test here knows what responses acknowledged and compares all of it, through the interface and the command line,
//! with what the next server returns. The failing disk is a small library in C between the server and its files.

mod backpressure;
mod clock_back;
mod complete_imports;
mod damaged_index;
mod data;
mod disk;
mod expected;
mod feeder;
mod full_disk;
mod kills;
mod owner;
mod power_cut;
mod random;
mod removal;
mod runner;
mod search_log;
mod trace;

pub use random::Random;
