//! The result of an import: as JSON on stdout, or one screen for people on stderr.

use crate::cli::outcome::CommandError;
use crate::cli::output;
use catalogue_files::report::result::ImportResult;

/// Rejected rows and warnings that the screen shows.
const LINES_MAX: usize = 10;
/// Columns that the screen shows.
const COLUMNS_MAX: usize = 40;

/// Prints a result.
pub fn print(result: &ImportResult, as_json: bool) -> Result<(), CommandError> {
    for line in lines(result) {
        output::note(line);
    }
    if as_json {
        output::json(result)?;
    }
    Ok(())
}

fn lines(result: &ImportResult) -> Vec<String> {
    let mut lines = Vec::new();
    let file = &result.file;
    if !file.format.is_empty() {
        let delimiter = file.delimiter.as_deref().map(delimiter_name);
        let delimiter = delimiter.map_or_else(String::new, |mark| format!(", delimiter {mark}"));
        lines.push(format!(
            "{}: {}, columns of {}, {}{delimiter}",
            file.name, file.format, file.profile, file.encoding
        ));
    }
    if let Some(error) = &result.error {
        let position = match (error.line, error.column) {
            (Some(line), Some(column)) => format!("line {line}, column {column}: "),
            (Some(line), None) => format!("line {line}: "),
            _ => String::new(),
        };
        lines.push(format!(
            "{}: {position}{}; nothing is imported",
            error.code, error.message
        ));
        return lines;
    }
    if result.preview.is_some() {
        columns(result, &mut lines);
    }
    problems(result, &mut lines);
    lines.push(counts(result));
    lines
}

fn delimiter_name(mark: &str) -> &str {
    match mark {
        "\t" => "tab",
        mark => mark,
    }
}

fn columns(result: &ImportResult, lines: &mut Vec<String>) {
    for column in result.columns.iter().take(COLUMNS_MAX) {
        let targets = match column.targets.as_slice() {
            [] if result.dropped_columns.contains(&column.column) => "not stored".to_owned(),
            [] => "extra".to_owned(),
            targets => targets.join(", "),
        };
        let example = column.example.as_deref().unwrap_or_default();
        lines.push(format!(
            "  {} -> {targets} ({} filled) {example}",
            column.column, column.filled
        ));
    }
    for document in result.preview.iter().flatten() {
        let text = |field: &str| {
            document
                .get(field)
                .map(ToString::to_string)
                .unwrap_or_default()
        };
        lines.push(format!(
            "  {} {} {}",
            text("id"),
            text("name"),
            text("priceInclTax")
        ));
    }
}

fn problems(result: &ImportResult, lines: &mut Vec<String>) {
    for row in result.rejected.iter().take(LINES_MAX) {
        let id = row
            .id
            .as_deref()
            .map_or_else(String::new, |id| format!(" (id {id})"));
        let field = row
            .field
            .as_deref()
            .map_or_else(String::new, |field| format!("{field}: "));
        lines.push(format!(
            "line {}: {}: {field}{}{id}",
            row.line, row.code, row.message
        ));
    }
    let more = result.rejected_count().saturating_sub(LINES_MAX as u64);
    if more > 0 {
        lines.push(format!("{more} more rows are rejected"));
    }
    for warning in result.warnings.iter().take(LINES_MAX) {
        let column = warning
            .column
            .as_deref()
            .map_or_else(String::new, |column| format!(", column {column}"));
        lines.push(format!(
            "{}{column}: {} times, such as \"{}\" on line {}: {}",
            warning.code,
            warning.count,
            warning.example,
            warning.lines.first().copied().unwrap_or(0),
            warning.message
        ));
    }
    for notice in &result.notices {
        lines.push(format!("{}: {}", notice.code, notice.message));
    }
    if !result.extra_columns.is_empty() {
        lines.push(format!(
            "stored and not searched: {}; --map \"COLUMN=FIELD\" takes a column as a field",
            result.extra_columns.join(", ")
        ));
    }
    if !result.dropped_columns.is_empty() {
        lines.push(format!("not stored: {}", result.dropped_columns.join(", ")));
    }
    if !result.missing_fields.is_empty() {
        lines.push(format!(
            "hardly any product has: {}",
            result.missing_fields.join(", ")
        ));
    }
}

fn counts(result: &ImportResult) -> String {
    let mut text = format!(
        "{} rows read, {} products",
        result.received, result.documents
    );
    if result.preview.is_some() {
        text.push_str("; nothing is stored");
        if result.sampled {
            text.push_str(", and more rows follow");
        }
        return text;
    }
    let mut add = |count: u64, words: &str| {
        if count > 0 {
            text.push_str(&format!(", {count} {words}"));
        }
    };
    add(result.new, "new");
    add(result.changed, "changed");
    add(result.unchanged, "unchanged");
    add(result.stale, "older than what is stored");
    add(result.rejected_count(), "rejected");
    add(result.skipped.values().sum(), "left out");
    add(result.clipped, "clipped");
    add(result.removed, "removed");
    add(result.kept, "kept as they were");
    if let Some(held) = &result.held {
        text.push_str(&format!(
            "; the removal of {} is held back: findwell run release --store ID {}",
            held.would_purge, held.run_id
        ));
    }
    text
}
