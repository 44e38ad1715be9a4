//! Bounds in schemas are constants of `limits.rs`, and patterns stand with the type of a form: a number written into a
//! schema attribute or keyword is a finding, and so is a pattern written into an attribute.
//!
//! The numbers 0 and 1 may be written. They are no limits: they mean none, exactly one, not empty, or counted from 1.

use crate::workspace::SourceFile;

/// The file of the constants.
const LIMITS: &str = "crates/domain/src/limits.rs";

/// How the arguments of a schema attribute start; written in halves so that this file does not hold them.
const ATTRIBUTE: &str = concat!("schem", "ars(");

/// Keys of a bound in a schema attribute.
const KEYS: [&str; 3] = ["min", "max", "equal"];

/// Keywords of a bound in JSON Schema.
const KEYWORDS: [&str; 8] = [
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
];

/// The findings of all sources of the crates.
pub fn check(files: &[SourceFile]) -> Vec<String> {
    let sources = files.iter().filter(|file| {
        let source = file.path.starts_with("crates/") && file.path.contains("/src/");
        source && file.ends_with("rs") && !file.path.ends_with("tests.rs")
    });
    sources.flat_map(check_file).collect()
}

fn check_file(file: &SourceFile) -> Vec<String> {
    let text = file.product();
    let mut places = Vec::new();
    for (start, _) in text.match_indices(ATTRIBUTE) {
        let start = start + ATTRIBUTE.len();
        let arguments = &text[start..start + length_of_arguments(&text[start..])];
        for key in KEYS {
            let bounds = after_each(arguments, key).filter(|(_, rest)| is_limit(rest, &["="]));
            places.extend(bounds.map(|(at, _)| start + at));
        }
        let patterns = after_each(arguments, "pattern").filter(|(_, rest)| is_literal_text(rest));
        places.extend(patterns.map(|(at, _)| start + at));
    }
    for keyword in KEYWORDS {
        let quoted = format!("\"{keyword}\"");
        let bounds = after_each(text, &quoted)
            .filter(|(_, rest)| is_limit(rest.trim_start_matches(']'), &["=", ":"]));
        places.extend(bounds.map(|(at, _)| at));
    }
    places.sort_unstable();
    let findings = places.into_iter().map(|at| {
        let line = text[..at].lines().count().max(1);
        format!(
            "{}:{line}: has a bound or pattern of its own; use a constant of {LIMITS} or the type of a form",
            file.path
        )
    });
    findings.collect()
}

/// Returns the length of `text` up to the bracket that closes its arguments.
fn length_of_arguments(text: &str) -> usize {
    let mut depth = 1_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// Returns the ends of all occurrences of `name` as a whole name, each with the text after it.
fn after_each<'a>(text: &'a str, name: &str) -> impl Iterator<Item = (usize, &'a str)> {
    let within = |c: char| c.is_alphanumeric() || c == '_';
    let ends = text.match_indices(name).filter(move |(at, name)| {
        let after = &text[at + name.len()..];
        !text[..*at].ends_with(within) && !after.starts_with(within)
    });
    ends.map(|(at, name)| (at + name.len(), &text[at + name.len()..]))
}

/// Returns whether `text` assigns a text.
fn is_literal_text(text: &str) -> bool {
    let value = text.trim_start().strip_prefix('=').unwrap_or_default();
    value.trim_start().starts_with(['"', 'r'])
}

/// Returns whether `text` is one of `signs` and a number other than 0 and 1.
fn is_limit(text: &str, signs: &[&str]) -> bool {
    let text = text.trim_start();
    let Some(value) = signs.iter().find_map(|sign| text.strip_prefix(sign)) else {
        return false;
    };
    let value = value.trim_start();
    let value = value.strip_prefix("json!(").unwrap_or(value);
    let value = value.strip_prefix('-').unwrap_or(value);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let number = value.split(|c| !is_part(c)).next().unwrap_or_default();
    number.starts_with(|c: char| c.is_ascii_digit()) && !["0", "1", "0.0", "1.0"].contains(&number)
}

#[cfg(test)]
mod tests {
    //! 1. A number as a bound is a finding in schema attributes, on one line or several, and in schema keywords; so is a
    //!    pattern in an attribute.
    //! 2. Constants, the numbers 0 and 1, other uses of the keys, and tests are not.

    use super::{ATTRIBUTE, check};
    use crate::tidy::found;

    fn of(text: &str) -> usize {
        found(check, "crates/domain/src/a.rs", text)
    }

    fn attribute(arguments: &str) -> usize {
        of(&format!("#[{ATTRIBUTE}{arguments})]\nstruct A {{}}\n"))
    }

    #[test]
    fn numbers_as_bounds_are_found() {
        assert_eq!(attribute("length(max = 255)"), 1);
        assert_eq!(attribute("length(min = 2, max = 5)"), 2);
        assert_eq!(attribute("range(min = 0.1, max = 100.0)"), 2);
        assert_eq!(attribute("range(max = 1_000)"), 1);
        assert_eq!(
            attribute("\n    length(min = 1, max = MAX),\n    inner(length(max = 64))\n"),
            1
        );
        assert_eq!(attribute("extend(\"maxProperties\" = 64)"), 1);
        assert_eq!(of("json!({\"type\": \"string\", \"maxLength\": 255})"), 1);
        assert_eq!(of("schema[\"maxItems\"] = json!(200);"), 1);
        assert_eq!(attribute("regex(pattern = \"^[0-9]$\")"), 1);
    }

    #[test]
    fn constants_and_other_numbers_are_not() {
        assert_eq!(attribute("length(min = 1, max = limits::A_MAX)"), 0);
        assert_eq!(attribute("range(min = 0.0, max = A_MAX)"), 0);
        assert_eq!(attribute("extend(\"pattern\" = A_PATTERN)"), 0);
        assert_eq!(
            attribute("extend(\"x\" = {\"minProperties\": 1, \"maxProperties\": 1})"),
            0
        );
        assert_eq!(of("let max = 5;\nlet bound = bounds(\"maximum\", 5);\n"), 0);
        assert_eq!(
            found(check, "crates/server/tests/a.rs", "{\"maxLength\": 255}"),
            0
        );
        let tests = "fn a() {}\n#[cfg(test)]\nmod tests {\n    {\"maxLength\": 9}\n}\n";
        assert_eq!(of(tests), 0);
    }
}
