//! The lists of a row: pictures, tags, categories, attributes and features.

use super::columns_taken::{TakenCell, of_target};
use super::evidence::variations;
use super::facts::{LabelledValue, RowFacts};
use super::row_builder::{RowBuilder, RowContext};
use crate::bounds::LIST_ITEMS_MAX;
use crate::mapping::column_use::GroupLabel;
use crate::mapping::profile::ColumnProfile;
use crate::mapping::target::Target;
use crate::report::findings::Findings;
use crate::rows::columns::comparable;
use crate::values::groups::group_id;
use crate::values::labels::feed_label;
use crate::values::texts::{label, text_of, texts_of};
use crate::values::{categories, lists};
use serde_json::Value;

/// What Shopify calls the option of a product without options.
const NO_OPTION: (&str, &str) = ("Title", "Default Title");

impl RowBuilder<'_> {
    /// Adds the lists of a row.
    pub(super) fn add_lists(
        &self,
        cells: &[TakenCell<'_>],
        row: RowContext,
        facts: &mut RowFacts,
        findings: &mut Findings,
    ) {
        self.add_images(cells, row, facts, findings);
        self.add_categories(cells, facts);
        for cell in of_target(cells, &Target::Tags) {
            for tag in values(cell, lists::at_commas) {
                push_new(&mut facts.tags, label(&tag));
            }
        }
        for cell in cells {
            match &cell.column_use.target {
                Target::Attribute => {
                    let values = self.labelled(cell);
                    extend_new(&mut facts.attributes, values);
                }
                Target::Feature => {
                    let values = self.labelled(cell);
                    extend_new(&mut facts.features, values);
                }
                Target::ProductDetail => extend_new(&mut facts.features, details(cell.value)),
                Target::Variations => extend_new(&mut facts.attributes, options(cell.value)),
                Target::AttributeName(number) => {
                    let name = text_of(cell.value).map(|text| label(&text));
                    facts.option_names.insert(*number, name.unwrap_or_default());
                }
                Target::AttributeValue(number) => {
                    let values = self.option_values(cell);
                    facts.option_values.insert(*number, values);
                }
                _ => {}
            }
        }
        let is_default = |values: &Vec<String>| values.len() == 1 && values[0] == NO_OPTION.1;
        facts.option_values.retain(|number, values| {
            let name = facts.option_names.get(number);
            !(is_default(values) && name.is_none_or(|name| name == NO_OPTION.0))
        });
    }

    fn add_images(
        &self,
        cells: &[TakenCell<'_>],
        row: RowContext,
        facts: &mut RowFacts,
        findings: &mut Findings,
    ) {
        let folder = match self.taken.naming.profile {
            ColumnProfile::Magento => "/media/catalog/product",
            _ => "",
        };
        let image = of_target(cells, &Target::Image).find_map(|cell| {
            let text = text_of(cell.value)?;
            self.address(&text, folder, cell, row, findings)
        });
        facts.set_text("image", image);
        for cell in of_target(cells, &Target::Images) {
            for text in values(cell, lists::addresses) {
                if let Some(address) = self.address(&text, folder, cell, row, findings) {
                    push_new(&mut facts.images, address);
                }
            }
        }
        if facts.text("image").is_none() && !facts.images.is_empty() {
            let first = facts.images.remove(0);
            facts.set_text("image", Some(first));
        }
    }

    fn add_categories(&self, cells: &[TakenCell<'_>], facts: &mut RowFacts) {
        for cell in of_target(cells, &Target::Categories) {
            if is_objects(cell.value) {
                facts
                    .fields
                    .insert("categories".to_owned(), cell.value.clone());
                return;
            }
            let profile = self.taken.naming.profile;
            let split = cell.column_use.split;
            for text in texts_of(cell.value) {
                let read = categories::parse(&text, profile, split);
                for path in read.paths {
                    push_new(&mut facts.categories, self.without_shared_step(path));
                }
                for id in read.ids {
                    push_new(&mut facts.category_ids, id);
                }
            }
            // The first column that says something counts alone.
            if !facts.categories.is_empty() || !facts.category_ids.is_empty() {
                return;
            }
        }
    }

    fn without_shared_step(&self, mut path: Vec<String>) -> Vec<String> {
        let is_shared = self.evidence.shared_category() == path.first().map(String::as_str);
        if is_shared && path.len() > 1 {
            path.remove(0);
        }
        path
    }

    fn labelled(&self, cell: &TakenCell<'_>) -> Vec<LabelledValue> {
        let column_use = cell.column_use;
        let (group, id) = match &column_use.label {
            Some(GroupLabel::Feed(id)) => {
                let label = feed_label(id, &self.settings.language);
                (label.to_owned(), (*id).to_owned())
            }
            Some(GroupLabel::Text(text)) => (label(text), group_id(text)),
            None => {
                let name = self.columns.name(cell.column);
                (label(name), group_id(name))
            }
        };
        let values = values(cell, |text| vec![text.to_owned()]).into_iter();
        let values = values.map(|value| match &column_use.unit {
            Some(unit) if value.ends_with(|c: char| c.is_ascii_digit()) => {
                format!("{value} {unit}")
            }
            _ => value,
        });
        values
            .filter_map(|value| labelled_value(&group, &id, &value))
            .collect()
    }

    fn option_values(&self, cell: &TakenCell<'_>) -> Vec<String> {
        let text = text_of(cell.value).unwrap_or_default();
        let values = match self.taken.naming.profile {
            ColumnProfile::Woocommerce => lists::at_commas(&text),
            _ => vec![text],
        };
        values.iter().map(|value| label(value)).collect()
    }
}

/// Returns the values of a cell: the items of a list, or what `split` makes of its text.
fn values(cell: &TakenCell<'_>, split: impl Fn(&str) -> Vec<String>) -> Vec<String> {
    if cell.value.is_array() {
        return texts_of(cell.value);
    }
    let text = text_of(cell.value).unwrap_or_default();
    match cell.column_use.split {
        Some(mark) => lists::at_mark(&text, mark),
        None => split(&text),
    }
}

/// Returns a value with its group, unless either says nothing.
pub(super) fn labelled_value(group: &str, id: &str, value: &str) -> Option<LabelledValue> {
    let value = label(value);
    (!value.is_empty() && !group.is_empty()).then(|| LabelledValue {
        group: group.to_owned(),
        group_id: id.to_owned(),
        value,
    })
}

/// Returns the features of `section:name:value`, or of objects with these keys.
fn details(value: &Value) -> Vec<LabelledValue> {
    match value {
        Value::Array(values) => values.iter().flat_map(details).collect(),
        Value::Object(fields) => {
            let field = |name: &str| {
                let found = fields.iter().find(|(key, _)| comparable(key) == name);
                found
                    .and_then(|(_, value)| text_of(value))
                    .unwrap_or_default()
            };
            let group = field("attributename");
            let id = group_id(&group);
            labelled_value(&label(&group), &id, &field("attributevalue"))
                .into_iter()
                .collect()
        }
        other => {
            let text = text_of(other).unwrap_or_default();
            let parts = lists::at_commas_outside_quotes(&text).into_iter();
            parts.filter_map(|(part, _)| detail(&part)).collect()
        }
    }
}

fn detail(text: &str) -> Option<LabelledValue> {
    let parts: Vec<&str> = text.splitn(3, ':').collect();
    let (group, value) = match parts[..] {
        [group, value] | [_, group, value] => (group, value),
        _ => return None,
    };
    labelled_value(&label(group), &group_id(group), value)
}

/// Returns the attributes of the variations of a product of Magento.
fn options(value: &Value) -> Vec<LabelledValue> {
    let text = text_of(value).unwrap_or_default();
    let pairs = variations(&text).flatten();
    let options = pairs.filter(|(code, _)| comparable(code) != "sku");
    options
        .filter_map(|(code, value)| labelled_value(&label(&code), &group_id(&code), &value))
        .collect()
}

/// Returns whether a value is a list of objects, as fields of documents are.
pub(super) fn is_objects(value: &Value) -> bool {
    match value {
        Value::Array(values) => !values.is_empty() && values.iter().all(Value::is_object),
        _ => false,
    }
}

/// Adds an item that the list does not have.
pub(super) fn push_new<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if list.len() < LIST_ITEMS_MAX && !list.contains(&item) {
        list.push(item);
    }
}

/// Adds the items that the list does not have.
pub(super) fn extend_new<T: PartialEq>(list: &mut Vec<T>, items: impl IntoIterator<Item = T>) {
    for item in items {
        push_new(list, item);
    }
}
