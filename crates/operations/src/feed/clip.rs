//! Truncates documents to the stored limits: the first characters of texts and labels, the first entries of lists.

use domain::DocType;
use domain::document::{CategoryNames, TypeFields};
use domain::first_characters;
use domain::limits::{
    DOCUMENT_LIST_ENTRIES_MAX, DOCUMENT_NAME_CHARACTERS_MAX, LABEL_CHARACTERS_MAX,
    STORED_CODE_CHARACTERS_MAX, TEXT_CHARACTERS_MAX,
};
use query::analysis::clipped_text;
use serde_json::{Map, Value};

const DESCRIPTIONS: [&str; 3] = [
    "short_description",
    "ai_description",
    "ai_description_manual",
];
const LABELS: [&str; 4] = ["manufacturer", "manufacturerId", "supplier", "currency"];
const CODES: [&str; 5] = ["reference", "ean13", "upc", "mpn", "isbn"];
const CODE_LISTS: [&str; 4] = [
    "combinationReferences",
    "combinationEans",
    "combinationUpcs",
    "combinationMpns",
];
const LABEL_LISTS: [&str; 2] = ["tags", "categoryIds"];
const CATEGORY_LABELS: [&str; 2] = ["id", "name"];
const ATTRIBUTE_LABELS: [&str; 4] = ["groupId", "group", "id", "value"];
const FEATURE_LABELS: [&str; 4] = ["featureId", "feature", "id", "value"];

/// Truncates `document` as it was sent; returns whether anything was lost.
///
/// Values within the limits stay as they are, and so do values of a wrong type, which are rejected later. A text that
/// is too long loses its markup first, which does not count as a loss.
pub(super) fn clip(doc_type: DocType, document: &mut Value) -> bool {
    let Value::Object(fields) = document else {
        return false;
    };
    let TypeFields {
        name,
        description,
        category_names,
        ..
    } = doc_type.fields();
    let (label, list) = match category_names {
        CategoryNames::Categories => (None, None),
        CategoryNames::List(list) => (None, Some(list)),
        CategoryNames::Single(label) => (Some(label), None),
    };
    let mut clipping = Clipping::default();
    clipping.text(fields, name, DOCUMENT_NAME_CHARACTERS_MAX);
    for name in DESCRIPTIONS.into_iter().chain([description]) {
        clipping.text(fields, name, TEXT_CHARACTERS_MAX);
    }
    clipping.labels(fields, LABELS.into_iter().chain(label));
    for name in CODES {
        clipping.code(fields, name);
    }
    for name in CODE_LISTS {
        clipping.codes(fields, name);
    }
    for name in LABEL_LISTS.into_iter().chain(list) {
        clipping.label_list(fields, name);
    }
    for category in clipping.entries(fields, "categories") {
        clipping.labels(category, CATEGORY_LABELS);
        clipping.label_list(category, "path");
    }
    for (list, labels) in [
        ("attributes", ATTRIBUTE_LABELS),
        ("features", FEATURE_LABELS),
    ] {
        for value in clipping.entries(fields, list) {
            clipping.labels(value, labels);
        }
    }
    clipping.is_cut
}

/// State of the truncation of one document.
#[derive(Default)]
struct Clipping {
    /// Whether anything was lost.
    is_cut: bool,
}

impl Clipping {
    fn text(&mut self, fields: &mut Map<String, Value>, name: &str, max: usize) {
        if let Some(value) = fields.get_mut(name) {
            self.value(value, max);
        }
    }

    fn value(&mut self, value: &mut Value, max: usize) {
        if let Value::String(text) = value
            && let Some(clipped) = clipped_text(text, max)
        {
            self.is_cut |= clipped.is_cut;
            *text = clipped.text;
        }
    }

    fn labels<'a>(
        &mut self,
        fields: &mut Map<String, Value>,
        names: impl IntoIterator<Item = &'a str>,
    ) {
        for name in names {
            self.text(fields, name, LABEL_CHARACTERS_MAX);
        }
    }

    fn code(&mut self, fields: &mut Map<String, Value>, name: &str) {
        if let Some(value) = fields.get_mut(name)
            && is_long_code(value)
        {
            *value = Value::Null;
            self.is_cut = true;
        }
    }

    fn codes(&mut self, fields: &mut Map<String, Value>, name: &str) {
        if let Some(Value::Array(codes)) = fields.get_mut(name) {
            let sent = codes.len();
            codes.retain(|code| !is_long_code(code));
            codes.truncate(DOCUMENT_LIST_ENTRIES_MAX);
            self.is_cut |= codes.len() < sent;
        }
    }

    fn label_list(&mut self, fields: &mut Map<String, Value>, name: &str) {
        for label in self.list(fields, name) {
            self.value(label, LABEL_CHARACTERS_MAX);
        }
    }

    /// Truncates a list; returns those of its entries that are objects.
    fn entries<'a>(
        &mut self,
        fields: &'a mut Map<String, Value>,
        name: &str,
    ) -> impl Iterator<Item = &'a mut Map<String, Value>> + use<'a> {
        let entries = self.list(fields, name).iter_mut();
        entries.filter_map(Value::as_object_mut)
    }

    /// Truncates a list; returns its entries.
    fn list<'a>(&mut self, fields: &'a mut Map<String, Value>, name: &str) -> &'a mut [Value] {
        let Some(Value::Array(entries)) = fields.get_mut(name) else {
            return &mut [];
        };
        self.is_cut |= entries.len() > DOCUMENT_LIST_ENTRIES_MAX;
        entries.truncate(DOCUMENT_LIST_ENTRIES_MAX);
        entries
    }
}

fn is_long_code(value: &Value) -> bool {
    let code = value.as_str().map_or("", str::trim);
    first_characters(code, STORED_CODE_CHARACTERS_MAX).len() < code.len()
}

#[cfg(test)]
mod tests;
