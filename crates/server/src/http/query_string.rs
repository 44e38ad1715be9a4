//! Query strings: decoded strictly, each parameter once.

use domain::Invalid;

/// The parameters of a query string, in their order.
///
/// Errors: parameters given twice or not decodable, as `query.<name>`.
pub fn parse(query: &str) -> Result<Vec<(String, String)>, Vec<Invalid>> {
    let mut parameters: Vec<(String, String)> = Vec::new();
    let mut wrong = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (Some(name), Some(value)) = (decode(name), decode(value)) else {
            let shown: String = name.chars().take(40).collect();
            let reason = "is not valid percent-encoded UTF-8";
            wrong.push(Invalid::new(format!("query.{shown}"), reason));
            continue;
        };
        if parameters.iter().any(|(known, _)| *known == name) {
            wrong.push(Invalid::new(format!("query.{name}"), "is given twice"));
        } else {
            parameters.push((name, value));
        }
    }
    if wrong.is_empty() {
        Ok(parameters)
    } else {
        Err(wrong)
    }
}

/// The text that `encoded` stands for; none when it is not percent-encoded UTF-8.
fn decode(encoded: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let high = char::from(rest.next()?).to_digit(16)?;
                let low = char::from(rest.next()?).to_digit(16)?;
                u8::try_from(high * 16 + low).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_decoded() {
        let parsed = parse("q=caf%C3%A9+solo&page=2&flag&&x=a=b").expect("valid");
        let texts: Vec<(&str, &str)> = parsed
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        assert_eq!(
            texts,
            [
                ("q", "café solo"),
                ("page", "2"),
                ("flag", ""),
                ("x", "a=b")
            ]
        );
    }

    #[test]
    fn doubled_and_broken_parameters_are_refused() {
        let wrong = parse("q=1&%71=2&x=%ff&y=%f&z=%zz").expect_err("four mistakes");
        let fields: Vec<&str> = wrong.iter().map(|w| w.field.as_str()).collect();
        assert_eq!(fields, ["query.q", "query.x", "query.y", "query.z"]);
    }
}
