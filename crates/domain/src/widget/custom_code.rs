//! Styles and scripts of a shop for its pages, which only the control panel writes.

use crate::clearable::Clearable;
use crate::invalid::Invalid;
use crate::limits::CUSTOM_CODE_BYTES_MAX;
use crate::message;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Name of the code among the resources of a configuration.
pub const CUSTOM_CODE: &str = "widget/custom";

/// Styles or scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeKind {
    /// A style sheet.
    Css,
    /// A script.
    Js,
}

impl CustomCode {
    /// Returns the code of one kind.
    pub fn of(&self, kind: CodeKind) -> Option<&str> {
        match kind {
            CodeKind::Css => self.css.as_deref(),
            CodeKind::Js => self.js.as_deref(),
        }
    }
}

impl CodeKind {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Css, Self::Js];

    /// Returns the extension of its files, which is also its name in the database.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Css => "css",
            Self::Js => "js",
        }
    }

    /// Returns the kind of files with this extension.
    pub fn from_extension(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.extension() == text)
    }

    /// Returns the name of its field.
    pub fn field(self) -> &'static str {
        match self {
            Self::Css => "customCSS",
            Self::Js => "customJS",
        }
    }
}

/// The present code of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomCode {
    /// Its style sheet.
    #[serde(rename = "customCSS", skip_serializing_if = "Option::is_none")]
    pub css: Option<String>,
    /// Its script.
    #[serde(rename = "customJS", skip_serializing_if = "Option::is_none")]
    pub js: Option<String>,
}

/// The hashes of the present code of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodeHashes {
    /// That of its style sheet.
    pub css: Option<String>,
    /// That of its script.
    pub js: Option<String>,
}

/// An update of the code of a store; what is left out stays, null or empty text removes.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CustomCodePatch {
    /// The style sheet.
    #[serde(default, rename = "customCSS")]
    pub css: Clearable<String>,
    /// The script.
    #[serde(default, rename = "customJS")]
    pub js: Clearable<String>,
}

impl CustomCodePatch {
    /// Returns the code after the update of `before`.
    ///
    /// Errors: every invalid value, by its path.
    pub fn apply(self, before: CustomCode) -> Result<CustomCode, Vec<Invalid>> {
        let parts = [(CodeKind::Css, &self.css), (CodeKind::Js, &self.js)];
        let errors: Vec<Invalid> = parts.into_iter().filter_map(error).collect();
        if !errors.is_empty() {
            return Err(errors);
        }
        let not_empty = |code: &String| !code.is_empty();
        Ok(CustomCode {
            css: self.css.over(before.css).filter(not_empty),
            js: self.js.over(before.js).filter(not_empty),
        })
    }
}

fn error((kind, change): (CodeKind, &Clearable<String>)) -> Option<Invalid> {
    let Clearable::Set(code) = change else {
        return None;
    };
    let bytes = code.len();
    if bytes > CUSTOM_CODE_BYTES_MAX {
        let reason = message::text::bytes_at_most(CUSTOM_CODE_BYTES_MAX, bytes);
        Some(Invalid::new(kind.field(), reason))
    } else if code.contains('\0') {
        let reason = message::text::nul();
        Some(Invalid::new(kind.field(), reason))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    //! 1. What is left out stays; null and empty text remove; each limit is exact.

    use super::*;
    use serde_json::json;

    fn applied(before: &CustomCode, value: serde_json::Value) -> Result<CustomCode, Vec<String>> {
        let patch: CustomCodePatch = serde_json::from_value(value).expect("a patch");
        let fields = |errors: Vec<Invalid>| errors.into_iter().map(|one| one.field).collect();
        patch.apply(before.clone()).map_err(fields)
    }

    #[test]
    fn updates_keep_set_and_remove() {
        let code = |css: Option<&str>, js: Option<&str>| CustomCode {
            css: css.map(str::to_owned),
            js: js.map(str::to_owned),
        };
        let before = code(Some("a{}"), Some("b()"));
        for (patch, after) in [
            (json!({}), before.clone()),
            (json!({"customCSS": "c{}"}), code(Some("c{}"), Some("b()"))),
            (json!({"customJS": null}), code(Some("a{}"), None)),
            (
                json!({"customCSS": "", "customJS": "d()"}),
                code(None, Some("d()")),
            ),
        ] {
            assert_eq!(applied(&before, patch.clone()), Ok(after), "{patch}");
        }
        let longest = "x".repeat(CUSTOM_CODE_BYTES_MAX);
        assert!(applied(&before, json!({"customCSS": longest, "customJS": longest})).is_ok());
        let long = format!("{longest}x");
        assert_eq!(
            applied(&before, json!({"customCSS": long, "customJS": "a\0"})),
            Err(vec!["customCSS".to_owned(), "customJS".to_owned()])
        );
        assert!(serde_json::from_value::<CustomCodePatch>(json!({"customHTML": ""})).is_err());
    }
}
