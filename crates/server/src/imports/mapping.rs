//! What the user says about a file, as the JSON object `mapping` or a file in TOML.

use axum::http::Uri;
use catalogue_files::bounds::MAPPED_COLUMNS_MAX;
use catalogue_files::{
    ColumnProfile, MappedColumn, MappedTarget, MappingOptions, encoding_of, is_code,
};
use domain::limits::{IMPORT_NAME_CHARACTERS_MAX, IMPORT_TEMPLATE_CHARACTERS_MAX};
use schemars::JsonSchema;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// What the user says about a file (`docs/import.md`, "Columns"); all of it may be left out.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ColumnMapping {
    /// Whose column names the file has.
    #[schemars(with = "String", length(max = IMPORT_NAME_CHARACTERS_MAX))]
    profile: Option<String>,
    /// Encoding of the text, such as windows-1252.
    #[schemars(with = "String", length(max = IMPORT_NAME_CHARACTERS_MAX))]
    encoding: Option<String>,
    /// Delimiter of CSV.
    #[schemars(with = "String", length(max = IMPORT_NAME_CHARACTERS_MAX))]
    delimiter: Option<String>,
    /// Decimal mark of numbers.
    #[schemars(with = "String", length(max = IMPORT_NAME_CHARACTERS_MAX))]
    decimal: Option<String>,
    /// Base currency where the store declares none.
    #[schemars(with = "String", length(max = IMPORT_NAME_CHARACTERS_MAX))]
    currency: Option<String>,
    /// Address that relative ones are resolved against.
    #[schemars(with = "String", length(max = IMPORT_TEMPLATE_CHARACTERS_MAX))]
    base_url: Option<String>,
    /// Template of the address of a product's page.
    #[schemars(with = "String", length(max = IMPORT_TEMPLATE_CHARACTERS_MAX))]
    url_template: Option<String>,
    /// Store view of Magento whose cells replace the default ones.
    #[schemars(with = "String", length(max = IMPORT_NAME_CHARACTERS_MAX))]
    store_view: Option<String>,
    /// Columns and what each is taken as, in the order in which they count.
    #[serde(deserialize_with = "in_order")]
    #[schemars(with = "BTreeMap<String, MappedTo>")]
    columns: Vec<(String, MappedTo)>,
}

/// One target or several.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum MappedTo {
    One(String),
    Several(Vec<String>),
}

/// A value of a mapping that is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappingError {
    /// Its path in the mapping, such as `decimal` or `columns["Precio"]`.
    pub path: String,
    /// The reason in English.
    pub reason: String,
}

impl MappingError {
    /// Returns its path from the mapping itself on, such as `mapping.decimal`.
    pub fn whole_path(&self) -> String {
        match self.path.is_empty() {
            true => "mapping".to_owned(),
            false => format!("mapping.{}", self.path),
        }
    }
}

impl fmt::Display for MappingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for MappingError {}

impl ColumnMapping {
    /// Returns a mapping that was sent, or stored after it was checked, as the reader takes it.
    ///
    /// Errors: the first value that is invalid, with an empty path where it is no mapping at all.
    pub fn read(sent: &Value) -> Result<MappingOptions, MappingError> {
        let parsed = Self::deserialize(sent);
        let mapping = parsed.map_err(|error| MappingError {
            path: String::new(),
            reason: error.to_string(),
        })?;
        mapping.options()
    }

    /// Returns it as the reader takes it.
    ///
    /// Errors: the first value that is invalid.
    pub fn options(&self) -> Result<MappingOptions, MappingError> {
        if self.columns.len() > MAPPED_COLUMNS_MAX {
            return Err(MappingError {
                path: "columns".to_owned(),
                reason: format!("names more than {MAPPED_COLUMNS_MAX} columns"),
            });
        }
        let columns = self.columns.iter();
        let columns: Result<Vec<MappedColumn>, MappingError> =
            columns.map(|(source, to)| mapped(source, to)).collect();
        let name = checked("encoding", self.encoding.as_deref(), encoding)?;
        Ok(MappingOptions {
            profile: checked("profile", self.profile.as_deref(), profile)?,
            encoding: name.as_deref().and_then(encoding_of),
            delimiter: checked("delimiter", self.delimiter.as_deref(), delimiter)?,
            decimal: checked("decimal", self.decimal.as_deref(), decimal)?,
            currency: checked("currency", self.currency.as_deref(), currency)?,
            base_url: checked("baseUrl", self.base_url.as_deref(), address)?,
            url_template: self.url_template.clone(),
            store_view: self.store_view.clone(),
            columns: columns?,
        })
    }
}

