//! A release of a shop module: its version, and the description that lies beside its archive.

use crate::first_characters;
use crate::language::Language;
use crate::limits::{NAME_CHARACTERS_MAX, RELEASE_NOTE_CHARACTERS_MAX, STORE_LANGUAGES_MAX};
use crate::store::is_platform;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Most digits of one number of a version.
const DIGITS_MAX: usize = 9;
/// Most numbers of the version of a platform or of PHP.
const NUMBERS_MAX: usize = 4;

/// A version of three numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version([u32; 3]);

impl Version {
    /// Parses `1.4.0`; `None` for anything but three numbers without leading zeros.
    pub fn parse(text: &str) -> Option<Self> {
        let numbers: Option<Vec<u32>> = text.split('.').map(number).collect();
        numbers?.try_into().ok().map(Self)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.0;
        write!(f, "{major}.{minor}.{patch}")
    }
}

fn number(text: &str) -> Option<u32> {
    let is_canonical = text == "0" || !text.starts_with('0');
    let are_digits = text.len() <= DIGITS_MAX && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_canonical && are_digits).then(|| text.parse().ok())?
}

/// Returns the platform in a client header, `<platform>/<module version>; …`, in lower case; `None` if it names none.
pub fn platform_of_client(client: &str) -> Option<String> {
    let (platform, _) = client.split_once('/')?;
    let platform = platform.trim().to_ascii_lowercase();
    is_platform(&platform).then_some(platform)
}

/// What the description of a release says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReleaseAbout {
    /// Version of the module.
    pub version: String,
    /// Day of the release, `2026-11-20`.
    pub released: String,
    /// Lowest version of the platform that the module runs on.
    #[serde(
        default,
        deserialize_with = "text",
        skip_serializing_if = "Option::is_none"
    )]
    pub min_platform: Option<String>,
    /// Highest version of the platform that the module runs on.
    #[serde(
        default,
        deserialize_with = "text",
        skip_serializing_if = "Option::is_none"
    )]
    pub max_platform: Option<String>,
    /// Lowest version of PHP that the module runs on.
    #[serde(
        default,
        deserialize_with = "text",
        skip_serializing_if = "Option::is_none"
    )]
    pub min_php: Option<String>,
    /// Whether an update runs a script.
    pub has_upgrade_script: bool,
    /// Whether all documents should be sent again after an update.
    pub reindex_advised: bool,
    /// What is new, by language.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub notes: BTreeMap<String, String>,
}

/// Deserializes the text of a key that may be left out, but not null.
fn text<'de, D: Deserializer<'de>>(value: D) -> Result<Option<String>, D::Error> {
    String::deserialize(value).map(Some)
}

impl ReleaseAbout {
    /// Checks the description of `version`.
    ///
    /// Errors: the first reason why it is invalid.
    pub fn check(&self, version: Version) -> Result<(), String> {
        if Version::parse(&self.version) != Some(version) {
            return Err(format!("version: must be {version}, as in the file name"));
        }
        if self.released.parse::<jiff::civil::Date>().is_err() || self.released.len() != 10 {
            return Err("released: must be a day such as 2026-11-20".to_owned());
        }
        for (name, value) in [
            ("minPlatform", &self.min_platform),
            ("maxPlatform", &self.max_platform),
            ("minPhp", &self.min_php),
        ] {
            let numbers = value.iter().flat_map(|value| value.split('.'));
            let count = numbers.clone().count();
            if count > NUMBERS_MAX || numbers.into_iter().any(|text| number(text).is_none()) {
                return Err(format!("{name}: must be numbers separated by points"));
            }
        }
        if self.notes.len() > STORE_LANGUAGES_MAX {
            return Err(format!(
                "notes: must have at most {STORE_LANGUAGES_MAX} languages"
            ));
        }
        for (language, text) in &self.notes {
            let shown = first_characters(language, NAME_CHARACTERS_MAX);
            Language::parse(language).map_err(|reason| format!("notes.{shown}: {reason}"))?;
            if text.chars().count() > RELEASE_NOTE_CHARACTERS_MAX {
                return Err(format!(
                    "notes.{shown}: must have at most {RELEASE_NOTE_CHARACTERS_MAX} characters"
                ));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    //! 1. Versions are three numbers, compared as numbers.
    //! 2. The client header names the platform.
    //! 3. Every value of a description is checked.

    use super::*;
    use serde_json::{Value, json};

    fn version(text: &str) -> Version {
        Version::parse(text).expect("a version")
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(version("1.10.0") > version("1.9.9") && version("2.0.0") > version("1.99.99"));
        assert_eq!(version("0.10.3").to_string(), "0.10.3");
        for bad in [
            "1.2",
            "1.2.3.4",
            "1.2.x",
            "01.2.3",
            "1.2.+3",
            "",
            "1..3",
            "1.2.9999999999",
        ] {
            assert_eq!(Version::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_client_header_names_the_platform() {
        for (client, platform) in [
            (
                "prestashop/1.1.0; platform=8.1.0; php=8.2",
                Some("prestashop"),
            ),
            (" PrestaShop /x", Some("prestashop")),
            ("curl", None),
            ("/1.0.0", None),
            ("a b/1.0.0", None),
        ] {
            assert_eq!(platform_of_client(client).as_deref(), platform, "{client}");
        }
    }

    #[test]
    fn descriptions_are_checked() {
        let good = json!({
            "version": "1.4.0", "released": "2026-11-20", "minPlatform": "8.0.0", "maxPlatform": "9.99.99",
            "minPhp": "8.1", "hasUpgradeScript": false, "reindexAdvised": true, "notes": {"en": "New."}
        });
        let check = |value: &Value| {
            let about = serde_json::from_value::<ReleaseAbout>(value.clone());
            about
                .map_err(|error| error.to_string())
                .and_then(|about| about.check(version("1.4.0")))
        };
        assert_eq!(check(&good), Ok(()));
        for (name, bad) in [
            ("version", json!("1.4.1")),
            ("released", json!("2026-02-30")),
            ("released", json!("20261120")),
            ("minPlatform", json!("8.x")),
            ("maxPlatform", json!("1.2.3.4.5")),
            ("minPhp", json!("")),
            ("minPhp", json!(null)),
            ("minPlatform", json!(null)),
            ("maxPlatform", json!(null)),
            ("notes", json!(null)),
            ("hasUpgradeScript", json!("no")),
            ("reindexAdvised", json!(null)),
            ("notes", json!({"english": "x"})),
            ("notes", json!({"en": "x".repeat(10_001)})),
            ("url", json!("https://evil.example/x.zip")),
        ] {
            let mut value = good.clone();
            value[name] = bad.clone();
            assert!(check(&value).is_err(), "{name}: {bad}");
        }
        let without = |name: &str| {
            let mut value = good.clone();
            value.as_object_mut().expect("an object").remove(name);
            check(&value)
        };
        for name in ["version", "released", "hasUpgradeScript", "reindexAdvised"] {
            assert!(without(name).is_err(), "{name}");
        }
        for name in ["minPlatform", "maxPlatform", "minPhp", "notes"] {
            assert_eq!(without(name), Ok(()), "{name}");
        }
    }
}
