//! Names of types and files in the field's words: what a stranger would need a dictionary for is found, with the word
//! to write in its place (`docs/glossary.md`).
//!
//! Only whole components count, of CamelCase and of snake_case: `near` is found in `NearTerm` and not in `Nearest`.
//! Left out, because the field uses them too: word (of a query), list (of synonyms), form (a surface form), change (of a
//! configuration), most, level (of a log or of advice), leading, top (top-k), rest (the interface REST) and split.

mod list;
mod rust;

pub use rust::declared;

use crate::workspace::SourceFile;
use list::{components, replacement};

/// The findings of all source files of the crates.
pub fn check(files: &[SourceFile]) -> Vec<String> {
    files.iter().flat_map(check_file).collect()
}

fn check_file(file: &SourceFile) -> Vec<String> {
    let Some(inner) = inner_path(file) else {
        return Vec::new();
    };
    let in_path = inner
        .trim_end_matches(".rs")
        .split('/')
        .filter_map(|name| finding(&file.path, name));
    let in_text = file.text.lines().enumerate().filter_map(|(number, line)| {
        finding(&format!("{}:{}", file.path, number + 1), declared(line)?)
    });
    in_path.chain(in_text).collect()
}

/// The path of a Rust file below `crates/<name>/src/`; none of other files.
fn inner_path(file: &SourceFile) -> Option<&str> {
    let (_, inner) = file.path.strip_prefix("crates/")?.split_once('/')?;
    inner.strip_prefix("src/").filter(|_| file.ends_with("rs"))
}

/// What is wrong with `name`, which stands at `position`.
fn finding(position: &str, name: &str) -> Option<String> {
    let components = components(name);
    let instead = components
        .iter()
        .enumerate()
        .find_map(|(at, component)| replacement(&components, at, component))?;
    Some(format!("{position}: {name}: write {instead}"))
}

#[cfg(test)]
mod tests {
    //! Proves: 1. a name is taken apart into whole components; 2. types and files are looked at, nothing else;
    //! 3. a window of time and parts of something may stay.

    use super::{check, components, declared};
    use crate::tidy::found;

    fn of_type(name: &str) -> usize {
        found(
            check,
            "crates/a/src/b.rs",
            &format!("//! B.\npub struct {name};\n"),
        )
    }

    #[test]
    fn a_name_is_taken_apart_into_components() {
        assert_eq!(components("NearTerms"), ["near", "terms"]);
        assert_eq!(components("phrase_lists"), ["phrase", "lists"]);
        assert_eq!(components("TopK"), ["top", "k"]);
        assert_eq!(components("HTTPAnswer"), ["httpanswer"]);
    }

    #[test]
    fn declarations_of_types_are_found() {
        assert_eq!(
            declared("pub(in crate::a) struct Sheet<S> {"),
            Some("Sheet")
        );
        assert_eq!(declared("    type Item = u32;"), Some("Item"));
        assert_eq!(declared("pub(crate) trait Sieve: Send {"), Some("Sieve"));
        assert_eq!(declared("// struct Sheet"), None);
        assert_eq!(declared("fn bar() {}"), None);
    }

    #[test]
    fn whole_components_of_types_are_compared() {
        assert_eq!((of_type("Question"), of_type("NearWord")), (1, 1));
        assert_eq!((of_type("Nearest"), of_type("PlacementMap")), (0, 0));
    }

    #[test]
    fn a_time_window_and_parts_of_something_may_stay() {
        assert_eq!((of_type("Window"), of_type("TimeWindow")), (1, 0));
        assert_eq!((of_type("Parts"), of_type("HitParts")), (1, 0));
    }

    #[test]
    fn files_and_folders_of_the_crates_are_looked_at() {
        assert_eq!(found(check, "crates/a/src/sieve.rs", "//! A.\n"), 1);
        assert_eq!(found(check, "crates/a/src/tally/mod.rs", "//! A.\n"), 1);
        assert_eq!(
            found(check, "crates/a/src/rule/time_window.rs", "//! A.\n"),
            0
        );
        assert_eq!(found(check, "crates/a/tests/sieve.rs", "//! A.\n"), 0);
        assert_eq!(found(check, "crates/a/src/sieve.js", "struct Sieve"), 0);
    }
}
