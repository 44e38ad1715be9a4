//! What can be written of a source, and its request.

use super::address::{SourceAddress, SourceRules};
use crate::document::DocType;
use crate::form::StoreName;
use crate::invalid::Invalid;
use crate::language::Language;
use crate::limits::{
    SOURCE_HEADER_CHARACTERS_MAX, SOURCE_INTERVAL_MINUTES_DEFAULT, SOURCE_INTERVAL_MINUTES_MAX,
    SOURCE_INTERVAL_MINUTES_MIN, SOURCE_SECRET_CHARACTERS_MAX, SOURCE_URL_CHARACTERS_MAX,
    SOURCE_USER_CHARACTERS_MAX, STORE_NAME_CHARACTERS_MAX,
};
use crate::message::{self, Message};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Whether a source is the whole truth of its type and language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SourceMode {
    /// What is not in the file is removed.
    #[default]
    Complete,
    /// Nothing is removed.
    Add,
}

/// How requests of a source are authenticated, without the secret.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum SourceAuth {
    /// Not at all.
    #[default]
    None,
    /// Name and password of HTTP.
    Basic {
        /// The name.
        user: String,
    },
    /// A header with a secret value.
    Header {
        /// Its name.
        name: String,
    },
}

/// What can be written of a source, but its secret.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SourceSettings {
    /// Name for people.
    pub name: String,
    /// Where the file is, in normal form.
    pub url: String,
    /// Type of its documents.
    #[serde(rename = "type")]
    pub doc_type: DocType,
    /// Their language.
    pub language: Language,
    /// Whether what is not in the file is removed.
    pub mode: SourceMode,
    /// Minutes from one fetch to the next.
    pub interval_minutes: u32,
    /// Whether it is fetched.
    pub active: bool,
    /// What is taken as what.
    pub mapping: Map<String, Value>,
    /// How requests are authenticated.
    pub auth: SourceAuth,
}

/// A new source, or an update of one: what is left out stays, or has its default.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SourcePatch {
    /// Name for people; that of the host if left out.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = STORE_NAME_CHARACTERS_MAX))]
    pub name: Option<String>,
    /// An http or https address; required of a new source.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = SOURCE_URL_CHARACTERS_MAX))]
    pub url: Option<String>,
    /// Type of its documents, `products` if left out.
    #[serde(default, rename = "type")]
    #[schemars(with = "DocType")]
    pub doc_type: Option<DocType>,
    /// Their language, the store's default if left out.
    #[serde(default)]
    #[schemars(with = "Language")]
    pub language: Option<String>,
    /// Whether what is not in the file is removed; `complete` if left out.
    #[serde(default)]
    #[schemars(with = "SourceMode")]
    pub mode: Option<SourceMode>,
    /// Minutes from one fetch to the next, 240 if left out.
    #[serde(default)]
    #[schemars(with = "u32", range(min = SOURCE_INTERVAL_MINUTES_MIN, max = SOURCE_INTERVAL_MINUTES_MAX))]
    pub interval_minutes: Option<u32>,
    /// Whether it is fetched.
    #[serde(default)]
    #[schemars(with = "bool")]
    pub active: Option<bool>,
    /// What is taken as what, replaced as a whole.
    #[serde(default)]
    #[schemars(with = "Map<String, Value>")]
    pub mapping: Option<Map<String, Value>>,
    /// How requests are authenticated, replaced as a whole.
    #[serde(default)]
    #[schemars(with = "SourceAuthInput")]
    pub auth: Option<SourceAuthInput>,
}

/// How requests are authenticated, with the secret.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SourceAuthInput {
    /// `none`, `basic` or `header`.
    pub kind: SourceAuthKind,
    /// Name of `basic`.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = SOURCE_USER_CHARACTERS_MAX))]
    pub user: Option<String>,
    /// Password of `basic`; left out, the stored one stays.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = SOURCE_SECRET_CHARACTERS_MAX))]
    pub password: Option<String>,
    /// Name of `header`: `Authorization`, or one that begins with `X-`.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = SOURCE_HEADER_CHARACTERS_MAX))]
    pub name: Option<String>,
    /// Value of `header`; left out, the stored one stays.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = SOURCE_SECRET_CHARACTERS_MAX))]
    pub value: Option<String>,
}

impl std::fmt::Debug for SourceAuthInput {
    /// Writes no secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SourceAuthInput")
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}

/// A way to authenticate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "as in SourceAuth")]
pub enum SourceAuthKind {
    None,
    Basic,
    Header,
}

/// What an update makes of a source.
#[derive(Clone, Debug)]
pub struct PatchedSource {
    /// The settings.
    pub settings: SourceSettings,
    /// Its address.
    pub address: SourceAddress,
    /// A secret that was sent.
    pub new_secret: Option<String>,
    /// Whether a stored secret may stay: the way to authenticate and scheme, host and port are the same.
    pub keeps_secret: bool,
}

