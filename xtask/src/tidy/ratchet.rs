//! The size of files: at most 400 lines of code, with a list of exceptions that may only shrink.

use crate::workspace::SourceFile;
use std::collections::BTreeMap;

/// Maximum lines of code of a file.
const LINES_MAX: usize = 400;

/// Path and lines of each exception.
const LIST: &str = include_str!("../../tidy-ratchet.txt");

/// The findings of all files.
pub fn check(files: &[SourceFile]) -> Vec<String> {
    compare(&measured(files), &listed(LIST))
}

fn measured(files: &[SourceFile]) -> BTreeMap<&str, usize> {
    files
        .iter()
        .filter(|file| file.ends_with("rs"))
        .map(|file| (file.path.as_str(), code_lines(&file.text)))
        .collect()
}

/// Lines that are neither blank nor comment, up to the unit tests at the end of the file.
fn code_lines(text: &str) -> usize {
    let tests = "\n#[cfg(test)]\nmod tests {";
    let product = text.find(tests).map_or(text, |at| &text[..at]);
    product
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
        .count()
}

fn listed(list: &str) -> BTreeMap<&str, usize> {
    list.lines()
        .filter_map(|line| line.split_once(char::is_whitespace))
        .filter_map(|(path, lines)| Some((path, lines.trim().parse().ok()?)))
        .collect()
}

fn compare(measured: &BTreeMap<&str, usize>, listed: &BTreeMap<&str, usize>) -> Vec<String> {
    let mut findings = Vec::new();
    for (path, lines) in measured {
        let limit = listed.get(path).copied().unwrap_or(LINES_MAX);
        if *lines > limit {
            findings.push(format!(
                "{path}: {lines} lines of code, at most {limit}; split it"
            ));
        }
    }
    for (path, allowed) in listed {
        let lines = measured.get(path).copied().unwrap_or(0);
        if lines <= LINES_MAX {
            findings.push(format!(
                "xtask/tidy-ratchet.txt: {path} has {lines} lines; remove it from the list"
            ));
        } else if lines < *allowed {
            findings.push(format!(
                "xtask/tidy-ratchet.txt: {path} has shrunk to {lines} lines; lower its number"
            ));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::{code_lines, compare, listed};
    use std::collections::BTreeMap;

    #[test]
    fn blank_lines_comments_and_unit_tests_do_not_count() {
        let text =
            "//! A.\n\nfn a() {\n    // why\n}\n\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n";
        assert_eq!(code_lines(text), 2);
    }

    #[test]
    fn the_list_may_shrink_and_never_grow() {
        let list = listed("big.rs 500\n");
        let of = |lines: usize| compare(&BTreeMap::from([("big.rs", lines)]), &list).len();
        assert_eq!(of(501), 1, "grown");
        assert_eq!(of(500), 0, "as listed");
        assert_eq!(of(499), 1, "the number must follow");
        assert_eq!(of(400), 1, "no longer an exception");
    }

    #[test]
    fn a_file_off_the_list_has_at_most_400_lines() {
        let of = |lines: usize| compare(&BTreeMap::from([("a.rs", lines)]), &BTreeMap::new()).len();
        assert_eq!((of(400), of(401)), (0, 1));
    }
}
