//! Paths of categories in one cell.

use super::codes::is_hex_id;
use super::lists::{at_commas, at_commas_outside_quotes, at_mark};
use super::texts::label;
use crate::mapping::profile::ColumnProfile;

/// What a cell says about categories.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenCategories {
    /// Names from the root down, category by category.
    pub paths: Vec<Vec<String>>,
    /// Ids without names.
    pub ids: Vec<String>,
}

/// Parses a cell. `split` is the mark between paths that the user gives.
pub fn parse(text: &str, profile: ColumnProfile, split: Option<char>) -> WrittenCategories {
    // The text may hold `&gt;`.
    let text = html_escape::decode_html_entities(text);
    let mark = path_mark(&text, profile);
    let parts = match split {
        Some(mark) => at_mark(&text, mark),
        None => paths(&text, profile, mark),
    };
    if profile == ColumnProfile::Shopware {
        let (ids, names): (Vec<String>, Vec<String>) =
            parts.into_iter().partition(|p| is_hex_id(p));
        return WrittenCategories {
            ids,
            paths: names.iter().filter_map(|part| path(part, mark)).collect(),
        };
    }
    WrittenCategories {
        paths: parts.iter().filter_map(|part| path(part, mark)).collect(),
        ids: Vec::new(),
    }
}

fn path_mark(text: &str, profile: ColumnProfile) -> &'static str {
    match profile {
        ColumnProfile::Magento => "/",
        _ if text.contains('>') => ">",
        ColumnProfile::Plain | ColumnProfile::Findwell => " / ",
        _ => ">",
    }
}

fn paths(text: &str, profile: ColumnProfile, mark: &str) -> Vec<String> {
    if text.contains('|') {
        return at_mark(text, '|');
    }
    if matches!(profile, ColumnProfile::Woocommerce | ColumnProfile::Magento) {
        return at_commas(text);
    }
    let parts = at_commas_outside_quotes(text);
    let is_list = parts.len() > 1
        && parts
            .iter()
            .all(|(part, is_quoted)| *is_quoted || part.contains(mark));
    if is_list {
        return parts.into_iter().map(|(part, _)| part).collect();
    }
    let text = text.trim();
    let inner = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    vec![
        inner
            .filter(|inner| !inner.contains('"'))
            .unwrap_or(text)
            .to_owned(),
    ]
}

fn path(text: &str, mark: &str) -> Option<Vec<String>> {
    let steps = text.split(mark).map(label);
    let steps: Vec<String> = steps.filter(|step| !step.is_empty()).collect();
    // A number of a taxonomy is no name.
    let is_number = steps
        .iter()
        .all(|step| step.bytes().all(|byte| byte.is_ascii_digit()));
    (!steps.is_empty() && !is_number).then_some(steps)
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::mapping::profile::ColumnProfile;

    #[test]
    fn cells_hold_one_or_several_paths() {
        for (text, profile, paths) in [
            (
                "Home & Garden > Kitchen, Dining",
                ColumnProfile::Google,
                &["Home & Garden/Kitchen, Dining"][..],
            ),
            ("A &gt; B", ColumnProfile::Google, &["A/B"]),
            ("\"A > B\",\"A > C\"", ColumnProfile::Plain, &["A/B", "A/C"]),
            ("A > B, A > C", ColumnProfile::Plain, &["A/B", "A/C"]),
            ("A|B", ColumnProfile::Plain, &["A", "B"]),
            ("A / B", ColumnProfile::Plain, &["A/B"]),
            (
                "Clothing > Hoodies, Sale",
                ColumnProfile::Woocommerce,
                &["Clothing/Hoodies", "Sale"],
            ),
            (
                "Default/Gear,Default/Gear/Bags",
                ColumnProfile::Magento,
                &["Default/Gear", "Default/Gear/Bags"],
            ),
            ("2271", ColumnProfile::Google, &[]),
        ] {
            let read = parse(text, profile, None).paths;
            let read: Vec<String> = read.iter().map(|path| path.join("/")).collect();
            assert_eq!(read, paths, "{text}");
        }
    }
}
