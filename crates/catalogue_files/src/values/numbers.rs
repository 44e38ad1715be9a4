//! Numbers as people write them: which of `.` and `,` is the decimal mark.

/// Why a text is no number that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable;

/// A number whose mark may be ambiguous.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenNumber {
    digits: String,
    marks: Marks,
}

/// What the marks of a number say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Marks {
    /// No mark, or grouping only.
    Whole,
    /// The mark is decimal.
    Decimal(char),
    /// Once, with three digits behind it: both are possible.
    Either(char),
    /// Grouping by this mark, so the other one is decimal.
    Grouping(char),
}

/// How the marks of a column are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecimalRule {
    /// What the user says.
    pub option: Option<char>,
    /// What other cells of the column prove.
    pub proven: Option<char>,
    /// What counts otherwise.
    pub fallback: Option<char>,
}

/// A number, and whether its mark was a guess.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReadNumber {
    /// The number.
    pub value: f64,
    /// Whether neither the user nor the column says which mark is decimal.
    pub is_guess: bool,
}

impl WrittenNumber {
    /// Parses the number at the start of `text`; returns it with what follows.
    ///
    /// White space and `'` group digits.
    pub fn parse(text: &str) -> Result<(Self, &str), Unreadable> {
        let text = text.trim_start();
        let length = number_length(text);
        let (written, rest) = text.split_at(length);
        let written: String = written.chars().filter(|c| !is_grouping(*c)).collect();
        if !written.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',')) {
            return Err(Unreadable);
        }
        let marks = marks(&written)?;
        Ok((
            Self {
                digits: written,
                marks,
            },
            rest,
        ))
    }

    /// Returns the decimal mark that this number proves.
    pub fn proves(&self) -> Option<char> {
        match self.marks {
            Marks::Decimal(mark) => Some(mark),
            Marks::Grouping('.') => Some(','),
            Marks::Grouping(_) => Some('.'),
            Marks::Whole | Marks::Either(_) => None,
        }
    }

    /// Returns its value.
    pub fn value(&self, rule: DecimalRule) -> Result<ReadNumber, Unreadable> {
        let (decimal, is_guess) = match self.marks {
            Marks::Whole | Marks::Grouping(_) => (None, false),
            Marks::Decimal(mark) => (Some(mark), false),
            Marks::Either(mark) => {
                let sure = rule.option.or(rule.proven);
                let decimal = sure.or(rule.fallback).unwrap_or('.');
                ((decimal == mark).then_some(mark), sure.is_none())
            }
        };
        let plain: String = self
            .digits
            .chars()
            .filter_map(|c| match c {
                '.' | ',' => (Some(c) == decimal).then_some('.'),
                digit => Some(digit),
            })
            .collect();
        let value: f64 = plain.parse().map_err(|_| Unreadable)?;
        match value.is_finite() {
            true => Ok(ReadNumber { value, is_guess }),
            false => Err(Unreadable),
        }
    }
}

fn is_grouping(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\'' | '’' | '\u{a0}' | '\u{202f}')
}

/// Length of the digits with their marks; white space groups only three digits.
fn number_length(text: &str) -> usize {
    let mut end = 0;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let goes_on = match c {
            '0'..='9' => true,
            '.' | ',' => digits > 0,
            _ if is_grouping(c) => end > 0 && digits == 3,
            _ => false,
        };
        if !goes_on {
            break;
        }
        rest = after;
        end = text.len() - rest.len();
    }
    end
}

fn marks(number: &str) -> Result<Marks, Unreadable> {
    let dots = number.matches('.').count();
    let commas = number.matches(',').count();
    match (dots, commas) {
        (0, 0) => Ok(Marks::Whole),
        (1.., 1..) => {
            let last = number.rfind(['.', ',']).map(|at| &number[at..=at]);
            let mark = if last == Some(".") { '.' } else { ',' };
            match number.matches(mark).count() {
                1 => Ok(Marks::Decimal(mark)),
                _ => Err(Unreadable),
            }
        }
        (1, 0) => Ok(one_mark(number, '.')),
        (0, 1) => Ok(one_mark(number, ',')),
        (_, 0) => groups(number, '.'),
        _ => groups(number, ','),
    }
}

fn one_mark(number: &str, mark: char) -> Marks {
    let (before, behind) = number.split_once(mark).unwrap_or((number, ""));
    // Groups have three digits, and the first one has no zero before it.
    let may_group =
        behind.len() == 3 && (1..=3).contains(&before.len()) && !before.starts_with('0');
    if may_group {
        Marks::Either(mark)
    } else {
        Marks::Decimal(mark)
    }
}

fn groups(number: &str, mark: char) -> Result<Marks, Unreadable> {
    let mut groups = number.split(mark);
    let first = groups.next().unwrap_or_default();
    let are_groups = (1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3);
    are_groups
        .then_some(Marks::Grouping(mark))
        .ok_or(Unreadable)
}

/// Parses a whole text as a number.
pub fn parse(text: &str, rule: DecimalRule) -> Result<ReadNumber, Unreadable> {
    let text = text.trim();
    let (text, is_negative) = match text.strip_prefix(['-', '−']) {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let (number, rest) = WrittenNumber::parse(text)?;
    if !rest.trim().is_empty() {
        return Err(Unreadable);
    }
    let read = number.value(rule)?;
    Ok(ReadNumber {
        value: if is_negative { -read.value } else { read.value },
        ..read
    })
}

/// Returns the decimal mark of numbers in a language.
pub fn decimal_mark(language: &str) -> char {
    let base = language.split(['-', '_']).next().unwrap_or(language);
    let region = language.get(base.len() + 1..).unwrap_or_default();
    let point = [
        "en", "ja", "zh", "ko", "he", "th", "hi", "ms", "cy", "ga", "mt",
    ];
    if point.contains(&base) || ["ch", "li", "mx"].contains(&region) {
        '.'
    } else {
        ','
    }
}

#[cfg(test)]
mod tests {
    use super::{DecimalRule, Unreadable, parse};

    #[test]
    fn marks_are_read_as_people_mean_them() {
        let es = DecimalRule {
            fallback: Some(','),
            ..DecimalRule::default()
        };
        for (text, value, is_guess) in [
            ("1.234,56", 1234.56, false),
            ("1 234.56", 1234.56, false),
            ("1,234.56", 1234.56, false),
            ("1'234.5", 1234.5, false),
            ("32.0000", 32.0, false),
            ("12.500", 12500.0, true),
            ("12,500", 12.5, true),
            ("0.500", 0.5, false),
            ("1.234.567", 1_234_567.0, false),
            ("-3", -3.0, false),
            (".5", 0.5, false),
        ] {
            let read = parse(text, es).expect(text);
            assert_eq!((read.value, read.is_guess), (value, is_guess), "{text}");
        }
        for text in ["", "abc", "1.23.4", "1,2,3.4.5", "12 kg", "--1"] {
            assert_eq!(parse(text, es).err(), Some(Unreadable), "{text}");
        }
    }
}