impl SourcePatch {
    /// Returns the source that the request makes of `before`, or a new one in the store's default `language`.
    ///
    /// Errors: every invalid value, by its path.
    pub fn over(
        self,
        before: Option<&SourceSettings>,
        rules: &SourceRules,
        language: &Language,
    ) -> Result<PatchedSource, Vec<Invalid>> {
        let mut errors = Vec::new();
        let url = self
            .url
            .as_deref()
            .or(before.map(|before| before.url.as_str()));
        let checked = url.ok_or_else(message::value::required);
        let address = checked.and_then(|url| rules.check(url));
        let address = noted(address, "url", &mut errors);
        let name = self
            .name
            .map(|name| StoreName::parse(name).map(|name| name.as_str().to_owned()));
        let name = name.and_then(|name| noted(name, "name", &mut errors));
        let of_patch = self.language.as_deref().map(Language::parse);
        let of_patch = of_patch.and_then(|parsed| noted(parsed, "language", &mut errors));
        let interval = self.interval_minutes.map(check_interval);
        let interval = interval.and_then(|checked| noted(checked, "intervalMinutes", &mut errors));
        let sent = self.auth.as_ref().map(|auth| auth.checked(&mut errors));
        let (Some(address), true) = (address, errors.is_empty()) else {
            return Err(errors);
        };
        let before_auth = before.map(|before| before.auth.clone()).unwrap_or_default();
        let (auth, new_secret) = sent.unwrap_or((before_auth, None));
        if auth != SourceAuth::None && !address.may_have_credentials() {
            return Err(vec![Invalid::new("auth", message::source::needs_https())]);
        }
        let same_place = before.is_some_and(|before| {
            let former = rules.check(&before.url);
            before.auth == auth && former.is_ok_and(|former| former.is_same_origin(&address))
        });
        let or = |name: Option<String>| name.or_else(|| before.map(|before| before.name.clone()));
        Ok(PatchedSource {
            keeps_secret: same_place && auth != SourceAuth::None,
            new_secret,
            settings: SourceSettings {
                name: or(name).unwrap_or_else(|| address.host().to_owned()),
                url: address.as_str().to_owned(),
                doc_type: self
                    .doc_type
                    .or(before.map(|b| b.doc_type))
                    .unwrap_or(DocType::Products),
                language: of_patch
                    .or_else(|| before.map(|before| before.language.clone()))
                    .unwrap_or_else(|| language.clone()),
                mode: self.mode.or(before.map(|b| b.mode)).unwrap_or_default(),
                interval_minutes: interval
                    .or(before.map(|before| before.interval_minutes))
                    .unwrap_or(SOURCE_INTERVAL_MINUTES_DEFAULT),
                active: self
                    .active
                    .or(before.map(|before| before.active))
                    .unwrap_or(true),
                mapping: self
                    .mapping
                    .or_else(|| before.map(|before| before.mapping.clone()))
                    .unwrap_or_default(),
                auth,
            },
            address,
        })
    }
}

fn noted<T>(parsed: Result<T, Message>, path: &str, errors: &mut Vec<Invalid>) -> Option<T> {
    parsed
        .map_err(|reason| errors.push(Invalid::new(path, reason)))
        .ok()
}

fn check_interval(minutes: u32) -> Result<u32, Message> {
    let bounds = SOURCE_INTERVAL_MINUTES_MIN..=SOURCE_INTERVAL_MINUTES_MAX;
    match bounds.contains(&minutes) {
        true => Ok(minutes),
        false => Err(message::number::whole_between(
            *bounds.start(),
            *bounds.end(),
            minutes,
        )),
    }
}

impl SourceAuthInput {
    /// Returns what is shown of it, and the secret that was sent.
    fn checked(&self, errors: &mut Vec<Invalid>) -> (SourceAuth, Option<String>) {
        let mut wrong = |path: &str, reason| errors.push(Invalid::new(path, reason));
        let unused = |wrong: &mut dyn FnMut(&str, Message), fields: &[(&str, &Option<String>)]| {
            for (path, value) in fields {
                if value.is_some() {
                    wrong(path, message::source::not_of_kind());
                }
            }
        };
        let (user, name) = (("auth.user", &self.user), ("auth.name", &self.name));
        let (password, value) = (
            ("auth.password", &self.password),
            ("auth.value", &self.value),
        );
        let secret = match self.kind {
            SourceAuthKind::None => None,
            SourceAuthKind::Basic => Some(password),
            SourceAuthKind::Header => Some(value),
        };
        if let Some((path, Some(secret))) = secret
            && !is_secret(secret)
        {
            wrong(path, message::source::secret(SOURCE_SECRET_CHARACTERS_MAX));
        }
        let auth = match self.kind {
            SourceAuthKind::None => {
                unused(&mut wrong, &[user, name, password, value]);
                SourceAuth::None
            }
            SourceAuthKind::Basic => {
                unused(&mut wrong, &[name, value]);
                let user = self.user.clone().unwrap_or_default();
                if !is_user(&user) {
                    wrong(
                        "auth.user",
                        message::source::user_name(SOURCE_USER_CHARACTERS_MAX),
                    );
                }
                SourceAuth::Basic { user }
            }
            SourceAuthKind::Header => {
                unused(&mut wrong, &[user, password]);
                let name = self.name.clone().unwrap_or_default();
                if !is_header_name(&name) {
                    let reason = message::source::header_name(SOURCE_HEADER_CHARACTERS_MAX);
                    wrong("auth.name", reason);
                }
                SourceAuth::Header { name }
            }
        };
        (auth, secret.and_then(|(_, secret)| secret.clone()))
    }
}

