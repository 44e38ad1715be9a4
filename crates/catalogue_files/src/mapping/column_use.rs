//! What one column is taken as: by the user's mapping, by the names of our documents, and by the table.

use super::options::MappingOptions;
use super::profile::ColumnProfile;
use super::table::{self, TableRow, table};
use super::target::Target;
use super::{field, woocommerce};
use crate::rows::columns::comparable;
use domain::DocType;

/// First ranks of what says that a column is taken as something; the lower one counts first.
pub const RANK_OF_FIELDS: u32 = 10_000;
const RANK_OF_PROFILE: u32 = 20_000;
const RANK_OF_PLAIN: u32 = 30_000;

/// One thing that a column is taken as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnUse {
    /// What it is taken as.
    pub target: Target,
    /// Its rank between columns of the same target.
    pub rank: u32,
    /// Label of the attribute or feature, or the comparable name of one with a translated label.
    pub label: Option<GroupLabel>,
    /// Where values are split.
    pub split: Option<char>,
    /// Keys below the column.
    pub path: Vec<String>,
    /// Unit of the numbers.
    pub unit: Option<String>,
}

/// The label of an attribute or feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GroupLabel {
    /// As in the file.
    Text(String),
    /// An attribute of product feeds, whose label is in the language of the catalogue.
    Feed(&'static str),
}

impl ColumnUse {
    fn new(target: Target, rank: u32) -> Self {
        Self {
            target,
            rank,
            label: None,
            split: None,
            path: Vec::new(),
            unit: None,
        }
    }

    /// Returns whether the column has the name of a field of documents.
    pub fn is_field_name(&self) -> bool {
        (RANK_OF_FIELDS..RANK_OF_PROFILE).contains(&self.rank)
    }
}

/// What decides how columns are taken.
#[derive(Clone, Copy, Debug)]
pub struct ColumnNaming<'a> {
    /// Whose names they are.
    pub profile: ColumnProfile,
    /// Type of the documents.
    pub doc_type: DocType,
    /// What the user says.
    pub options: &'a MappingOptions,
}

impl ColumnNaming<'_> {
    /// Returns what a column is taken as; nothing if nothing takes it.
    pub fn uses(&self, column: &str) -> Vec<ColumnUse> {
        let mapped = self.mapped(column);
        if !mapped.is_empty() {
            return mapped;
        }
        if table::is_never_stored(column) {
            return vec![ColumnUse::new(Target::Nothing, 0)];
        }
        if self.profile == ColumnProfile::Findwell {
            return Vec::new();
        }
        if let Some(target) = field::target(self.doc_type, column)
            && !(self.profile == ColumnProfile::Shopify && target == Target::Id)
        {
            return vec![ColumnUse::new(target, RANK_OF_FIELDS)];
        }
        if self.doc_type != DocType::Products {
            return self.of_other_type(column);
        }
        let mut uses = self.of_profile(column);
        if uses.is_empty() {
            uses = self.of_pattern(column).into_iter().collect();
        }
        if uses.is_empty() && self.profile != ColumnProfile::Plain {
            uses = of_rows(ColumnProfile::Plain, column, RANK_OF_PLAIN);
        }
        uses
    }

    /// Returns the columns of the user's mapping that no column of the file has.
    pub fn unused<'b>(&'b self, columns: &'b [String]) -> impl Iterator<Item = &'b str> {
        let mapped = self.options.columns.iter();
        let missing = mapped.filter(|mapped| {
            let mut columns = columns.iter();
            !columns.any(|column| source_path(&mapped.source, column).is_some())
        });
        missing.map(|mapped| mapped.source.as_str())
    }

    fn mapped(&self, column: &str) -> Vec<ColumnUse> {
        let mut uses = Vec::new();
        for (rank, mapped) in (0..).zip(&self.options.columns) {
            let Some(path) = source_path(&mapped.source, column) else {
                continue;
            };
            uses.extend(mapped.targets.iter().map(|mapped| ColumnUse {
                label: mapped.label.clone().map(GroupLabel::Text),
                split: mapped.split,
                path: path.clone(),
                ..ColumnUse::new(mapped.target.clone(), rank)
            }));
        }
        uses
    }

    fn of_other_type(&self, column: &str) -> Vec<ColumnUse> {
        let target = match comparable(column).as_str() {
            "name" | "title" => Target::Name,
            "description" | "content" => Target::Description,
            _ => return Vec::new(),
        };
        vec![ColumnUse::new(target, RANK_OF_PROFILE)]
    }

    fn of_profile(&self, column: &str) -> Vec<ColumnUse> {
        let column = match self.profile {
            // The order of sub-values stands in parentheses.
            ColumnProfile::Google => column.split('(').next().unwrap_or(column),
            ColumnProfile::Woocommerce => woocommerce::english(column).unwrap_or(column),
            _ => column,
        };
        of_rows(self.profile, column, RANK_OF_PROFILE)
    }

    /// Returns the use of a column whose name has a number, a unit or a key.
    fn of_pattern(&self, column: &str) -> Option<ColumnUse> {
        match self.profile {
            ColumnProfile::Woocommerce => {
                let key = comparable(column);
                if let Some(number) = woocommerce::attribute_name(&key) {
                    return Some(ColumnUse::new(Target::AttributeName(number), number));
                }
                if let Some(number) = woocommerce::attribute_values(&key) {
                    return Some(ColumnUse::new(Target::AttributeValue(number), number));
                }
                let (name, unit) = woocommerce::measure(column)?;
                Some(ColumnUse {
                    label: feed_label(name),
                    unit: Some(unit.to_owned()),
                    ..ColumnUse::new(Target::Feature, RANK_OF_PROFILE)
                })
            }
            ColumnProfile::Shopify => {
                let key = comparable(column);
                for number in 1..=3 {
                    if key == format!("option{number}name") {
                        return Some(ColumnUse::new(Target::AttributeName(number), number));
                    }
                    if key == format!("option{number}value") {
                        return Some(ColumnUse::new(Target::AttributeValue(number), number));
                    }
                }
                let (label, _) = column.split_once("(product.metafields.")?;
                Some(ColumnUse {
                    label: Some(GroupLabel::Text(label.trim().to_owned())),
                    split: Some(';'),
                    ..ColumnUse::new(Target::Feature, RANK_OF_PLAIN - 1)
                })
            }
            _ => None,
        }
    }
}