fn mapped(source: &str, to: &MappedTo) -> Result<MappedColumn, MappingError> {
    let targets = match to {
        MappedTo::One(target) => std::slice::from_ref(target),
        MappedTo::Several(targets) => targets,
    };
    let parsed: Result<Vec<MappedTarget>, String> = targets
        .iter()
        .map(|target| MappedTarget::parse(target))
        .collect();
    let targets = parsed.map_err(|reason| MappingError {
        path: format!("columns[\"{source}\"]"),
        reason,
    })?;
    Ok(MappedColumn {
        source: source.to_owned(),
        targets,
    })
}

fn checked<T>(
    path: &str,
    text: Option<&str>,
    parse: impl Fn(&str) -> Result<T, &'static str>,
) -> Result<Option<T>, MappingError> {
    let parsed = text.map(|text| {
        parse(text).map_err(|reason| MappingError {
            path: path.to_owned(),
            reason: format!("{text}: {reason}"),
        })
    });
    parsed.transpose()
}

/// Parses the name of a profile.
///
/// Errors: the reason.
pub fn profile(text: &str) -> Result<ColumnProfile, &'static str> {
    ColumnProfile::parse(text)
        .ok_or("must be google, shopify, woocommerce, magento, shopware, findwell or plain")
}

/// Parses the label of an encoding.
///
/// Errors: the reason.
pub fn encoding(text: &str) -> Result<String, &'static str> {
    match encoding_of(text) {
        Some(_) => Ok(text.to_owned()),
        None => Err("must be the name of an encoding, such as utf-8 or windows-1252"),
    }
}

/// Parses the delimiter of CSV.
///
/// Errors: the reason.
pub fn delimiter(text: &str) -> Result<u8, &'static str> {
    match text.as_bytes() {
        b"\\t" | b"tab" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(*byte),
        _ => Err("must be one character, or tab"),
    }
}

/// Parses a decimal mark.
///
/// Errors: the reason.
pub fn decimal(text: &str) -> Result<char, &'static str> {
    match text {
        "." => Ok('.'),
        "," => Ok(','),
        _ => Err("must be . or ,"),
    }
}

/// Parses the code of a currency, in either case.
///
/// Errors: the reason.
pub fn currency(text: &str) -> Result<String, &'static str> {
    let code = text.to_uppercase();
    is_code(&code)
        .then_some(code)
        .ok_or("must be an ISO code such as EUR")
}

/// Parses the address that relative ones are resolved against, and takes slashes off its end.
fn address(text: &str) -> Result<String, &'static str> {
    let named = text.trim().trim_end_matches('/');
    let uri: Option<Uri> = named.parse().ok();
    let is_http = uri.is_some_and(|uri| {
        matches!(uri.scheme_str(), Some("http" | "https")) && uri.authority().is_some()
    });
    is_http
        .then(|| named.to_owned())
        .ok_or("must be an http or https address")
}

/// Reads an object in the order in which it is written.
fn in_order<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(String, MappedTo)>, D::Error> {
    struct InOrder;
    impl<'de> Visitor<'de> for InOrder {
        type Value = Vec<(String, MappedTo)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object of columns and targets")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut columns = Vec::new();
            while let Some(column) = map.next_entry()? {
                columns.push(column);
            }
            Ok(columns)
        }
    }
    from.deserialize_map(InOrder)
}

#[cfg(test)]
mod tests {
    //! 1. Columns count in the order in which they are written.
    //! 2. An invalid value is named by its path.

    use super::*;
    use serde_json::json;

    fn parsed(mapping: Value) -> Result<MappingOptions, MappingError> {
        ColumnMapping::read(&mapping)
    }

    #[test]
    fn columns_keep_their_order() {
        let columns = json!({"columns": {"Z": "name", "A": ["name", "tags[|]"]}});
        let options = parsed(columns).expect("valid");
        let sources: Vec<&str> = options.columns.iter().map(|c| c.source.as_str()).collect();
        assert_eq!(sources, ["Z", "A"]);
        assert_eq!(options.columns[1].targets.len(), 2);
    }

    #[test]
    fn an_invalid_value_is_named() {
        for (mapping, path) in [
            (
                json!({"columns": {"Precio": "prise"}}),
                "columns[\"Precio\"]",
            ),
            (json!({"decimal": ";"}), "decimal"),
            (json!({"baseUrl": "ftp://a.example"}), "baseUrl"),
            (json!({"encoding": "none"}), "encoding"),
            (json!({"encodings": "utf-8"}), ""),
        ] {
            let error = parsed(mapping).expect_err(path);
            assert_eq!(error.path, path);
        }
        assert!(parsed(json!({"baseUrl": "https://a.example/"})).is_ok());
    }
}
