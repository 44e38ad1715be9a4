//! The types and functions that a Rust file declares.

use crate::workspace::SourceFile;

/// Returns the names of the types and functions of a file without its tests, each with the number of its line.
pub(super) fn declared(file: &SourceFile) -> Vec<(usize, &str)> {
    if file.path.ends_with("/tests.rs") {
        return Vec::new();
    }
    let mut names = Vec::new();
    let mut is_test = false;
    for (number, line) in (1..).zip(file.product().lines()) {
        let function = declared_function(line).filter(|_| !is_test);
        let name = declared_type(line).or(function);
        names.extend(name.map(|name| (number, name)));
        is_test = line.trim() == "#[test]";
    }
    names
}

/// Returns the name of the type or trait that `line` declares.
pub fn declared_type(line: &str) -> Option<&str> {
    name_after(line, &["struct", "enum", "trait", "type", "union"])
}

fn declared_function(line: &str) -> Option<&str> {
    name_after(line, &["fn"])
}

/// Returns the name that follows one of `keywords` at the start of `line`, after words such as `pub`.
fn name_after<'a>(line: &'a str, keywords: &[&str]) -> Option<&'a str> {
    let mut words = line.split_whitespace();
    let mut word = words.next()?;
    while word.starts_with("pub") || ["unsafe", "async", "const", "extern"].contains(&word) {
        // `pub(in path)` has a second word.
        word = words.find(|w| !w.ends_with(')'))?;
    }
    if !keywords.contains(&word) {
        return None;
    }
    let name = words.next()?;
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_');
    Some(&name[..end.unwrap_or(name.len())])
}

#[cfg(test)]
mod tests {
    //! Proves: 1. declarations are found whatever stands before them; comments and calls are none.

    use super::{declared_function, declared_type};

    #[test]
    fn declarations_of_types_are_found() {
        let sheet = "pub(in crate::a) struct Sheet<S> {";
        assert_eq!(declared_type(sheet), Some("Sheet"));
        assert_eq!(declared_type("    type Item = u32;"), Some("Item"));
        assert_eq!(
            declared_type("pub(crate) trait Sieve: Send {"),
            Some("Sieve")
        );
        assert_eq!(declared_type("// struct Sheet"), None);
        assert_eq!(declared_type("fn bar() {}"), None);
    }

    #[test]
    fn declarations_of_functions_are_found() {
        assert_eq!(declared_function("fn bar() {}"), Some("bar"));
        assert_eq!(
            declared_function("    pub(crate) async fn bar<T>(a: T)"),
            Some("bar")
        );
        assert_eq!(declared_function("pub const fn bar("), Some("bar"));
        assert_eq!(declared_function("let fun = || bar();"), None);
    }
}
