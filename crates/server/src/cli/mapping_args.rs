//! The options that say what the columns of a file mean (`docs/import.md`).

use super::outcome::CommandError;
use crate::imports::mapping::{ColumnMapping, currency, decimal, delimiter, encoding, profile};
use catalogue_files::{MappedColumn, MappingOptions, encoding_of};
use clap::Args;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// What the columns of a file mean, as it is written; each text was checked.
#[derive(Clone, Debug, Default, Args)]
pub struct MappingArgs {
    /// Take a column as a field, such as "Precio=priceInclTax" or "Talla=attributes.Talla[|]"; may be repeated
    #[arg(long, env = "FINDWELL_MAP", value_name = "COLUMN=FIELD", value_parser = kept(MappedColumn::parse))]
    pub map: Vec<String>,
    /// TOML file with these options and a table [columns]; options win
    #[arg(long, env = "FINDWELL_MAP_FILE", value_name = "FILE")]
    pub map_file: Option<PathBuf>,
    /// Whose column names the file has: google, shopify, woocommerce, magento, shopware, findwell or plain
    #[arg(long, env = "FINDWELL_PROFILE", value_name = "NAME", value_parser = kept(profile))]
    pub profile: Option<String>,
    /// Encoding of the text, such as windows-1252
    #[arg(long, env = "FINDWELL_ENCODING", value_name = "NAME", value_parser = kept(encoding))]
    pub encoding: Option<String>,
    /// Delimiter of CSV
    #[arg(long, env = "FINDWELL_DELIMITER", value_name = "CHARACTER", value_parser = kept(delimiter))]
    pub delimiter: Option<String>,
    /// Decimal mark of numbers: . or ,
    #[arg(long, env = "FINDWELL_DECIMAL", value_name = "MARK", value_parser = kept(decimal))]
    pub decimal: Option<String>,
    /// Base currency where the store declares none, such as EUR
    #[arg(long, env = "FINDWELL_CURRENCY", value_name = "CODE", value_parser = kept(currency))]
    pub currency: Option<String>,
    /// Address that relative ones are resolved against; default: that of the store
    #[arg(long, env = "FINDWELL_BASE_URL", value_name = "URL", value_parser = super::web_names::public_url)]
    pub base_url: Option<String>,
    /// Template of the address of a product's page, such as "{base}/p/{sku}"
    #[arg(long, env = "FINDWELL_URL_TEMPLATE", value_name = "TEMPLATE")]
    pub url_template: Option<String>,
    /// Store view of Magento whose rows replace the default ones
    #[arg(long, env = "FINDWELL_STORE_VIEW", value_name = "CODE")]
    pub store_view: Option<String>,
}

impl MappingArgs {
    /// Returns whether any option is given.
    pub fn is_given(&self) -> bool {
        !self.map.is_empty()
            || self.map_file.is_some()
            || self.profile.is_some()
            || self.encoding.is_some()
            || self.delimiter.is_some()
            || self.decimal.is_some()
            || self.currency.is_some()
            || self.base_url.is_some()
            || self.url_template.is_some()
            || self.store_view.is_some()
    }

    /// Returns the mapping of file and options.
    ///
    /// Errors: the file cannot be read or has an invalid value.
    pub fn options(&self) -> Result<MappingOptions, CommandError> {
        let mut options = match &self.map_file {
            Some(path) => of_file::<ColumnMapping>(path)?
                .options()
                .map_err(|error| CommandError::usage(error.to_string()))?,
            None => MappingOptions::default(),
        };
        let label = parsed(&self.encoding, encoding)?;
        options.profile = parsed(&self.profile, profile)?.or(options.profile);
        options.encoding = label.as_deref().and_then(encoding_of).or(options.encoding);
        options.delimiter = parsed(&self.delimiter, delimiter)?.or(options.delimiter);
        options.decimal = parsed(&self.decimal, decimal)?.or(options.decimal);
        options.currency = parsed(&self.currency, currency)?.or(options.currency);
        options.base_url = self.base_url.clone().or(options.base_url);
        options.url_template = self.url_template.clone().or(options.url_template);
        options.store_view = self.store_view.clone().or(options.store_view);
        let columns: Result<Vec<_>, _> = self
            .map
            .iter()
            .map(|text| MappedColumn::parse(text))
            .collect();
        options.columns = [columns.map_err(CommandError::usage)?, options.columns].concat();
        Ok(options)
    }

    /// Returns the mapping as JSON; `None` if no option is given.
    pub fn value(&self) -> Result<Option<Value>, CommandError> {
        let mut mapping = match &self.map_file {
            Some(path) => of_file(path)?,
            None => Map::new(),
        };
        for (key, value) in [
            ("profile", &self.profile),
            ("encoding", &self.encoding),
            ("delimiter", &self.delimiter),
            ("decimal", &self.decimal),
            ("currency", &self.currency),
            ("baseUrl", &self.base_url),
            ("urlTemplate", &self.url_template),
            ("storeView", &self.store_view),
        ] {
            if let Some(value) = value {
                mapping.insert(key.to_owned(), json!(value));
            }
        }
        let mut columns: Map<String, Value> = Map::new();
        // Each has a `=`, or its parser would have failed.
        for (column, target) in self.map.iter().filter_map(|text| text.rsplit_once('=')) {
            let targets = columns.entry(column).or_insert_with(|| json!([]));
            if let Value::Array(targets) = targets {
                targets.push(json!(target));
            }
        }
        if let Some(Value::Object(of_file)) = mapping.remove("columns") {
            for (column, targets) in of_file {
                columns.entry(column).or_insert(targets);
            }
        }
        if !columns.is_empty() {
            mapping.insert("columns".to_owned(), columns.into());
        }
        let is_given = self.map_file.is_some() || !mapping.is_empty();
        Ok(is_given.then(|| mapping.into()))
    }
}

/// Reads a mapping from a file in TOML.
fn of_file<T: DeserializeOwned>(path: &Path) -> Result<T, CommandError> {
    let failed = |reason: String| CommandError::usage(format!("{}: {reason}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
    toml::from_str(&text).map_err(|error| failed(error.to_string()))
}

/// Returns the value of an option.
fn parsed<T>(
    text: &Option<String>,
    parse: impl Fn(&str) -> Result<T, &'static str>,
) -> Result<Option<T>, CommandError> {
    let parsed = text.as_deref().map(parse).transpose();
    parsed.map_err(CommandError::usage)
}

/// Returns a parser that checks a text by `parse` and keeps it.
fn kept<T, E>(
    parse: impl Fn(&str) -> Result<T, E> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<String, E> + Clone + Send + Sync + 'static {
    move |text| parse(text).map(|_| text.to_owned())
}
