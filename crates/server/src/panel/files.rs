//! The files of the panel's pages, embedded in the binary. Their path holds a digest of all, so browsers keep them for
//! good and a new binary has new paths.

use super::{modules, tables};
use crate::http::Failure;
use crate::http::public_file::PublicFile;
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, LazyLock};

const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// Name and text of each file of the folder, as the build script lists them.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/panel_files.rs"));

/// Returns the content type of a file by the end of its name.
fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.') {
        Some((_, "css")) => CSS,
        Some((_, "svg")) => SVG,
        _ => SCRIPT,
    }
}

/// Returns the style sheet of a page's own module, if it has one.
pub fn style_of(module: &str) -> Option<&'static str> {
    let style = module.replace(".js", ".css");
    let found = FILES.iter().find(|(name, _)| *name == style);
    found.map(|(name, _)| *name)
}

/// Returns the text of a file; empty if there is none of this name.
fn text(name: &str) -> String {
    if let Some((_, write)) = tables::MODULES.iter().find(|(known, _)| *known == name) {
        return write();
    }
    let found = FILES.iter().find(|(known, _)| *known == name);
    found.map_or_else(String::new, |(_, text)| (*text).to_owned())
}

/// Returns a file as it is sent: scripts go without indentation and comments, on the same lines as in the source.
fn sent(name: &str, text: &str) -> String {
    if content_type(name) != SCRIPT {
        return text.to_owned();
    }
    let lines = text.lines().map(str::trim_start);
    let code = lines.map(|line| if line.starts_with("//") { "" } else { line });
    code.flat_map(|line| [line, "\n"]).collect()
}

/// Returns a page's own module and all that it imports before it runs.
pub fn modules_of(module: &str) -> BTreeSet<String> {
    modules::all(module, text)
}

/// The digest of all files, which names their folder.
static DIGEST: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = DefaultHasher::new();
    FILES.hash(&mut hasher);
    for (_, write) in tables::MODULES {
        write().hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
});

/// Returns the digest of all files: pages that are open know by it that the server has others now.
pub fn digest() -> &'static str {
    &DIGEST
}

/// The files as they are sent, by name.
pub struct PanelFiles {
    files: BTreeMap<&'static str, (&'static str, PublicFile)>,
}

impl PanelFiles {
    /// Prepares all files.
    pub fn new() -> Self {
        let embedded = FILES.iter().map(|(name, text)| (*name, sent(name, text)));
        let written = tables::MODULES.map(|(name, write)| (name, write()));
        let prepared = embedded
            .chain(written)
            .map(|(name, text)| (name, (content_type(name), PublicFile::new(text))));
        Self {
            files: prepared.collect(),
        }
    }

    /// Returns the path of the folder with all files.
    pub fn folder(&self) -> String {
        format!("/panel/assets/{}", digest())
    }
}

