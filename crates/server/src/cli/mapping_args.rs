//! The options that say what the columns of a file mean (`docs/import.md`).

use super::outcome::CommandError;
use catalogue_files::{
    ColumnProfile, MappedColumn, MappedTarget, MappingOptions, encoding_of, is_code,
};
use clap::Args;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What the columns of a file mean.
#[derive(Clone, Debug, Default, Args)]
pub struct MappingArgs {
    /// Take a column as a field, such as "Precio=priceInclTax" or "Talla=attributes.Talla[|]"; may be repeated
    #[arg(long, env = "FINDWELL_MAP", value_name = "COLUMN=FIELD", value_parser = MappedColumn::parse)]
    pub map: Vec<MappedColumn>,
    /// TOML file with these options and a table [columns]; options win
    #[arg(long, env = "FINDWELL_MAP_FILE", value_name = "FILE")]
    pub map_file: Option<PathBuf>,
    /// Whose column names the file has: google, shopify, woocommerce, magento, shopware, findwell or plain
    #[arg(long, env = "FINDWELL_PROFILE", value_name = "NAME", value_parser = profile)]
    pub profile: Option<ColumnProfile>,
    /// Encoding of the text, such as windows-1252
    #[arg(long, env = "FINDWELL_ENCODING", value_name = "NAME", value_parser = encoding)]
    pub encoding: Option<String>,
    /// Delimiter of CSV
    #[arg(long, env = "FINDWELL_DELIMITER", value_name = "CHARACTER", value_parser = delimiter)]
    pub delimiter: Option<u8>,
    /// Decimal mark of numbers: . or ,
    #[arg(long, env = "FINDWELL_DECIMAL", value_name = "MARK", value_parser = decimal)]
    pub decimal: Option<char>,
    /// Base currency where the store declares none, such as EUR
    #[arg(long, env = "FINDWELL_CURRENCY", value_name = "CODE", value_parser = currency)]
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
        let file = match &self.map_file {
            Some(path) => MappingFile::read(path)?,
            None => MappingFile::default(),
        };
        let mut options = file.options()?;
        let encoding = self.encoding.as_deref().and_then(encoding_of);
        options.profile = self.profile.or(options.profile);
        options.encoding = encoding.or(options.encoding);
        options.delimiter = self.delimiter.or(options.delimiter);
        options.decimal = self.decimal.or(options.decimal);
        options.currency = self.currency.clone().or(options.currency);
        options.base_url = self.base_url.clone().or(options.base_url);
        options.url_template = self.url_template.clone().or(options.url_template);
        options.store_view = self.store_view.clone().or(options.store_view);
        options.columns = [self.map.clone(), options.columns].concat();
        Ok(options)
    }
}

/// A file with a mapping.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct MappingFile {
    profile: Option<String>,
    encoding: Option<String>,
    delimiter: Option<String>,
    decimal: Option<String>,
    currency: Option<String>,
    base_url: Option<String>,
    url_template: Option<String>,
    store_view: Option<String>,
    columns: BTreeMap<String, Targets>,
}

/// One target or several.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Targets {
    One(String),
    Several(Vec<String>),
}

impl MappingFile {
    fn read(path: &Path) -> Result<Self, CommandError> {
        let failed = |reason: String| CommandError::usage(format!("{}: {reason}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
        toml::from_str(&text).map_err(|error| failed(error.to_string()))
    }

    fn options(self) -> Result<MappingOptions, CommandError> {
        let mut columns = Vec::with_capacity(self.columns.len());
        for (source, targets) in self.columns {
            let targets = match targets {
                Targets::One(target) => vec![target],
                Targets::Several(targets) => targets,
            };
            let parsed: Result<Vec<MappedTarget>, String> = targets
                .iter()
                .map(|target| MappedTarget::parse(target))
                .collect();
            let targets = parsed.map_err(CommandError::usage)?;
            columns.push(MappedColumn { source, targets });
        }
        if let Some(name) = &self.encoding {
            checked(name, encoding)?;
        }
        Ok(MappingOptions {
            profile: parsed(self.profile.as_deref(), profile)?,
            encoding: self.encoding.as_deref().and_then(encoding_of),
            delimiter: parsed(self.delimiter.as_deref(), delimiter)?,
            decimal: parsed(self.decimal.as_deref(), decimal)?,
            currency: parsed(self.currency.as_deref(), currency)?,
            base_url: parsed(self.base_url.as_deref(), |url| {
                super::web_names::public_url(url).map_err(|_| "must be an http or https address")
            })?,
            url_template: self.url_template,
            store_view: self.store_view,
            columns,
        })
    }
}

fn parsed<T>(
    text: Option<&str>,
    parse: impl Fn(&str) -> Result<T, &'static str>,
) -> Result<Option<T>, CommandError> {
    text.map(|text| checked(text, parse)).transpose()
}

fn checked<T>(
    text: &str,
    parse: impl Fn(&str) -> Result<T, &'static str>,
) -> Result<T, CommandError> {
    parse(text).map_err(|reason| CommandError::usage(format!("{text}: {reason}")))
}

fn profile(text: &str) -> Result<ColumnProfile, &'static str> {
    ColumnProfile::parse(text)
        .ok_or("must be google, shopify, woocommerce, magento, shopware, findwell or plain")
}

fn encoding(text: &str) -> Result<String, &'static str> {
    match encoding_of(text) {
        Some(_) => Ok(text.to_owned()),
        None => Err("must be the name of an encoding, such as utf-8 or windows-1252"),
    }
}

fn delimiter(text: &str) -> Result<u8, &'static str> {
    match text.as_bytes() {
        b"\\t" | b"tab" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(*byte),
        _ => Err("must be one character, or tab"),
    }
}

fn decimal(text: &str) -> Result<char, &'static str> {
    match text {
        "." => Ok('.'),
        "," => Ok(','),
        _ => Err("must be . or ,"),
    }
}

fn currency(text: &str) -> Result<String, &'static str> {
    let code = text.to_uppercase();
    is_code(&code)
        .then_some(code)
        .ok_or("must be an ISO code such as EUR")
}
