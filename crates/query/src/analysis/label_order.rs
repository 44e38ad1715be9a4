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
        if let Some(quantity) = quantity(label, self.decimal) {
            return LabelOrder(quantity);
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

/// Units of one kind, from small to large, with the power of ten that a unit is of the first one: 1 TB is more than 512 GB.
const UNITS: [&[(&str, usize)]; 6] = [
    &[("mm", 0), ("cm", 1), ("dm", 2), ("m", 3), ("km", 6)],
    &[("mg", 0), ("g", 3), ("kg", 6)],
    &[("ml", 0), ("cl", 1), ("dl", 2), ("l", 3)],
    &[("kb", 0), ("mb", 3), ("gb", 6), ("tb", 9)],
    &[("hz", 0), ("khz", 3), ("mhz", 6), ("ghz", 9)],
    &[("mah", 0), ("ah", 3)],
];
/// Denominators of sizes: of an inch, and of shoes (36 2/3).
const DENOMINATORS: [u32; 8] = [2, 3, 4, 5, 8, 16, 32, 64];
/// Digits of a fraction after the point.
const FRACTION_DIGITS: u32 = 6;

/// The parts of a label that is a number with a unit: the number in the smallest unit of its kind, and that unit.
fn quantity(label: &str, decimal: char) -> Option<Vec<LabelPart>> {
    if !label.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (number, length) = leading_number(label, decimal);
    let name = label[length..].trim();
    let kind = UNITS
        .iter()
        .find(|kind| kind.iter().any(|unit| unit.0 == name))?;
    let (_, power) = kind.iter().find(|unit| unit.0 == name)?;
    let LabelPart::Number(_, whole, fraction) = number else {
        return None;
    };
    let fraction = format!("{fraction:0<power$}");
    let (moved, rest) = fraction.split_at(*power);
    let number = of_digits(&format!("{whole}{moved}"), rest);
    Some(vec![number, LabelPart::Text(kind[0].0.to_owned())])
}

/// The number at the start of `text`, with a fraction behind it or as one (`1 1/2`, `3/4`), and its length in bytes.
fn leading_number(text: &str, decimal: char) -> (LabelPart, usize) {
    if let Some((fraction, length)) = leading_fraction(text) {
        return (of_digits("", &fraction), length);
    }
    let (number, length) = leading_decimal(text, decimal);
    let LabelPart::Number(_, whole, digits) = &number else {
        return (number, length);
    };
    let rest = &text[length..];
    match rest.strip_prefix([' ', '-']).and_then(leading_fraction) {
        Some((fraction, more)) if digits.is_empty() => {
            (of_digits(whole, &fraction), length + 1 + more)
        }
        _ => (number, length),
    }
}

/// The digits after the point of a fraction below 1 at the start of `text`, and its length in bytes.
fn leading_fraction(text: &str) -> Option<(String, usize)> {
    let (above, rest) = text.split_once(['/', '\u{2044}'])?;
    let below: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let length = text.len() - rest.len() + below.len();
    let goes_on = text[length..].starts_with(['/', '\u{2044}', '.', ',']);
    if goes_on || above.len() > 2 || !above.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (above, below): (u32, u32) = (above.parse().ok()?, below.parse().ok()?);
    if above == 0 || above >= below || !DENOMINATORS.contains(&below) {
        return None;
    }
    let digits = above * 10_u32.pow(FRACTION_DIGITS) / below;
    Some((format!("{digits:0>6}"), length))
}

/// The number at the start of `text` as the language writes it, and its length in bytes.
fn leading_decimal(text: &str, decimal: char) -> (LabelPart, usize) {
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
            ("en", "64 GB|512 GB|1 TB|2TB"),
            ("de", "250 g|500 g|1 kg|1,5 kg"),
            ("en", "5 mm|1 cm|1.5 cm|20 mm|1 m"),
            ("en", "1/4\"|3/8\"|1/2\"|3/4\"|1\"|1 1/2\"|2\""),
            ("en", "½ inch|¾ inch|1 inch|1½ inch"),
            ("de", "EU 36|EU 36 2/3|EU 37 1/3|EU 38"),
            ("en", "185/65 R14|205/55 R16|205/60 R15"),
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
