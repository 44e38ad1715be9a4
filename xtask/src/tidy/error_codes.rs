//! Codes of errors are constants of `domain`: one that is written as a literal in another source is a finding.

use crate::workspace::SourceFile;

/// The file of the constants.
const CODES: &str = "crates/domain/src/error_codes.rs";

/// The findings of all sources of the crates; their tests write codes as clients read them.
pub fn check(files: &[SourceFile]) -> Vec<String> {
    let Some(constants) = files.iter().find(|file| file.path == CODES) else {
        return Vec::new();
    };
    let codes: Vec<String> = constants.text.lines().filter_map(literal).collect();
    let sources = files.iter().filter(|file| {
        let source = file.path.starts_with("crates/") && file.path.contains("/src/");
        source && file.ends_with("rs") && !file.path.ends_with("tests.rs") && file.path != CODES
    });
    sources.flat_map(|file| check_file(file, &codes)).collect()
}

/// Returns the literal of a constant, with its quotes.
fn literal(line: &str) -> Option<String> {
    let (_, value) = line.strip_prefix("pub const ")?.split_once(" = ")?;
    value.strip_suffix(';').map(str::to_owned)
}

fn check_file(file: &SourceFile, codes: &[String]) -> Vec<String> {
    let mut findings = Vec::new();
    for (number, line) in file.product().lines().enumerate() {
        for code in codes.iter().filter(|code| line.contains(*code)) {
            findings.push(format!(
                "{}:{}: writes {code}; use the constant of {CODES}",
                file.path,
                number + 1
            ));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    //! 1. A code in the source of a crate is a finding. 2. Its constant, a longer text, and a test are not.

    use super::{CODES, check};
    use crate::workspace::SourceFile;

    fn of(path: &str, text: &str) -> usize {
        let constants = "//! Codes.\n/// Late.\npub const TOO_LATE: &str = \"too_late\";\n";
        let files = [(CODES, constants), (path, text)].map(|(path, text)| SourceFile {
            path: path.to_owned(),
            text: text.to_owned(),
        });
        check(&files).len()
    }

    #[test]
    fn a_literal_is_found() {
        let text = "//! A.\nfn a() { fail(\"too_late\") }\n";
        assert_eq!(of("crates/server/src/a.rs", text), 1);
    }

    #[test]
    fn a_constant_a_longer_text_and_tests_are_not() {
        let constant = "//! A.\nfn a() { fail(error_codes::TOO_LATE, \"too_late_by\") }\n";
        assert_eq!(of("crates/server/src/a.rs", constant), 0);
        let text = "//! A.\nfn a() { fail(\"too_late\") }\n";
        assert_eq!(of("crates/server/tests/it/a.rs", text), 0);
        let unit = "//! A.\n#[cfg(test)]\nmod tests {\n    const CODE: &str = \"too_late\";\n}\n";
        assert_eq!(of("crates/server/src/a.rs", unit), 0);
    }
}
