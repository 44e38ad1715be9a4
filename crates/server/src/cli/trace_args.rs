//! The options of traces (`docs/operations.md`, "Traces").

use crate::traces::TraceOptions;
use clap::Args;

/// Where traces are sent, and how many.
#[derive(Clone, Debug, Default, Args)]
pub struct TraceArgs {
    /// Address of a collector that takes traces by OTLP over HTTP, such as http://localhost:4318/v1/traces; default: none
    #[arg(
        long,
        env = "FINDWELL_OTLP",
        value_name = "URL",
        value_parser = collector
    )]
    pub otlp: Option<String>,
    /// Share of the requests that are traced, from 0 to 1
    #[arg(
        long,
        env = "FINDWELL_OTLP_SHARE",
        default_value_t = 0.01,
        value_name = "SHARE",
        value_parser = share
    )]
    pub otlp_share: f64,
}

impl TraceArgs {
    /// Returns the options, if traces are sent anywhere.
    pub fn options(&self) -> Option<TraceOptions> {
        let collector = self.otlp.clone()?;
        Some(TraceOptions {
            collector,
            share: self.otlp_share,
        })
    }
}

fn collector(text: &str) -> Result<String, &'static str> {
    const REASON: &str = "must be an address such as http://localhost:4318/v1/traces";
    let rest = match text.strip_prefix("http://") {
        Some(rest) => rest,
        None if text.starts_with("https://") => {
            return Err(
                "must begin with http://: name a collector on this machine or in its network, \
                        which sends on to others by TLS",
            );
        }
        None => return Err(REASON),
    };
    let (host, path) = rest.split_once('/').ok_or(REASON)?;
    let is_plain = |part: &str| part.chars().all(|c| c.is_ascii_graphic());
    let fits = !host.is_empty() && !host.contains('@') && is_plain(host) && is_plain(path);
    match fits && !path.contains(['?', '#']) {
        true => Ok(text.to_owned()),
        false => Err(REASON),
    }
}

fn share(text: &str) -> Result<f64, &'static str> {
    let share: Option<f64> = text.parse().ok();
    share
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or("must be a number from 0 to 1")
}

#[cfg(test)]
mod tests {
    //! Addresses and shares that cannot be meant are refused with a reason.

    use super::*;

    #[test]
    fn what_cannot_be_meant_is_refused() {
        assert!(collector("http://localhost:4318/v1/traces").is_ok());
        for wrong in [
            "localhost:4318",
            "http://",
            "http://x",
            "http:///v1",
            "http://u@x/v1",
            "http://x/v1?k=1",
        ] {
            assert!(collector(wrong).is_err(), "{wrong}");
        }
        let tls = collector("https://x/v1/traces").expect_err("is refused");
        assert!(tls.contains("http://"), "{tls}");
        assert_eq!(
            (share("0"), share("0.5"), share("1")),
            (Ok(0.0), Ok(0.5), Ok(1.0))
        );
        for wrong in ["-0.1", "1.1", "NaN", "x"] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
    }
}
