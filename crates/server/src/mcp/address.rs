//! What the address of the tool server selects: which tools it lists, and the form of results.

use crate::message;
use domain::{ErrorList, Invalid};

/// What an address selects; the default is that of `/mcp` alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Address {
    /// All tools, with `tools=all`, in place of the usual ones.
    pub all_tools: bool,
    /// Results as text only, with `results=text`, in place of text and structured content.
    pub text_only: bool,
}

impl Address {
    /// Reads the query string of an address. Other parameters are ignored, because some clients add their own.
    ///
    /// Errors: another value of `tools` or `results`.
    pub fn of(query: &str) -> Result<Self, ErrorList> {
        let mut address = Self::default();
        let mut wrong = Vec::new();
        for parameter in query.split('&') {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let (selected, only) = match name {
                "tools" => (&mut address.all_tools, "all"),
                "results" => (&mut address.text_only, "text"),
                _ => continue,
            };
            *selected = value == only;
            if !*selected {
                let reason = message::value::must_be(format!("\"{only}\""));
                wrong.push(Invalid::new(format!("query.{name}"), reason));
            }
        }
        if wrong.is_empty() {
            Ok(address)
        } else {
            Err(wrong.into())
        }
    }
}

#[cfg(test)]
mod tests {
    //! 1. Each parameter selects, other values are errors, further parameters are ignored.

    use super::Address;

    #[test]
    fn parameters_select() {
        let of = |query| {
            Address::of(query)
                .map(|one| (one.all_tools, one.text_only))
                .ok()
        };
        assert_eq!(of(""), Some((false, false)));
        assert_eq!(of("tools=all&utm=x"), Some((true, false)));
        assert_eq!(of("results=text&tools=all"), Some((true, true)));
        for wrong in ["tools=some", "tools", "results=json", "tools=all&results="] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}
