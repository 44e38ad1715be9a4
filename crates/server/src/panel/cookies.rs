//! The cookies of the control panel: the session, and the proof that a user signed in from this browser.

use super::addresses::PanelUrl;
use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderValue};
use std::time::Duration;

/// How long the proof is kept.
const KNOWN_TIME: Duration = Duration::from_secs(365 * 86_400);

/// A cookie of the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanelCookie {
    /// The session.
    Session,
    /// The proof that a user signed in from this browser.
    Known,
}

impl PanelCookie {
    /// Returns the name at an address. The prefix `__Host-` needs https; over http the port is part of the name, because
    /// cookies of different ports are sent to each other.
    fn name(self, url: &PanelUrl) -> String {
        match (self, url.is_https()) {
            (Self::Session, true) => "__Host-findwell".to_owned(),
            (Self::Known, true) => "__Host-findwell-known".to_owned(),
            (Self::Session, false) => format!("findwell_{}", url.port()),
            (Self::Known, false) => format!("findwell-known_{}", url.port()),
        }
    }

    /// Returns its value in a request.
    pub fn read(self, headers: &HeaderMap, url: &PanelUrl) -> Option<String> {
        let name = self.name(url);
        let fields = headers.get_all(COOKIE).into_iter();
        let texts = fields.filter_map(|field| field.to_str().ok());
        let mut pairs = texts.flat_map(|text| text.split(';')).filter_map(|pair| {
            let (name, value) = pair.trim().split_once('=')?;
            Some((name, value))
        });
        pairs
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value.to_owned())
    }

    /// Returns the header that sets it for `time`.
    fn set(self, url: &PanelUrl, value: &str, time: Duration) -> Option<HeaderValue> {
        let secure = if url.is_https() { "; Secure" } else { "" };
        let text = format!(
            "{}={value}; Path=/; Max-Age={}; HttpOnly; SameSite=Lax{secure}",
            self.name(url),
            time.as_secs()
        );
        HeaderValue::from_str(&text).ok()
    }

    /// Returns the header that sets the session for `time`.
    pub fn session(url: &PanelUrl, token: &str, time: Duration) -> Option<HeaderValue> {
        Self::Session.set(url, token, time)
    }

    /// Returns the header that sets the proof.
    pub fn browser(url: &PanelUrl, proof: &str) -> Option<HeaderValue> {
        Self::Known.set(url, proof, KNOWN_TIME)
    }

    /// Returns the header that removes the session.
    pub fn no_session(url: &PanelUrl) -> Option<HeaderValue> {
        Self::Session.set(url, "", Duration::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_have_the_attributes_of_their_address() {
        let https: PanelUrl = "https://panel.example".parse().expect("an address");
        let http: PanelUrl = "http://localhost:7700".parse().expect("an address");
        let set =
            |url| PanelCookie::session(url, "abc", Duration::from_secs(60)).expect("a header");
        assert_eq!(
            set(&https),
            "__Host-findwell=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure"
        );
        assert_eq!(
            set(&http),
            "findwell_7700=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax"
        );
        let mut headers = HeaderMap::new();
        let sent = HeaderValue::from_static("a=b; findwell_7700=abc; findwell-known_7700=x=y==");
        headers.insert(COOKIE, sent);
        assert_eq!(
            PanelCookie::Session.read(&headers, &http).as_deref(),
            Some("abc")
        );
        assert_eq!(
            PanelCookie::Known.read(&headers, &http).as_deref(),
            Some("x=y==")
        );
        assert_eq!(PanelCookie::Session.read(&headers, &https), None);
    }
}
