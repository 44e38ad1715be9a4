//! An engine that compiles plans into requests decides nothing: in its sources, a number with a fraction is a finding, and
//! so is a constant of scoring.

use crate::workspace::SourceFile;

/// The folder of the engine.
const SOURCES: &str = "crates/engine/src/opensearch/";

/// How names of constants of `query::scoring` end.
const ENDINGS: [&str; 4] = ["_WEIGHT", "_DAMPING", "_FACTOR", "_DIVISOR"];

/// The findings of all sources of the engine.
pub fn check(files: &[SourceFile]) -> Vec<String> {
    let sources = files.iter().filter(|file| file.path.starts_with(SOURCES));
    sources.flat_map(check_file).collect()
}

fn check_file(file: &SourceFile) -> Vec<String> {
    let lines = file.product().lines().zip(1..);
    // Comments and messages may name any number.
    let is_text = |line: &str| {
        ["//", "#[error("]
            .iter()
            .any(|start| line.trim_start().starts_with(start))
    };
    let code = lines.filter(|(line, _)| !is_text(line));
    let deciding = code.filter(|(line, _)| words(line).any(decides));
    let findings = deciding.map(|(_, number)| {
        let path = &file.path;
        format!("{path}:{number}: decides about scores; what they are comes from the crate query")
    });
    findings.collect()
}

/// The names and numbers of a line.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'))
}

fn decides(word: &str) -> bool {
    let is_neutral = matches!(word, "0.0" | "1.0");
    let has_fraction = word.parse::<f64>().is_ok() && word.contains('.');
    let is_constant = word == "TIE" || ENDINGS.iter().any(|ending| word.ends_with(ending));
    is_constant || has_fraction && !is_neutral
}

#[cfg(test)]
mod tests {
    //! 1. Weights are found as numbers and as constants; addresses, versions and comments are none.

    use super::check;
    use crate::tidy::found;

    #[test]
    fn weights_are_found() {
        let path = "crates/engine/src/opensearch/a.rs";
        for (text, findings) in [
            ("let a = 0.9;", 1),
            ("let a = own * SYNONYM_WEIGHT;", 1),
            ("use query::scoring::{TIE, word};", 1),
            ("let a = constant(b, 1.0);", 0),
            ("let a = (2, 19);", 0),
            ("\"127.0.0.1\"", 0),
            ("// 0.9 of the word", 0),
        ] {
            assert_eq!(found(check, path, text), findings, "{text}");
        }
        assert_eq!(found(check, "crates/engine/src/embedded/a.rs", "0.9"), 0);
    }
}
