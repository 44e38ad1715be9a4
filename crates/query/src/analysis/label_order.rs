//! The alphabetical order of labels: numbers within them as numbers, sizes of clothes from small to large.

use super::numbers::number;
use super::{Analyser, fold, normalised};

/// A label in its alphabetical order, see [`Analyser::label_order`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LabelOrder(Vec<LabelPart>);

/// A part of a label.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum LabelPart {
    /// Number of digits before the point without leading zeros, these digits, and those after the point.
    Number(usize, String, String),
    /// The rank of a size of clothes.
    Size(i32),
    /// Folded text.
    Text(String),
}

impl Analyser {
    /// The order of `label` among others: by its text without accents and case, with the numbers in it as the language
    /// writes them.
    pub fn label_order(&self, label: &str) -> LabelOrder {
        let label = fold(&normalised(label));
        let label = label.trim();
        if let Some(rank) = size(label) {
            return LabelOrder(vec![LabelPart::Size(rank)]);
        }
        let mut parts = Vec::new();
        let mut rest = label;
        while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
            if start > 0 {
                parts.push(LabelPart::Text(rest[..start].to_owned()));
            }
            let (part, length) = leading_number(&rest[start..], self.decimal);
            parts.push(part);
            rest = &rest[start + length..];
        }
        if !rest.is_empty() {
            parts.push(LabelPart::Text(rest.to_owned()));
        }
        LabelOrder(parts)
    }
}

/// The number at the start of `text`, and its length in bytes.
fn leading_number(text: &str, decimal: char) -> (LabelPart, usize) {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut ends = vec![digits(text)];
    let mut separators = Vec::new();
    while let Some(separator) = text[ends[ends.len() - 1]..].chars().next()
        && matches!(separator, '.' | ',' | '\'')
    {
        let start = ends[ends.len() - 1] + separator.len_utf8();
        match digits(&text[start..]) {
            0 => break,
            length => ends.push(start + length),
        }
        separators.push(separator);
    }
    let starts = std::iter::once(0).chain(ends.iter().map(|end| end + 1));
    let groups: Vec<&str> = starts
        .zip(&ends)
        .map(|(start, end)| &text[start..*end])
        .collect();
    match number(&groups, &separators, decimal) {
        Some(number) => {
            let (whole, fraction) = number.text.split_once('.').unwrap_or((&number.text, ""));
            (of_digits(whole, fraction), ends[ends.len() - 1])
        }
        None => (of_digits(groups[0], ""), ends[0]),
    }
}

fn of_digits(whole: &str, fraction: &str) -> LabelPart {
    let whole = whole.trim_start_matches('0');
    let fraction = fraction.trim_end_matches('0');
    LabelPart::Number(whole.len(), whole.to_owned(), fraction.to_owned())
}

/// The rank of a size of clothes, M being 0: XS, S, M, L, XL, XXL, 3XL and so on; none for any other text.
fn size(label: &str) -> Option<i32> {
    let (count, base) = match label.find(|c: char| !c.is_ascii_digit()) {
        Some(0) | None => (None, label),
        Some(at) => (label[..at].parse::<i32>().ok(), &label[at..]),
    };
    let crosses = base.bytes().take_while(|byte| *byte == b'x').count() as i32;
    let direction = match &base[crosses as usize..] {
        "s" => -1,
        "l" => 1,
        "m" if count.is_none() && crosses == 0 => return Some(0),
        _ => return None,
    };
    match (count, crosses) {
        (None, crosses) => Some(direction * (1 + crosses)),
        (Some(count), 1) => Some(direction * (1 + count)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    //! 1. Numbers are ordered as numbers, sizes by size, texts without accents and case.

    use super::*;
    use domain::Language;

    #[test]
    fn labels_are_in_the_order_that_people_expect() {
        for (language, labels) in [
            ("en", "2 mm|9 mm|10 mm|100 mm"),
            ("en", "9|9.5|10|10.5"),
            ("de", "0,5 l|1 l|1,5 l|1.000 l"),
            ("en", "EU 9|EU 38|EU 38.5"),
            ("en", "64 GB|128 GB|1024 GB"),
            ("en", "XXS|XS|S|M|L|XL|XXL|3XL|4XL"),
            ("es", "Ámbar|azul|Zinc"),
            ("en", "30x40|30x100|50x50"),
            ("en", "10|S|M|One size"),
        ] {
            let analyser = Analyser::new(&Language::parse(language).expect("a language"));
            let expected: Vec<&str> = labels.split('|').collect();
            let mut sorted = expected.clone();
            sorted.reverse();
            sorted.sort_by_cached_key(|label| analyser.label_order(label));
            assert_eq!(sorted, expected);
        }
    }
}
