//! Names that others rely on are written once: error codes and metric names as constants of one file, each log target in
//! one file.

use crate::workspace::SourceFile;
use std::collections::{BTreeMap, BTreeSet};

/// Files of constants, each with the sources in which their values may not be written out.
const CATALOGUES: [(&str, &str); 2] = [
    ("crates/operations/src/error.rs", "crates/operations/src/"),
    (
        "crates/server/src/metrics/names.rs",
        "crates/server/src/metrics/",
    ),
];

/// How an explicit log target starts; written in halves so that this file does not hold one.
const TARGET: &str = concat!("target", ": \"");

/// Returns the findings of all files.
pub fn check(files: &[SourceFile]) -> Vec<String> {
    let mut findings = targets(files);
    for (catalogue, sources) in CATALOGUES {
        findings.extend(literals(files, catalogue, sources));
    }
    findings
}

fn literals(files: &[SourceFile], catalogue: &str, sources: &str) -> Vec<String> {
    let text = files.iter().find(|file| file.path == catalogue);
    let values = values(text.map_or("", |file| file.text.as_str()));
    let others = files.iter().filter(|file| {
        file.path.starts_with(sources)
            && file.path != catalogue
            && file.ends_with("rs")
            && !file.path.ends_with("tests.rs")
    });
    let mut findings = Vec::new();
    for file in others {
        for value in &values {
            if file.product().contains(&format!("\"{value}\"")) {
                findings.push(format!(
                    "{}: writes \"{value}\" out; use the constant of {catalogue}",
                    file.path
                ));
            }
        }
    }
    findings
}

/// Returns the values of the public text constants of a file.
fn values(text: &str) -> Vec<&str> {
    let constants = text
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("pub const "));
    let values = constants.filter_map(|line| line.split_once(": &str = \""));
    values
        .filter_map(|(_, value)| value.strip_suffix("\";"))
        .collect()
}

fn targets(files: &[SourceFile]) -> Vec<String> {
    let mut places: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.ends_with("rs")) {
        for (at, _) in file.text.match_indices(TARGET) {
            let rest = &file.text[at + TARGET.len()..];
            let target = rest.split('"').next().unwrap_or_default();
            places.entry(target).or_default().insert(&file.path);
        }
    }
    let several = places.into_iter().filter(|(_, files)| files.len() > 1);
    let findings = several.map(|(target, files)| {
        let files: Vec<&str> = files.into_iter().collect();
        format!(
            "the log target {target} is in several files: {}",
            files.join(", ")
        )
    });
    findings.collect()
}

#[cfg(test)]
mod tests {
    //! 1. A value of a catalogue is a finding in other files of its sources, but not in tests.
    //! 2. A log target is a finding if it is in two files.

    use super::{SourceFile, TARGET, check};

    fn findings(files: &[(&str, &str)]) -> usize {
        let file = |(path, text): &(&str, &str)| SourceFile {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        };
        check(&files.iter().map(file).collect::<Vec<_>>()).len()
    }

    #[test]
    fn values_are_written_once() {
        let codes = (
            "crates/operations/src/error.rs",
            "pub mod codes {\n    pub const RUN_GONE: &str = \"run_gone\";\n}\n",
        );
        let of = |path, text| findings(&[codes, (path, text)]);
        assert_eq!(of("crates/operations/src/a.rs", "f(\"run_gone\")"), 1);
        assert_eq!(of("crates/operations/src/a.rs", "f(\"run_open\")"), 0);
        assert_eq!(of("crates/operations/src/a/tests.rs", "\"run_gone\""), 0);
        assert_eq!(of("crates/server/src/a.rs", "f(\"run_gone\")"), 0);
        let tests = "fn f() {}\n#[cfg(test)]\nmod tests {\n    \"run_gone\"\n}\n";
        assert_eq!(of("crates/operations/src/a.rs", tests), 0);
    }

    #[test]
    fn a_log_target_is_in_one_file() {
        let text = format!("warn!({TARGET}access\", \"\");");
        assert_eq!(findings(&[("a.rs", &text)]), 0);
        assert_eq!(findings(&[("a.rs", &text), ("b.rs", &text)]), 1);
    }
}
