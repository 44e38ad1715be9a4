//! Lists in one cell: at commas, at commas outside of quotes, at a mark.

/// Splits at commas; `\,` is a comma.
pub fn at_commas(text: &str) -> Vec<String> {
    split_escaped(text, ',', |_| true)
}

/// Splits addresses at commas that another address follows; `\,` is a comma.
pub fn addresses(text: &str) -> Vec<String> {
    split_escaped(text, ',', |rest| {
        let rest = rest.trim_start();
        rest.starts_with("http") || rest.starts_with('/')
    })
}

fn split_escaped(text: &str, mark: char, ends: impl Fn(&str) -> bool) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        if c == '\\' && after.starts_with(mark) {
            part.push(mark);
            rest = &after[mark.len_utf8()..];
            continue;
        }
        if c == mark && ends(after) {
            parts.push(std::mem::take(&mut part));
        } else {
            part.push(c);
        }
        rest = after;
    }
    parts.push(part);
    trimmed(parts.into_iter())
}

/// Splits at a mark.
pub fn at_mark(text: &str, mark: char) -> Vec<String> {
    trimmed(text.split(mark).map(str::to_owned))
}

fn trimmed(parts: impl Iterator<Item = String>) -> Vec<String> {
    let parts = parts.map(|part| part.trim().to_owned());
    parts.filter(|part| !part.is_empty()).collect()
}

/// Splits at commas outside of double quotes; returns the parts and whether each one is quoted.
pub fn at_commas_outside_quotes(text: &str) -> Vec<(String, bool)> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut is_quoted = false;
    let mut is_inside = false;
    for c in text.chars() {
        match c {
            '"' => {
                is_inside = !is_inside;
                is_quoted = true;
            }
            ',' if !is_inside => {
                parts.push((std::mem::take(&mut part), std::mem::take(&mut is_quoted)));
            }
            c => part.push(c),
        }
    }
    parts.push((part, is_quoted));
    let parts = parts
        .into_iter()
        .map(|(part, quoted)| (part.trim().to_owned(), quoted));
    parts.filter(|(part, _)| !part.is_empty()).collect()
}

/// Splits `code=value,code=value`: at a comma before `code=`.
pub fn code_values(text: &str) -> Vec<(String, String)> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    for piece in text.split(',') {
        match piece.split_once('=') {
            Some((code, value)) if is_attribute_code(code.trim()) => {
                pairs.push((code.trim().to_owned(), value.to_owned()));
            }
            _ => {
                if let Some((_, value)) = pairs.last_mut() {
                    value.push(',');
                    value.push_str(piece);
                }
            }
        }
    }
    pairs
}

fn is_attribute_code(code: &str) -> bool {
    let starts = code.starts_with(|c: char| c.is_ascii_alphabetic());
    starts
        && code
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::{addresses, at_commas, at_commas_outside_quotes, code_values};

    #[test]
    fn commas_split_what_they_should() {
        assert_eq!(at_commas(r"a, b\, c,"), ["a", "b, c"]);
        assert_eq!(
            addresses("https://a/1,2.jpg, /b.jpg,http://c"),
            ["https://a/1,2.jpg", "/b.jpg", "http://c"]
        );
        let quoted = at_commas_outside_quotes("\"A, B > C\",D");
        assert_eq!(
            quoted,
            [("A, B > C".to_owned(), true), ("D".to_owned(), false)]
        );
        let pairs = code_values("color=Black,material=Wool, soft|Silk,size=M");
        let pairs: Vec<(&str, &str)> = pairs
            .iter()
            .map(|(a, b)| (a.as_str(), b.as_str()))
            .collect();
        assert_eq!(
            pairs,
            [
                ("color", "Black"),
                ("material", "Wool, soft|Silk"),
                ("size", "M")
            ]
        );
    }
}