/// Returns the uses of a column by the rows of the table.
fn of_rows(profile: ColumnProfile, column: &str, rank: u32) -> Vec<ColumnUse> {
    let key = comparable(column);
    let of_row = |row: &TableRow| {
        let names = (0..).zip(row.names(profile));
        let found = names.filter_map(|(at, name)| {
            let path = name_path(name, &key)?;
            let mut column_use = ColumnUse::new(row.target.clone(), rank + at);
            column_use.path = path;
            if matches!(row.target, Target::Attribute | Target::Feature) {
                column_use.label = feed_label(name);
                column_use.unit = name.to_lowercase().contains("gram").then(|| "g".to_owned());
            }
            if row.target == Target::Attribute
                && profile == ColumnProfile::Google
                && matches!(*name, "color" | "material")
            {
                column_use.split = Some('/');
            }
            Some(column_use)
        });
        found.collect::<Vec<_>>()
    };
    table().iter().flat_map(of_row).collect()
}

/// Returns the keys below the column that a name of the table gives: those after the first `/` without spaces.
fn name_path(name: &str, key: &str) -> Option<Vec<String>> {
    if comparable(name) == key {
        return Some(Vec::new());
    }
    let (first, rest) = name.split_once('/')?;
    let is_path = !first.ends_with(' ') && comparable(first) == key;
    is_path.then(|| rest.split('/').map(str::to_owned).collect())
}

/// Returns the keys below the column that a source of the user's mapping gives, if it names the column.
fn source_path(source: &str, column: &str) -> Option<Vec<String>> {
    let key = comparable(column);
    if comparable(source) == key {
        return Some(Vec::new());
    }
    let (first, rest) = source.split_once('/')?;
    (comparable(first) == key).then(|| rest.split('/').map(str::to_owned).collect())
}

fn feed_label(name: &str) -> Option<GroupLabel> {
    let key = comparable(name);
    let id = match key.as_str() {
        "color" | "colour" => "color",
        "variantgrams" | "weightvaluegrams" | "productweight" | "weight" => "weight",
        "productlength" | "length" => "length",
        "productwidth" | "width" => "width",
        "productheight" | "height" => "height",
        "size" => "size",
        "material" => "material",
        "pattern" => "pattern",
        "gender" => "gender",
        "agegroup" => "age_group",
        "condition" => "condition",
        "sizetype" => "size_type",
        "sizesystem" => "size_system",
        "energyefficiencyclass" => "energy_efficiency_class",
        _ => return Some(GroupLabel::Text(name.to_owned())),
    };
    Some(GroupLabel::Feed(id))
}
