//! The delimiter of a CSV file: the one that gives the header and most rows the same number of cells.

use csv_core::{ReadRecordResult, ReaderBuilder};

/// Delimiters in the order that decides between equals.
pub const DELIMITERS: [u8; 4] = [b'\t', b';', b',', b'|'];
/// Rows that are compared with the header.
const ROWS: usize = 100;
/// Cells that are counted in a row.
const CELLS_MAX: usize = 4_096;

/// Returns the delimiter that the first line declares (`sep=;`), and the length of that line.
pub fn declared(head: &str) -> Option<(u8, usize)> {
    let line = head.split('\n').next()?;
    let value = line.trim_end().strip_prefix("sep=")?.as_bytes();
    match value {
        [delimiter] if delimiter.is_ascii() => Some((*delimiter, line.len() + 1)),
        // The tab is white space.
        [] if line.ends_with('\t') => Some((b'\t', line.len() + 1)),
        _ => None,
    }
}

/// Returns the delimiter of a text; none if each row has one cell.
pub fn detect(head: &str) -> Option<u8> {
    let mut best = None;
    for delimiter in DELIMITERS {
        let counts = cell_counts(head.as_bytes(), delimiter);
        let Some((header, rows)) = counts.split_first() else {
            continue;
        };
        if *header < 2 {
            continue;
        }
        let equal = rows.iter().filter(|count| *count == header).count();
        if best.is_none_or(|(most, _)| equal > most) {
            best = Some((equal, delimiter));
        }
    }
    best.map(|(_, delimiter)| delimiter)
}

fn cell_counts(text: &[u8], delimiter: u8) -> Vec<usize> {
    let mut core = ReaderBuilder::new().delimiter(delimiter).build();
    let mut output = vec![0; text.len().max(1)];
    let mut ends = vec![0; CELLS_MAX];
    let mut counts = Vec::new();
    let (mut input, mut cells, mut written) = (text, 0, 0);
    while counts.len() <= ROWS {
        let (result, read, bytes, ended) =
            core.read_record(input, &mut output[written..], &mut ends[cells..]);
        input = &input[read..];
        written += bytes;
        cells += ended;
        match result {
            ReadRecordResult::Record => {
                counts.push(cells);
                (cells, written) = (0, 0);
            }
            ReadRecordResult::OutputEndsFull => cells = 0,
            ReadRecordResult::OutputFull => written = 0,
            ReadRecordResult::InputEmpty if !input.is_empty() || counts.is_empty() && cells > 0 => {
            }
            ReadRecordResult::InputEmpty => {
                // The text may be cut inside of a row, which then does not count, unless it is the only one.
                if counts.is_empty() {
                    let (_, _, _, ended) = core.read_record(&[], &mut output, &mut ends[cells..]);
                    counts.push(cells + ended);
                }
                break;
            }
            ReadRecordResult::End => break,
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::{declared, detect};

    #[test]
    fn the_delimiter_is_that_of_most_rows() {
        for (text, delimiter) in [
            ("a;b\n1,5;2\n", Some(b';')),
            ("a,b\n\"1;5;6\",2\n", Some(b',')),
            ("a\tb;c\n1\t2\n3\t4\n", Some(b'\t')),
            ("a|b\n1|2", Some(b'|')),
            ("a,b", Some(b',')),
            ("a\nb\n", None),
            ("", None),
        ] {
            assert_eq!(detect(text), delimiter, "{text}");
        }
        assert_eq!(declared("sep=|\na|b"), Some((b'|', 6)));
        assert_eq!(declared("sep=\t\na\tb"), Some((b'\t', 6)));
        assert_eq!(declared("separator,b"), None);
    }
}
