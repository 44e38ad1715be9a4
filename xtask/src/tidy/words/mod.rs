//! Names in the field's words: what a stranger would need a dictionary for is found, with the word to write in its place
//! (`docs/glossary.md`). Read are types, functions and files of the crates, and functions, methods, classes and variables
//! of the TypeScript, JavaScript and PHP that are written by hand. Tests in Rust are sentences and are not read.
//!
//! Only whole components count, of CamelCase and of snake_case: `near` is found in `NearTerm` and not in `Nearest`.
//! Left out, because the field uses them too: word (of a query), list (of synonyms), form (a surface form), change (of a
//! configuration), most, level (of a log or of advice), leading, top (top-k), rest (the interface REST) and split.

mod code;
mod list;
mod names;
mod rust;

pub use rust::declared_type;

use crate::workspace::SourceFile;
use code::Language;
use list::components;

/// Folders of what is written in other languages than Rust.
const SCRIPTS: [&str; 3] = ["widget/", "crates/server/src/assets/", "modules/"];
/// What is built of the sources of the widget.
const BUILT: &str = "crates/server/src/assets/widget/";

/// Terms that may stay in names of any case, each with the reason.
const EXCEPTIONS: [(&str, &str); 2] = [
    ("known_item", "the field's term for a search for one item"),
    ("progress_bar", "what a terminal shows of a long task"),
];

/// A name that holds a word of the lists.
struct Misnamed {
    position: String,
    name: String,
    instead: &'static str,
}

/// The findings of all files that are written by hand.
pub fn check(files: &[SourceFile]) -> Vec<String> {
    compare(files, &EXCEPTIONS)
}

fn compare(files: &[SourceFile], exceptions: &[(&str, &str)]) -> Vec<String> {
    let mut findings = Vec::new();
    let mut unused: Vec<&str> = exceptions.iter().map(|(term, _)| *term).collect();
    for misnamed in files.iter().flat_map(misnamed) {
        let Misnamed {
            position,
            name,
            instead,
        } = misnamed;
        let words = components(&name).join("_");
        unused.retain(|term| !words.contains(term));
        if !exceptions.iter().any(|(term, _)| words.contains(term)) {
            findings.push(format!("{position}: {name}: write {instead}"));
        }
    }
    let unused = unused.into_iter().map(|term| {
        format!("xtask/src/tidy/words/mod.rs: no name needs {term}; take it off the list")
    });
    findings.extend(unused);
    findings
}

fn misnamed(file: &SourceFile) -> Vec<Misnamed> {
    match language(file) {
        Some(language) => of_script(file, language),
        None => of_crate(file),
    }
}

fn of_crate(file: &SourceFile) -> Vec<Misnamed> {
    let Some(inner) = inner_path(file) else {
        return Vec::new();
    };
    let of = |position, name: &str| {
        list::of_crate(name).map(|instead| Misnamed {
            position,
            name: name.to_owned(),
            instead,
        })
    };
    let in_path = inner.trim_end_matches(".rs").split('/');
    let in_path = in_path.filter_map(|name| of(file.path.clone(), name));
    let declared = rust::declared(file).into_iter();
    let declared = declared.filter_map(|(line, name)| of(format!("{}:{line}", file.path), name));
    in_path.chain(declared).collect()
}

/// The path of a Rust file below `crates/<name>/src/` or `xtask/src/`; none of other files.
fn inner_path(file: &SourceFile) -> Option<&str> {
    let (_, below) = match file.path.strip_prefix("crates/") {
        Some(path) => path.split_once('/')?,
        None => file.path.split_once("xtask/")?,
    };
    below.strip_prefix("src/").filter(|_| file.ends_with("rs"))
}

fn of_script(file: &SourceFile, language: Language) -> Vec<Misnamed> {
    let names = names::names(&file.text, language).into_iter();
    let misnamed = names.filter_map(|(line, name)| {
        Some(Misnamed {
            position: format!("{}:{line}", file.path),
            instead: list::of_script(&name)?,
            name,
        })
    });
    misnamed.collect()
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

#[cfg(test)]
mod tests {
    //! Proves: 1. types, functions and files of the crates are read, their tests are not; 2. a window of time and parts of
    //! something may stay, and so does what is listed, while it occurs; 3. names of other languages are read where they are
    //! written by hand, for the words of all and of values.

    use super::compare;
    use crate::workspace::SourceFile;

    fn findings(path: &str, text: &str, exceptions: &[(&str, &str)]) -> usize {
        let (path, text) = (path.to_owned(), text.to_owned());
        compare(&[SourceFile { path, text }], exceptions).len()
    }

    fn found(path: &str, text: &str) -> usize {
        findings(path, text, &[])
    }

    fn of_type(name: &str) -> usize {
        found(
            "crates/a/src/b.rs",
            &format!("//! B.\npub struct {name};\n"),
        )
    }

    #[test]
    fn whole_components_of_types_are_compared() {
        assert_eq!((of_type("Question"), of_type("NearWord")), (1, 1));
        assert_eq!((of_type("Nearest"), of_type("PlacementMap")), (0, 0));
    }

    #[test]
    fn functions_are_read_and_tests_are_not() {
        let declared = |text| found("crates/a/src/b.rs", text);
        assert_eq!(declared("impl A {\n    pub async fn answer(&self) {\n"), 1);
        assert_eq!(declared("fn f() {\n    answer();\n"), 0);
        assert_eq!(declared("#[test]\nfn an_answer_is_given() {}\n"), 0);
        let test = "\n#[cfg(test)]\nmod tests {\n    fn the_answer() {}\n}\n";
        assert_eq!(declared(test), 0);
        assert_eq!(found("crates/a/src/b/tests.rs", "fn the_answer() {}"), 0);
    }

    #[test]
    fn exceptions_stay_while_they_occur() {
        let found = |text| findings("crates/a/src/b.rs", text, &[("worst_case", "a reason")]);
        assert_eq!(found("struct WorstCases;\nfn worst_case() {}"), 0);
        assert_eq!(found("fn worst() {}"), 2);
    }

    #[test]
    fn a_time_window_and_parts_of_something_may_stay() {
        assert_eq!((of_type("Window"), of_type("TimeWindow")), (1, 0));
        assert_eq!((of_type("Parts"), of_type("HitParts")), (1, 0));
    }

    #[test]
    fn files_and_folders_of_the_crates_are_looked_at() {
        assert_eq!(found("crates/a/src/sieve.rs", "//! A.\n"), 1);
        assert_eq!(found("crates/a/src/tally/mod.rs", "//! A.\n"), 1);
        assert_eq!(found("crates/a/src/rule/time_window.rs", "//! A.\n"), 0);
        assert_eq!(found("crates/a/tests/sieve.rs", "//! A.\n"), 0);
        assert_eq!(found("crates/a/src/sieve.js", "struct Sieve"), 0);
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
            assert_eq!(found(path, text), findings, "{path} {text}");
        }
    }
}