/// Returns a file; those of another version are gone.
pub async fn file(
    State(files): State<Arc<PanelFiles>>,
    Path((folder, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let found = files.files.get(name.as_str());
    let (kind, file) = found
        .filter(|_| folder == digest())
        .ok_or_else(Failure::no_such_path)?;
    let mut response = file.respond(&headers);
    let about = response.headers_mut();
    about.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    let forever = HeaderValue::from_static("private, max-age=31536000, immutable");
    about.insert(CACHE_CONTROL, forever);
    Ok(response)
}

#[cfg(test)]
mod tests {
    //! 1. Every module that a file imports exists, and nothing is loaded from other servers.
    //! 2. No file sets text as markup, evaluates text or sets styles inline.
    //! 3. Every text that a file says stands in both languages with the same placeholders, and none is unused.
    //! 4. Every field, setting and feature of the widget, every choice of a form, and every scope and kind of keys has its
    //!    texts; so has every code of a rejected document, and of a row, warning or notice of an import.
    //! 5. Every type of rule has its form, and every language of users its texts.
    //! 6. Every message of the service has a key of its own and is translated with the same values; none is left over.
    //! 7. A page with all that it loads before it is shown has at most 100 kB after compression.

    use super::*;
    use crate::panel::modules::{imports, resolved};
    use crate::panel::page_rows::PAGES;
    use catalogue_files::report::codes;
    use domain::document::Rejection;
    use domain::filter::{FilterType, OptionSort};
    use domain::relevance::field::FIELDS;
    use domain::relevance::setting::{SETTINGS, SettingKind};
    use domain::rule::{MatchKind, RuleType};
    use domain::search::{FilterField, Sort};
    use domain::synonym::SynonymType;
    use domain::user::PanelLanguage;
    use domain::widget;
    use domain::{KeyKind, Scope, TriggerAlternative};
    use serde_json::json;

    #[test]
    fn all_modules_exist_and_come_from_this_server() {
        for (name, content) in FILES {
            let called = content.split("import(\"").skip(1);
            let called = called.filter_map(|rest| rest.split('"').next());
            let on_demand = called.map(|path| resolved(name, path));
            for import in imports(name, content).into_iter().chain(on_demand) {
                assert!(!text(&import).is_empty(), "{name} imports {import}");
            }
            let content = content.replace("http://www.w3.org/2000/svg", "");
            assert!(
                !content.contains("http://") && !content.contains("https://"),
                "{name}"
            );
        }
        for page in PAGES {
            assert!(!text(page.module).is_empty(), "{}", page.path);
        }
    }

    #[test]
    fn no_file_sets_markup_or_evaluates_text() {
        for (name, content) in FILES {
            for sink in [
                "innerHTML",
                "outerHTML",
                "insertAdjacentHTML",
                "eval(",
                ".style",
                "style=",
            ] {
                assert!(!content.contains(sink), "{name} uses {sink}");
            }
        }
    }

    /// Whether a file holds texts of a language: `en.js` and `en-….js`, in any folder.
    fn is_of(name: &str, language: &str) -> bool {
        let name = name.rsplit('/').next().unwrap_or(name);
        name.strip_prefix(language)
            .is_some_and(|rest| rest == ".js" || rest.starts_with('-'))
    }

    /// The texts of a language, by key, each with its placeholders.
    fn words(language: &str) -> BTreeMap<String, BTreeSet<String>> {
        words_of(|name| is_of(name, language))
    }

    /// The texts of the files that `is_of` chooses. A long text stands in the lines below its key.
    fn words_of(is_of: impl Fn(&str) -> bool) -> BTreeMap<String, BTreeSet<String>> {
        let files = FILES.iter().filter(|(name, _)| is_of(name));
        let texts: String = files
            .map(|(_, text)| text.replace("\":\n", "\": ").replace(" +\n", " "))
            .collect();
        let lines = texts.lines().filter_map(|line| {
            let (key, value) = line.trim().strip_prefix('"')?.split_once("\": ")?;
            let holes = value
                .split('{')
                .skip(1)
                .filter_map(|hole| hole.split('}').next())
                .filter(|hole| hole.chars().all(|c| c.is_alphanumeric() || c == '_'));
            Some((key.to_owned(), holes.map(str::to_owned).collect()))
        });
        lines.collect()
    }

    #[test]
    fn every_text_stands_in_both_languages() {
        let (en, es) = (words("en"), words("es"));
        assert!(en.len() > 100, "{}", en.len());
        for (key, holes) in &en {
            assert_eq!(es.get(key), Some(holes), "{key}");
        }
        assert_eq!(en.len(), es.len());
        let sources: String = FILES
            .iter()
            .filter(|(name, _)| !is_of(name, "en") && !is_of(name, "es"))
            .map(|(_, content)| *content)
            .collect();
        for key in en.keys() {
            let whole = sources.contains(&format!("\"{key}\""));
            let by_family = key
                .match_indices('.')
                .any(|(at, _)| sources.contains(&format!("`{}.$", &key[..at])));
            let page = PAGES.iter().any(|page| {
                page.title == *key
                    || page
                        .menu
                        .is_some_and(|place| [place.group, place.name].contains(&key.as_str()))
            });
            assert!(whole || by_family || page, "{key} is unused");
        }
        for part in sources.split("say(\"").skip(1) {
            let key = part.split('"').next().unwrap_or_default();
            assert!(en.contains_key(key), "{key} is not translated");
        }
    }

    #[test]
    fn every_field_setting_and_choice_has_its_texts() {
        let en = words("en");
        let mut wanted: Vec<String> = FIELDS.map(|field| format!("field.{}", field.name)).into();
        for setting in &SETTINGS {
            wanted.push(format!("setting.{}", setting.name));
            wanted.push(format!("settingAbout.{}", setting.name));
            if let SettingKind::Choice(choices) = setting.kind {
                let choice = |one| format!("choice.{}.{one}", setting.name);
                wanted.extend(choices.iter().map(choice));
            }
        }
        for (family, names) in [
            ("alternative", json!(TriggerAlternative::ALL)),
            (
                "field",
                json!(FilterField::FIXED.map(|field| field.to_string())),
            ),
            ("filterType", json!(FilterType::ALL)),
            ("keyScope", json!(Scope::ALL)),
            ("kind", json!(KeyKind::ALL)),
            ("match", json!(MatchKind::ALL)),
            ("optionSort", json!(OptionSort::ALL)),
            ("sort", json!(Sort::ALL)),
            ("feature", widget::switches().collect()),
            ("synonymType", json!(SynonymType::ALL)),
            ("direction", json!(SynonymType::ALL)),
            ("ruleType", json!(RuleType::ALL)),
        ] {
            let names = names.as_array().expect("a list").iter();
            let keys = names.filter_map(|name| Some(format!("{family}.{}", name.as_str()?)));
            wanted.extend(keys);
        }
        for key in wanted {
            assert!(en.contains_key(key.as_str()), "{key} is missing");
        }
    }

    #[test]
    fn every_code_of_what_is_rejected_has_its_text() {
        let en = words("en");
        for code in Rejection::CODES {
            let key = format!("rejectionCode.{code}");
            assert!(en.contains_key(&key), "{key} is missing");
        }
        let rows = codes::REJECTIONS.iter().chain(&codes::WARNINGS);
        let rows = rows.map(|(code, _)| *code).chain(codes::NOTICES);
        for code in rows.chain([codes::NOT_PUBLISHED, codes::STORE_VIEW]) {
            let key = format!("importCode.{code}");
            assert!(en.contains_key(&key), "{key} is missing");
        }
    }

    /// The keys of the object that follows `declared` in the file `name`.
    fn keys(name: &str, declared: &str) -> BTreeSet<String> {
        let text = text(name);
        let (_, object) = text.split_once(declared).expect(declared);
        let (mut keys, mut key, mut depth) = (BTreeSet::new(), String::new(), 0);
        for c in object.chars() {
            match c {
                '{' | '[' | '(' => depth += 1,
                '}' | ']' | ')' => depth -= 1,
                ':' if depth == 1 => drop(keys.insert(std::mem::take(&mut key))),
                c if depth == 1 && c.is_alphanumeric() => key.push(c),
                ',' => key.clear(),
                _ => {}
            }
            if depth == 0 && c == '}' {
                break;
            }
        }
        keys
    }

    #[test]
    fn every_type_of_rule_has_its_form() {
        let types = RuleType::ALL.map(|kind| kind.as_str().to_owned());
        assert_eq!(
            keys("rule-form.js", "const EFFECTS ="),
            BTreeSet::from(types)
        );
    }

    #[test]
    fn every_language_of_users_has_its_texts() {
        let languages = BTreeSet::from(PanelLanguage::ALL.map(|one| one.as_str().to_owned()));
        assert_eq!(keys("words.js", "const LANGUAGES ="), languages);
        assert_eq!(keys("words.js", "const TEXTS ="), languages);
    }

    #[test]
    fn every_message_is_translated() {
        let tables = [domain::message::MESSAGES, crate::message::MESSAGES].into_iter();
        let rows = tables.chain(operations::MESSAGES).flatten();
        let mut english: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for row in rows {
            let values = row.values.iter().map(|value| (*value).to_owned());
            let twice = english.insert(row.key.to_owned(), values.collect());
            assert_eq!(twice, None, "{}", row.key);
        }
        assert!(english.len() > 300, "{}", english.len());
        let translations = words_of(|name| name.starts_with("messages-es-"));
        for (key, values) in &english {
            assert_eq!(translations.get(key), Some(values), "{key}");
        }
        let left_over = translations.keys().find(|key| !english.contains_key(*key));
        assert_eq!(left_over, None);
    }

    #[test]
    fn a_page_is_small() {
        use flate2::Compression;
        use flate2::write::GzEncoder;
        use std::io::Write;
        for page in PAGES {
            let mut all = modules_of(page.module);
            all.insert("panel.css".to_owned());
            all.extend(style_of(page.module).map(str::to_owned));
            let bytes: usize = all
                .iter()
                .map(|name| {
                    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
                    let sent = sent(name, &text(name));
                    encoder.write_all(sent.as_bytes()).expect("in memory");
                    encoder.finish().expect("in memory").len()
                })
                .sum();
            assert!(bytes <= 101_000, "{}: {bytes}", page.path);
        }
    }
}
