//! What every file must or must not contain: an opening `//!`, no silenced lints, no marks of unfinished work.

use crate::workspace::SourceFile;

/// Forbidden marks, written in halves so that this file does not contain them.
const FORBIDDEN: [(&str, &str); 5] = [
    (concat!("TO", "DO"), "finish it, or open an issue"),
    (concat!("FIX", "ME"), "finish it, or open an issue"),
    (concat!("[al", "low("), "use #[expect(…, reason = …)]"),
    (concat!("to", "do!("), "finish it"),
    (concat!("unimple", "mented!("), "finish it"),
];

/// The findings of all files.
pub fn check(files: &[SourceFile]) -> Vec<String> {
    files.iter().flat_map(check_file).collect()
}

fn check_file(file: &SourceFile) -> Vec<String> {
    let mut findings = Vec::new();
    if file.ends_with("rs") && !file.text.starts_with("//!") {
        findings.push(format!(
            "{}: does not open with //! and one sentence on its content",
            file.path
        ));
    }
    for (number, line) in file.text.lines().enumerate() {
        for (mark, instead) in FORBIDDEN {
            if contains_mark(line, mark) {
                findings.push(format!(
                    "{}:{}: contains {mark}; {instead}",
                    file.path,
                    number + 1
                ));
            }
        }
    }
    findings
}

/// Whether `line` contains `mark` with no letter or digit adjacent to it.
fn contains_mark(line: &str, mark: &str) -> bool {
    let adjacent = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let word = mark.ends_with(char::is_alphanumeric);
    line.match_indices(mark).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + mark.len()..].chars().next();
        let inside_word = adjacent(before) || (word && adjacent(after));
        !inside_word
    })
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::found;

    #[test]
    fn a_source_file_opens_with_its_sentence() {
        assert_eq!(found(check, "a.rs", "//! Knows a.\nfn a() {}\n"), 0);
        assert_eq!(found(check, "a.rs", "fn a() {}\n"), 1);
        assert_eq!(found(check, "a.md", "# A\n"), 0);
    }

    #[test]
    fn marks_of_unfinished_work_are_found_as_whole_words() {
        let mark = concat!("TO", "DO");
        assert_eq!(found(check, "a.md", &format!("one\n{mark}: two\n")), 1);
        assert_eq!(found(check, "a.md", &format!("ME{mark}S\n")), 0);
        let silenced = format!("//! A.\n#{}dead_code)]\n", concat!("[al", "low("));
        assert_eq!(found(check, "a.rs", &silenced), 1);
    }
}
