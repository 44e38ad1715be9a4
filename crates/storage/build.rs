//! Makes a new migration file rebuild the crate that embeds the folders.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
    println!("cargo:rerun-if-changed=../../migrations-analytics");
}
