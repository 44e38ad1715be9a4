//! Tables as modules, so that the pages of the panel know the pages of a store, what their forms offer, and each search
//! field and setting with its range.

use super::page_rows;
use domain::filter::{FilterType, OptionSort};
use domain::limits::{BOOST_MAX, BOOST_RECOMMENDED_MAX};
use domain::relevance::field::FIELDS;
use domain::relevance::setting::{SETTINGS, Setting, SettingGroup, SettingKind};
use domain::rule::MatchKind;
use domain::search::{FilterField, Sort};
use domain::synonym::SynonymType;
use domain::widget;
use domain::{Scope, TriggerAlternative};
use serde_json::{Value, json};

/// Writes the text of a module.
type WriteModule = fn() -> String;

/// Name of each module, and what writes it.
pub const MODULES: [(&str, WriteModule); 3] = [
    ("choices.js", choices),
    ("store-pages.js", store_pages),
    ("workbench/tables.js", fields_and_settings),
];

fn store_pages() -> String {
    let pages: Vec<Value> = page_rows::store_menu()
        .map(|(path, place)| json!([place.group, path, place.name]))
        .collect();
    format!(
        "// The pages of a store: the group in the menu, the path, and the text of the link.\n\nexport const STORE_PAGES = {};\n",
        json!(pages)
    )
}

fn choices() -> String {
    let switches: Vec<&str> = widget::switches().collect();
    let lists = [
        ("ALTERNATIVES", json!(TriggerAlternative::ALL)),
        ("DISPLAY_MODES", json!(widget::DISPLAY_MODES)),
        (
            "FILTER_FIELDS",
            json!(FilterField::FIXED.map(|field| field.to_string())),
        ),
        ("FILTER_TYPES", json!(FilterType::ALL)),
        ("MATCHES", json!(MatchKind::ALL)),
        ("OPTION_SORTS", json!(OptionSort::ALL)),
        ("SCOPES", json!(Scope::ALL)),
        ("SORTS", json!(Sort::ALL)),
        ("SWITCHES", json!(switches)),
        ("SYNONYM_TYPES", json!(SynonymType::ALL)),
    ];
    let lines = lists.map(|(name, list)| format!("export const {name} = {list};\n"));
    format!(
        "// What forms offer, as the server knows it.\n\n{}",
        lines.concat()
    )
}

fn fields_and_settings() -> String {
    let fields: Vec<Value> = FIELDS
        .iter()
        .map(|field| json!({"name": field.name, "initial": field.default_boost}))
        .collect();
    let settings: Vec<Value> = SETTINGS.iter().map(setting).collect();
    format!(
        "// Search fields and settings, as the server knows them.\n\n\
         export const BOOST_MAX = {BOOST_MAX};\n\
         export const BOOST_RECOMMENDED_MAX = {BOOST_RECOMMENDED_MAX};\n\
         export const FIELDS = {};\n\
         export const SETTINGS = {};\n\
         export const SETTING_GROUPS = {};\n",
        json!(fields),
        json!(settings),
        json!(SettingGroup::ALL.map(SettingGroup::as_str))
    )
}

fn setting(setting: &Setting) -> Value {
    let mut row = json!({
        "name": setting.name,
        "initial": Value::from(setting.default),
        "recommended": setting.recommended_max,
        "group": setting.group.as_str(),
        "place": setting.place,
    });
    let (kind, range) = match setting.kind {
        SettingKind::Choice(choices) => {
            row["choices"] = json!(choices);
            ("choice", None)
        }
        SettingKind::Integer(min, max) => ("integer", Some((json!(min), json!(max)))),
        SettingKind::Number(min, max) => ("number", Some((json!(min), json!(max)))),
        SettingKind::Percent => ("percent", Some((json!(0), json!(100)))),
        SettingKind::Flag => ("flag", None),
    };
    row["kind"] = json!(kind);
    if let Some((min, max)) = range {
        row["min"] = min;
        row["max"] = max;
    }
    row
}
