//! The visitor token: a JSON Web Token (RFC 7519), signed by the shop with HS256 and nothing else.

use super::Claims;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::Timestamp;
use domain::limits::{VISITOR_TOKEN_BYTES_MAX, VISITOR_TOKEN_SECONDS_MAX};
use hmac::{Hmac, KeyInit, Mac};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::Sha256;

/// A parsed token that has not expired, and whose signature is not verified yet.
pub(super) struct VisitorToken<'a> {
    signed: &'a str,
    signature: Vec<u8>,
    claims: Claims,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    /// Extensions that must be understood; there are none.
    #[serde(default)]
    crit: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct TokenPayload {
    /// Seconds since 1970.
    exp: f64,
    #[serde(flatten)]
    claims: Claims,
}

impl<'a> VisitorToken<'a> {
    /// Parses `text`; `None` if it is not such a token, has expired, or expires too far in the future.
    pub fn parse(text: &'a str, now: Timestamp) -> Option<Self> {
        if text.len() > VISITOR_TOKEN_BYTES_MAX {
            return None;
        }
        let (signed, signature) = text.rsplit_once('.')?;
        let (header, payload) = signed.split_once('.')?;
        let header: Header = decoded(header)?;
        if header.alg != "HS256" || header.crit.is_some() {
            return None;
        }
        let payload: TokenPayload = decoded(payload)?;
        let left_ms = payload.exp * 1000.0 - now.0 as f64;
        let lasts = left_ms > 0.0 && left_ms <= VISITOR_TOKEN_SECONDS_MAX as f64 * 1000.0;
        lasts.then_some(Self {
            signed,
            signature: URL_SAFE_NO_PAD.decode(signature).ok()?,
            claims: payload.claims,
        })
    }

    /// Returns the claims if the token was signed with one of `secrets`. The comparison takes constant time.
    pub fn claims_signed_by(self, secrets: &[String]) -> Option<Claims> {
        let signed = secrets.iter().any(|secret| {
            Hmac::<Sha256>::new_from_slice(secret.as_bytes()).is_ok_and(|mut mac| {
                mac.update(self.signed.as_bytes());
                mac.verify_slice(&self.signature).is_ok()
            })
        });
        signed.then_some(self.claims)
    }
}

fn decoded<T: DeserializeOwned>(text: &str) -> Option<T> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    serde_json::from_slice(&bytes).ok()
}

#[cfg(test)]
mod tests {
    //! 1. A token counts with a valid signature, for at most one hour, and never with another algorithm.
    //! 2. Any of the given secrets counts, such as the one before a rotation.
    //! 3. A token with claims of a wrong type is invalid.

    use super::*;
    use serde_json::{Value, json};

    const NOW: Timestamp = Timestamp(1_763_650_000_000);

    fn now_s(ahead: i64) -> i64 {
        NOW.0 / 1000 + ahead
    }

    fn sign(header: &Value, payload: &Value, secret: &str) -> String {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", part(header), part(payload));
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("any length");
        mac.update(signed.as_bytes());
        format!(
            "{signed}.{}",
            URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes())
        )
    }

    fn read(token: &str, secrets: &[&str]) -> Option<Claims> {
        let secrets: Vec<String> = secrets.iter().map(|s| (*s).to_owned()).collect();
        VisitorToken::parse(token, NOW)?.claims_signed_by(&secrets)
    }

    fn valid() -> (Value, Value) {
        let payload = json!({"groups": ["4"], "tier": "4", "country": "fr", "currency": "USD",
                             "exp": now_s(60), "iat": now_s(0), "other": {}});
        (json!({"alg": "HS256", "typ": "JWT"}), payload)
    }

    #[test]
    fn the_example_of_the_standard_is_valid() {
        // RFC 7515, appendix A.1, with its key of 64 bytes.
        let text = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6\
                    Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        let key = "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow";
        let key = URL_SAFE_NO_PAD.decode(key).expect("base64");
        let before_its_end = Timestamp(1_300_819_380_000 - 1);
        let token = VisitorToken::parse(text, before_its_end).expect("a token");
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("any length");
        mac.update(token.signed.as_bytes());
        assert!(mac.verify_slice(&token.signature).is_ok());
    }

    #[test]
    fn only_a_valid_signature_counts() {
        let (header, payload) = valid();
        let token = sign(&header, &payload, "ctx_a");
        let claims = read(&token, &["ctx_a"]).expect("valid");
        assert_eq!(claims.groups, Some(vec!["4".to_owned()]));
        assert_eq!(claims.currency.as_deref(), Some("USD"));
        assert!(read(&token, &["ctx_new", "ctx_a"]).is_some());
        assert_eq!(read(&token, &["ctx_b"]), None);
        assert_eq!(read(&token, &[]), None);
        let (head, _) = token.rsplit_once('.').expect("three parts");
        for broken in [
            format!("{head}."),
            head.to_owned(),
            format!("{token}x"),
            format!("{token}.x"),
            format!("x{token}"),
            token.to_uppercase(),
            String::new(),
            "..".to_owned(),
        ] {
            assert_eq!(read(&broken, &["ctx_a"]), None, "{broken}");
        }
    }

    #[test]
    fn no_other_algorithm_counts() {
        let (_, payload) = valid();
        for header in [
            json!({"alg": "none"}),
            json!({"alg": "hs256"}),
            json!({"alg": "HS512"}),
            json!({"alg": "RS256"}),
            json!({"typ": "JWT"}),
            json!({"alg": "HS256", "crit": ["b64"]}),
        ] {
            assert_eq!(
                read(&sign(&header, &payload, "ctx_a"), &["ctx_a"]),
                None,
                "{header}"
            );
        }
    }

    #[test]
    fn a_token_lasts_at_most_an_hour() {
        for (exp, counts) in [
            (json!(now_s(1)), true),
            (json!(now_s(3_600)), true),
            (json!(now_s(0)), false),
            (json!(now_s(-1)), false),
            (json!(now_s(3_601)), false),
            (json!(1e300), false),
            (json!(null), false),
            (json!("1"), false),
        ] {
            let (header, mut payload) = valid();
            payload["exp"] = exp.clone();
            let token = sign(&header, &payload, "ctx_a");
            assert_eq!(read(&token, &["ctx_a"]).is_some(), counts, "{exp}");
        }
        let (header, mut payload) = valid();
        payload.as_object_mut().expect("an object").remove("exp");
        assert_eq!(read(&sign(&header, &payload, "ctx_a"), &["ctx_a"]), None);
    }

    #[test]
    fn claims_have_their_types_and_tokens_their_size() {
        for (claim, value) in [
            ("groups", json!("4")),
            ("groups", json!([4])),
            ("tier", json!(4)),
            ("country", json!(["fr"])),
        ] {
            let (header, mut payload) = valid();
            payload[claim] = value;
            assert_eq!(
                read(&sign(&header, &payload, "ctx_a"), &["ctx_a"]),
                None,
                "{claim}"
            );
        }
        let (header, mut payload) = valid();
        payload["other"] = json!("x".repeat(VISITOR_TOKEN_BYTES_MAX));
        assert_eq!(read(&sign(&header, &payload, "ctx_a"), &["ctx_a"]), None);
    }
}
