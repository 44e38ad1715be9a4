//! Makes a new migration file rebuild the crate that embeds the folder.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
