//! The names that a Rust file declares.

/// The name of the type or trait that `line` declares.
pub fn declared(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let mut word = words.next()?;
    while word.starts_with("pub") || word == "unsafe" {
        // `pub(in path)` has a second word.
        word = words.find(|w| !w.ends_with(')'))?;
    }
    if !["struct", "enum", "trait", "type", "union"].contains(&word) {
        return None;
    }
    let name = words.next()?;
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_');
    Some(&name[..end.unwrap_or(name.len())])
}