fn is_secret(text: &str) -> bool {
    let is_visible = |byte: u8| (b' '..=b'~').contains(&byte);
    let length = 1..=SOURCE_SECRET_CHARACTERS_MAX;
    length.contains(&text.len()) && text.trim() == text && text.bytes().all(is_visible)
}

fn is_user(text: &str) -> bool {
    let length = 1..=SOURCE_USER_CHARACTERS_MAX;
    length.contains(&text.chars().count()) && !text.chars().any(|c| c.is_control() || c == ':')
}

fn is_header_name(name: &str) -> bool {
    let rest = name
        .get(..2)
        .filter(|first| first.eq_ignore_ascii_case("x-"));
    let is_own = rest.is_some() && name.len() > 2;
    let is_token = name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let is_known = name.eq_ignore_ascii_case("authorization") || is_own;
    is_known && is_token && name.len() <= SOURCE_HEADER_CHARACTERS_MAX
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn patched(body: Value, before: Option<&SourceSettings>) -> Result<PatchedSource, Vec<String>> {
        let patch: SourcePatch = serde_json::from_value(body).expect("a request");
        let language = Language::parse("es").expect("a language");
        let patched = patch.over(before, &SourceRules::default(), &language);
        patched.map_err(|errors| errors.into_iter().map(|error| error.field).collect())
    }

    #[test]
    fn an_address_is_enough() {
        let source = patched(json!({"url": "https://SHOP.example/feed"}), None).expect("valid");
        let expected = json!({
            "name": "shop.example", "url": "https://shop.example/feed", "type": "products", "language": "es",
            "mode": "complete", "intervalMinutes": 240, "active": true, "mapping": {}, "auth": {"kind": "none"}
        });
        assert_eq!(json!(source.settings), expected);
    }

    #[test]
    fn invalid_values_are_named() {
        let url = "https://shop.example/";
        let auth = |auth: Value| json!({"url": url, "auth": auth});
        for (body, path) in [
            (json!({}), "url"),
            (
                json!({"url": url, "intervalMinutes": 14}),
                "intervalMinutes",
            ),
            (
                json!({"url": url, "intervalMinutes": 10_081}),
                "intervalMinutes",
            ),
            (json!({"url": url, "language": "spanish"}), "language"),
            (auth(json!({"kind": "basic", "password": "x"})), "auth.user"),
            (auth(json!({"kind": "basic", "user": "a:b"})), "auth.user"),
            (
                auth(json!({"kind": "basic", "user": "a", "password": "ñ"})),
                "auth.password",
            ),
            (
                auth(json!({"kind": "basic", "user": "a", "value": "x"})),
                "auth.value",
            ),
            (
                auth(json!({"kind": "header", "name": "Cookie", "value": "x"})),
                "auth.name",
            ),
            (
                auth(json!({"kind": "header", "name": "X-\r\nA", "value": "x"})),
                "auth.name",
            ),
            (
                auth(json!({"kind": "header", "name": "X-Key", "value": "a\r\nb"})),
                "auth.value",
            ),
            (
                auth(json!({"kind": "none", "password": "x"})),
                "auth.password",
            ),
            (
                json!({"url": "http://shop.example/", "auth": {"kind": "basic", "user": "a"}}),
                "auth",
            ),
        ] {
            assert_eq!(
                patched(body.clone(), None).expect_err("invalid"),
                [path],
                "{body}"
            );
        }
    }

    #[test]
    fn a_secret_stays_where_it_was_meant_for() {
        let auth = json!({"kind": "basic", "user": "a", "password": "s3cret"});
        let body = json!({"url": "https://shop.example/feed", "auth": auth});
        let before = patched(body, None).expect("valid");
        assert_eq!(before.new_secret.as_deref(), Some("s3cret"));
        for (body, keeps) in [
            (json!({"name": "x"}), true),
            (json!({"url": "https://shop.example/other"}), true),
            (json!({"auth": {"kind": "basic", "user": "a"}}), true),
            (json!({"auth": {"kind": "basic", "user": "b"}}), false),
            (json!({"url": "https://shop.example:8443/feed"}), false),
            (json!({"url": "https://other.example/feed"}), false),
            (json!({"auth": {"kind": "none"}}), false),
        ] {
            let after = patched(body.clone(), Some(&before.settings)).expect("valid");
            assert_eq!(after.keeps_secret, keeps, "{body}");
        }
    }
}
