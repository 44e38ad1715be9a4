//! The configurations that are compared: the default one, every setting at both of its ends, and every boost at 0 and 200.

use domain::relevance::field::FieldId;
use domain::relevance::setting::{SETTINGS, SettingKind};
use domain::relevance::{Relevance, SearchSettings};
use serde_json::{Value, json};

/// The ends of a boost.
const BOOSTS: [f64; 2] = [0.0, 200.0];

/// Returns all configurations but the default one, by name.
pub fn all() -> Vec<(String, Relevance)> {
    let settings = SETTINGS.iter().flat_map(|setting| {
        let ends = ends(setting.kind).into_iter();
        ends.map(|value| {
            (
                format!("{} {value}", setting.name),
                with(setting.name, &value),
            )
        })
    });
    let fields = FieldId::all().flat_map(|field| {
        BOOSTS.map(|boost| {
            let mut relevance = Relevance::default();
            relevance.boosts = relevance.boosts.clone().with(field, boost);
            (format!("{} {boost}", field.name()), relevance)
        })
    });
    settings.chain(fields).collect()
}

fn with(name: &str, value: &Value) -> Relevance {
    let mut relevance = Relevance::default();
    let mut settings = json!(relevance.search_settings);
    settings[name] = value.clone();
    let settings: SearchSettings = serde_json::from_value(settings).expect("settings");
    relevance.search_settings = settings;
    relevance
}

/// Returns the ends of a range, or every choice.
fn ends(kind: SettingKind) -> Vec<Value> {
    match kind {
        SettingKind::Choice(all) => all.iter().map(|one| json!(one)).collect(),
        SettingKind::Integer(min, max) => vec![json!(min), json!(max)],
        SettingKind::Number(min, max) => vec![json!(min), json!(max)],
        SettingKind::Percent => vec![json!("0%"), json!("100%")],
        SettingKind::Flag => vec![json!(false), json!(true)],
    }
}
