//! A type name occurs once in the crates: a type with the name of another one is a finding.

use super::words::declared_type;
use crate::workspace::SourceFile;
use std::collections::BTreeMap;

/// The findings of all sources of the crates; items of functions and implementations are left out.
pub fn check(files: &[SourceFile]) -> Vec<String> {
    let sources = files.iter().filter(|file| {
        let source = file.path.starts_with("crates/") && file.path.contains("/src/");
        source && file.ends_with("rs") && !file.path.ends_with("tests.rs")
    });
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for file in sources {
        for (number, line) in file.product().lines().enumerate() {
            let at_top = !line.starts_with(char::is_whitespace);
            if let Some(name) = declared_type(line).filter(|_| at_top) {
                let place = format!("{}:{}", file.path, number + 1);
                places.entry(name).or_default().push(place);
            }
        }
    }
    let twice = places.into_iter().filter(|(_, places)| places.len() > 1);
    twice
        .map(|(name, places)| {
            format!(
                "{}: types of the same name {name}; rename one",
                places.join(", ")
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    //! 1. The same name in two files is one finding. 2. Tests, inner items, and files outside the crates do not count.

    use super::check;
    use crate::workspace::SourceFile;

    fn of(second: (&str, &str)) -> usize {
        let first = ("crates/a/src/a.rs", "//! A.\npub struct Entry;\n");
        let files = [first, second].map(|(path, text)| SourceFile {
            path: path.to_owned(),
            text: text.to_owned(),
        });
        check(&files).len()
    }

    #[test]
    fn a_second_type_of_the_name_is_found() {
        assert_eq!(of(("crates/b/src/b.rs", "//! B.\nenum Entry { A }\n")), 1);
        assert_eq!(of(("crates/b/src/b.rs", "//! B.\nenum Entries { A }\n")), 0);
    }

    #[test]
    fn tests_and_inner_items_do_not_count() {
        let inner = "//! B.\nimpl Iterator for B {\n    type Entry = u8;\n}\n";
        assert_eq!(of(("crates/b/src/b.rs", inner)), 0);
        let unit = "//! B.\n#[cfg(test)]\nmod tests {\n    struct Entry;\n}\n";
        assert_eq!(of(("crates/b/src/b.rs", unit)), 0);
        assert_eq!(of(("crates/b/tests/b.rs", "//! B.\nstruct Entry;\n")), 0);
        assert_eq!(of(("xtask/src/b.rs", "//! B.\nstruct Entry;\n")), 0);
    }
}
