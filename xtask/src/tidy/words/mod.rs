//! Names in the field's words: what a stranger would need a dictionary for is found, with the word to write in its place
//! (`docs/glossary.md`). Read are types and files of the crates, and functions, methods, classes and variables of the
//! TypeScript, JavaScript and PHP that are written by hand.
//!
//! Only whole components count, of CamelCase and of snake_case: `near` is found in `NearTerm` and not in `Nearest`.
//! Left out, because the field uses them too: word (of a query), list (of synonyms), form (a surface form), change (of a
//! configuration), most, level (of a log or of advice), leading, top (top-k), rest (the interface REST) and split.

mod code;
mod list;
mod names;
mod rust;

pub use rust::declared;

use crate::workspace::SourceFile;
use code::Language;

/// Folders of what is written in other languages than Rust.
const SCRIPTS: [&str; 3] = ["widget/", "crates/server/src/assets/", "modules/"];
/// What is built of the sources of the widget.
const BUILT: &str = "crates/server/src/assets/widget/";

/// The findings of all files that are written by hand.
pub fn check(files: &[SourceFile]) -> Vec<String> {
    let findings = files.iter().flat_map(|file| match language(file) {
        Some(language) => check_script(file, language),
        None => check_crate(file),
    });
    findings.collect()
}

fn check_crate(file: &SourceFile) -> Vec<String> {
    let Some(inner) = inner_path(file) else {
        return Vec::new();
    };
    let in_path = inner
        .trim_end_matches(".rs")
        .split('/')
        .filter_map(|name| finding(&file.path, name, list::of_crate));
    let in_text = file.text.lines().enumerate().filter_map(|(number, line)| {
        let position = format!("{}:{}", file.path, number + 1);
        finding(&position, declared(line)?, list::of_crate)
    });
    in_path.chain(in_text).collect()
}

/// The path of a Rust file below `crates/<name>/src/`; none of other files.
fn inner_path(file: &SourceFile) -> Option<&str> {
    let (_, inner) = file.path.strip_prefix("crates/")?.split_once('/')?;
    inner.strip_prefix("src/").filter(|_| file.ends_with("rs"))
}

fn check_script(file: &SourceFile, language: Language) -> Vec<String> {
    let names = names::names(&file.text, language).into_iter();
    names
        .filter_map(|(line, name)| {
            let position = format!("{}:{line}", file.path);
            finding(&position, &name, list::of_script)
        })
        .collect()
}

/// The language of a file that is written by hand; none of Rust and of what is no code.
fn language(file: &SourceFile) -> Option<Language> {
    let is_source = SCRIPTS.iter().any(|folder| file.path.starts_with(folder));
    if !is_source || file.path.starts_with(BUILT) || file.path.ends_with(".d.ts") {
        return None;
    }
    let script = ["ts", "js", "mjs"].iter().any(|e| file.ends_with(e));
    let php = file.ends_with("php").then_some(Language::Php);
    script.then_some(Language::Script).or(php)
}

/// What is wrong with `name`, which stands at `position`; `replacement` returns what to write in its place.
fn finding(
    position: &str,
    name: &str,
    replacement: impl Fn(&str) -> Option<&'static str>,
) -> Option<String> {
    let instead = replacement(name)?;
    Some(format!("{position}: {name}: write {instead}"))
}

#[cfg(test)]
mod tests {
    //! Proves: 1. a name is taken apart into whole components; 2. of Rust, types and files are looked at, nothing else;
    //! 3. a window of time and parts of something may stay; 4. names of other languages are looked at where they are
    //! written by hand, for the words of all and of values.

    use super::list::components;
    use super::{check, declared};
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

    #[test]
    fn names_of_other_languages_are_looked_at() {
        for (path, text, findings) in [
            ("widget/src/a.ts", "const known = 1;", 1),
            ("widget/src/a.ts", "const unknown = a.known;", 0),
            ("widget/test/a.mjs", "askedOne();", 1),
            ("widget/src/a.d.ts", "const known = 1;", 0),
            ("crates/server/src/assets/panel/a.js", "(a) => asked(a)", 1),
            ("crates/server/src/assets/panel/a.js", "placeOf(sheet)", 0),
            ("crates/server/src/assets/widget/a.js", "asked()", 0),
            ("modules/a/B.php", "$isKnown = $refusal;", 2),
            ("modules/a/B.php", "// $known", 0),
            ("docs/a.js", "asked()", 0),
        ] {
            assert_eq!(found(check, path, text), findings, "{path} {text}");
        }
    }
}
