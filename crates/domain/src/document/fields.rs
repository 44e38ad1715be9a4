//! Typed reading of a document's fields; errors carry the path of the value.

use super::{CategoryRef, DocumentError, GroupValue};
use crate::label_text::label_text;
use crate::limits::{DOCUMENT_HASH_CHARACTERS_MAX, DOCUMENT_ID_CHARACTERS_MAX};
use crate::message::{self, Message};
use crate::time::Timestamp;
use serde_json::{Map, Value};

/// The fields of a document as sent.
pub(super) struct SentFields<'a>(pub &'a Map<String, Value>);

impl SentFields<'_> {
    pub fn id(&self) -> Result<String, DocumentError> {
        let id = match self.0.get("id") {
            None => return Err(DocumentError::invalid("id", message::value::missing())),
            Some(Value::String(id)) => id,
            Some(other) => {
                return Err(DocumentError::invalid(
                    "id",
                    message::value::must_be_got(message::kind::text(), kind(other)),
                ));
            }
        };
        if id.trim().is_empty() {
            Err(DocumentError::invalid("id", message::value::blank()))
        } else if id.chars().count() > DOCUMENT_ID_CHARACTERS_MAX {
            Err(DocumentError::invalid(
                "id",
                message::text::up_to(DOCUMENT_ID_CHARACTERS_MAX),
            ))
        } else if id.chars().any(char::is_control) {
            Err(DocumentError::invalid("id", message::text::control()))
        } else {
            Ok(id.clone())
        }
    }

    /// The shop's hash, which is stored and compared as sent.
    pub fn hash(&self) -> Result<String, DocumentError> {
        let hash = self.text("hash")?;
        if hash.chars().count() > DOCUMENT_HASH_CHARACTERS_MAX {
            return Err(DocumentError::invalid(
                "hash",
                message::text::up_to(DOCUMENT_HASH_CHARACTERS_MAX),
            ));
        }
        if hash.chars().any(char::is_control) {
            return Err(DocumentError::invalid("hash", message::text::control()));
        }
        Ok(hash)
    }

    pub fn text(&self, name: &str) -> Result<String, DocumentError> {
        match self.0.get(name) {
            None => Ok(String::new()),
            Some(Value::String(text)) => Ok(text.clone()),
            Some(other) => Err(DocumentError::invalid(
                name,
                message::value::must_be_got(message::kind::text(), kind(other)),
            )),
        }
    }

    pub fn texts(&self, name: &str) -> Result<Vec<String>, DocumentError> {
        self.list(name)?
            .iter()
            .enumerate()
            .map(|(at, value)| match value {
                Value::String(text) => Ok(text.clone()),
                other => Err(DocumentError::invalid(
                    format!("{name}[{at}]"),
                    message::value::must_be_got(message::kind::text(), kind(other)),
                )),
            })
            .collect()
    }

    /// Labels; blank ones are left out.
    pub fn labels(&self, name: &str) -> Result<Vec<String>, DocumentError> {
        let texts = self.texts(name)?;
        let labels = texts.iter().map(|text| label_text(text));
        Ok(labels.filter(|label| !label.is_empty()).collect())
    }

    pub fn code(&self, name: &str) -> Result<Option<String>, DocumentError> {
        match self.0.get(name) {
            None => Ok(None),
            Some(value) => code(name, value),
        }
    }

    pub fn codes(&self, name: &str) -> Result<Vec<String>, DocumentError> {
        let mut codes = Vec::new();
        for (at, value) in self.list(name)?.iter().enumerate() {
            codes.extend(code(&format!("{name}[{at}]"), value)?);
        }
        Ok(codes)
    }

    pub fn number(&self, name: &str) -> Result<Option<f64>, DocumentError> {
        match self.0.get(name) {
            None => Ok(None),
            Some(value) => match value.as_f64() {
                Some(number) if number.is_finite() => Ok(Some(number)),
                _ => Err(DocumentError::invalid(
                    name,
                    message::value::must_be(message::kind::number()),
                )),
            },
        }
    }

    pub fn not_negative(&self, name: &str) -> Result<Option<f64>, DocumentError> {
        match self.number(name)? {
            Some(number) if number < 0.0 => {
                Err(DocumentError::invalid(name, message::number::negative()))
            }
            number => Ok(number),
        }
    }

    pub fn whole(&self, name: &str) -> Result<Option<i64>, DocumentError> {
        match self.0.get(name) {
            None => Ok(None),
            Some(value) => value
                .as_i64()
                .or_else(|| {
                    value
                        .as_f64()
                        .filter(|f| f.fract() == 0.0 && f.abs() < 9e15)
                        .map(|f| f as i64)
                })
                .map(Some)
                .ok_or_else(|| {
                    DocumentError::invalid(name, message::value::must_be(message::kind::whole()))
                }),
        }
    }

    pub fn flag(&self, name: &str) -> Result<Option<bool>, DocumentError> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(DocumentError::invalid(
                name,
                message::value::must_be(message::kind::flag()),
            )),
        }
    }

    pub fn time(&self, name: &str) -> Result<Option<Timestamp>, DocumentError> {
        match self.text(name)? {
            empty if empty.is_empty() => Ok(None),
            text => Timestamp::parse(&text)
                .map(Some)
                .ok_or_else(|| DocumentError::invalid(name, message::time::iso())),
        }
    }

    pub fn categories(&self) -> Result<Vec<CategoryRef>, DocumentError> {
        // Only products have categories, as a list of objects.
        let mut categories = Vec::new();
        for (at, value) in self.list("categories")?.iter().enumerate() {
            let path = format!("categories[{at}]");
            let Value::Object(inner) = value else {
                return Err(DocumentError::invalid(path, message::document::category()));
            };
            let inner = SentFields(inner);
            let nested = |error: DocumentError| nest(&path, error);
            let id = inner.label("id").map_err(nested)?;
            let nested = |error: DocumentError| nest(&path, error);
            let name = label_text(&inner.text("name").map_err(nested)?);
            let nested = |error: DocumentError| nest(&path, error);
            let names = inner.labels("path").map_err(nested)?;
            let named = Some(name).filter(|name| !name.is_empty());
            let Some(name) = named.or_else(|| names.last().cloned()) else {
                // A name of nothing but blanks is none.
                continue;
            };
            let id = if id.is_empty() { name.clone() } else { id };
            categories.push(CategoryRef {
                id,
                name,
                path: names,
            });
        }
        Ok(categories)
    }

    pub fn group_values(
        &self,
        name: &str,
        keys: [&str; 2],
    ) -> Result<Vec<GroupValue>, DocumentError> {
        let mut values = Vec::new();
        for (at, value) in self.list(name)?.iter().enumerate() {
            let path = format!("{name}[{at}]");
            let Value::Object(inner) = value else {
                return Err(DocumentError::invalid(
                    path,
                    message::document::group_value(),
                ));
            };
            let inner = SentFields(inner);
            let sent = |key: &str| inner.label(key).map_err(|error| nest(&path, error));
            let value = GroupValue {
                group_id: sent(keys[0])?,
                group: label_text(&sent(keys[1])?),
                id: sent("id")?,
                value: label_text(&sent("value")?),
            };
            // A value of nothing but blanks is none.
            if !value.value.is_empty() {
                values.push(value);
            }
        }
        Ok(values)
    }

    /// A text that some shops send as a number or a flag (`"value": 12`).
    fn label(&self, name: &str) -> Result<String, DocumentError> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(String::new()),
            Some(Value::String(text)) => Ok(text.clone()),
            Some(Value::Number(number)) => Ok(number.to_string()),
            Some(Value::Bool(flag)) => Ok(flag.to_string()),
            Some(other) => Err(DocumentError::invalid(
                name,
                message::value::must_be_got(message::kind::text(), kind(other)),
            )),
        }
    }

    fn list(&self, name: &str) -> Result<&[Value], DocumentError> {
        match self.0.get(name) {
            None => Ok(&[]),
            Some(Value::Array(values)) => Ok(values),
            Some(other) => Err(DocumentError::invalid(
                name,
                message::value::must_be_got(message::kind::list(), kind(other)),
            )),
        }
    }
}

fn code(path: &str, value: &Value) -> Result<Option<String>, DocumentError> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => {
            let trimmed = text.trim();
            Ok((!trimmed.is_empty()).then(|| trimmed.to_owned()))
        }
        Value::Number(_) => Err(DocumentError::invalid(
            path,
            message::document::code_number(),
        )),
        other => Err(DocumentError::invalid(
            path,
            message::value::must_be_got(message::kind::text(), kind(other)),
        )),
    }
}

fn nest(path: &str, error: DocumentError) -> DocumentError {
    DocumentError {
        field: error.field.map(|inner| format!("{path}.{inner}")),
        ..error
    }
}

fn kind(value: &Value) -> Message {
    use message::kind;
    match value {
        Value::Null => kind::null(),
        Value::Bool(_) => kind::flag(),
        Value::Number(_) => kind::number(),
        Value::String(_) => kind::text(),
        Value::Array(_) => kind::list(),
        Value::Object(_) => kind::object(),
    }
}
