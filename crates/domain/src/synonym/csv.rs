//! Parses a CSV import: one group per line, terms separated by commas.

use super::SynonymType;
use crate::message::{self, Message};
use crate::without_byte_order_mark;

/// A line of an import that is neither blank nor a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedLine {
    /// Its number, from 1.
    pub number: usize,
    /// The group of the line, or why it is invalid.
    pub group: Result<LineGroup, Message>,
}

/// The group of a line, not yet checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineGroup {
    /// UNIDIRECTIONAL if the line has an arrow.
    pub kind: SynonymType,
    /// The text before the arrow.
    pub input: Option<String>,
    /// The terms.
    pub terms: Vec<String>,
}

/// Parses the lines of `csv` that are neither blank nor comments.
///
/// Shape: `term, term, …` or `input => term, …`; a term may be in double quotes, within which a quote is doubled. A
/// byte-order mark, blank lines and lines that start with `#` are skipped; lines end with LF or CRLF.
pub fn lines(csv: &str) -> impl Iterator<Item = ImportedLine> {
    let csv = without_byte_order_mark(csv);
    csv.split('\n')
        .enumerate()
        .map(|(at, line)| (at + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| ImportedLine {
            number,
            group: group(line),
        })
}

/// What ends a term.
#[derive(PartialEq)]
enum Mark {
    Comma,
    Arrow,
    End,
}

fn group(line: &str) -> Result<LineGroup, Message> {
    let mut input = None;
    let mut terms = Vec::new();
    let mut rest = line;
    loop {
        let (term, mark, after) = term(rest)?;
        rest = after;
        if mark != Mark::Arrow {
            // Spreadsheets write empty columns as trailing commas, which add no term.
            if !term.is_empty() {
                terms.push(term);
            }
        } else if input.is_some() {
            return Err(message::synonym::arrows());
        } else if !terms.is_empty() {
            return Err(message::synonym::texts_before_arrow());
        } else if term.is_empty() {
            return Err(message::synonym::nothing_before_arrow());
        } else {
            input = Some(term);
        }
        if mark == Mark::End {
            break;
        }
    }
    let kind = match input {
        Some(_) => SynonymType::Unidirectional,
        None => SynonymType::Bidirectional,
    };
    if terms.is_empty() {
        return Err(message::synonym::no_term());
    }
    Ok(LineGroup { kind, input, terms })
}

/// Parses the next term, its separator, and the rest of the line.
fn term(line: &str) -> Result<(String, Mark, &str), Message> {
    let line = line.trim_start();
    if let Some(quoted) = line.strip_prefix('"') {
        let (term, after) = quoted_term(quoted)?;
        let (between, mark, rest) = next_mark(after);
        if !between.trim().is_empty() {
            return Err(message::synonym::text_after_quote());
        }
        return Ok((term, mark, rest));
    }
    let (term, mark, rest) = next_mark(line);
    Ok((term.trim().to_owned(), mark, rest))
}

fn quoted_term(text: &str) -> Result<(String, &str), Message> {
    let mut term = String::new();
    let mut rest = text;
    loop {
        let end = rest.find('"').ok_or_else(message::synonym::open_quote)?;
        term.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('"') {
            Some(after) => {
                term.push('"');
                rest = after;
            }
            None => return Ok((term.trim().to_owned(), rest)),
        }
    }
}

/// Splits a line at the next comma or arrow.
fn next_mark(line: &str) -> (&str, Mark, &str) {
    let comma = line.find(',');
    let arrow = line.find("=>");
    match (comma, arrow) {
        (Some(comma), arrow) if arrow.is_none_or(|arrow| comma < arrow) => {
            (&line[..comma], Mark::Comma, &line[comma + 1..])
        }
        (_, Some(arrow)) => (&line[..arrow], Mark::Arrow, &line[arrow + 2..]),
        _ => (line, Mark::End, ""),
    }
}

#[cfg(test)]
mod tests {
    //! 1. Quotes, commas, arrows, byte-order marks and line ends are parsed as documented.
    //! 2. An invalid line is reported with the reason and does not affect others.

    use super::*;

    fn read(csv: &str) -> Vec<(usize, Result<String, String>)> {
        lines(csv)
            .map(|line| {
                let shown = line.group.map(|group| match group.input {
                    Some(input) => format!("{input}>{}", group.terms.join("|")),
                    None => group.terms.join("|"),
                });
                (line.number, shown.map_err(|reason| reason.text))
            })
            .collect()
    }

    #[test]
    fn every_form_of_a_line_is_parsed() {
        let csv = "\u{feff}sofa, couch ,settee\r\n\r\n# comment, not a group\n  # neither\n\"a, b\", \"say \"\"hi\"\"\",c,,\ntv => television, \"flat => screen\"\n\"x, y\"=>z";
        let good = |number, text: &str| (number, Ok(text.to_owned()));
        assert_eq!(
            read(csv),
            [
                good(1, "sofa|couch|settee"),
                good(5, "a, b|say \"hi\"|c"),
                good(6, "tv>television|flat => screen"),
                good(7, "x, y>z"),
            ]
        );
        assert!(read("").is_empty());
    }

    #[test]
    fn an_invalid_line_has_a_reason() {
        for (line, reason) in [
            ("\"a, b", "has a quote that is not closed"),
            ("\"a\" b, c", "has text after a closing quote"),
            ("a => b => c", "has more than one \"=>\""),
            ("a, b => c", "has more than one text before \"=>\""),
            ("=> c", "has nothing before \"=>\""),
            ("a =>", "has no term"),
            (",,", "has no term"),
        ] {
            let csv = format!("{line}\nx,y");
            let expected = [(1, Err(reason.to_owned())), (2, Ok("x|y".to_owned()))];
            assert_eq!(read(&csv), expected, "{line}");
        }
    }
}
