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

macro_rules! file {
    ($name:literal, $content_type:expr) => {
        (
            $name,
            $content_type,
            include_str!(concat!("../assets/panel/", $name)),
        )
    };
}

/// Name, content type and content of each file.
pub const FILES: &[(&str, &str, &str)] = &[
    file!("panel.css", CSS),
    file!("icon.svg", SVG),
    file!("agent-card.js", SCRIPT),
    file!("audit.js", SCRIPT),
    file!("call.js", SCRIPT),
    file!("changes.js", SCRIPT),
    file!("combobox.js", SCRIPT),
    file!("confirm.js", SCRIPT),
    file!("download.js", SCRIPT),
    file!("element.js", SCRIPT),
    file!("en-forms.js", SCRIPT),
    file!("en-pages.js", SCRIPT),
    file!("en.js", SCRIPT),
    file!("es-forms.js", SCRIPT),
    file!("es-pages.js", SCRIPT),
    file!("es-reasons.js", SCRIPT),
    file!("es.js", SCRIPT),
    file!("filter-form.js", SCRIPT),
    file!("filters.js", SCRIPT),
    file!("form.js", SCRIPT),
    file!("frame.js", SCRIPT),
    file!("held.js", SCRIPT),
    file!("history.js", SCRIPT),
    file!("home.js", SCRIPT),
    file!("json.js", SCRIPT),
    file!("keys.js", SCRIPT),
    file!("link.js", SCRIPT),
    file!("me.js", SCRIPT),
    file!("members.js", SCRIPT),
    file!("pager.js", SCRIPT),
    file!("paths.js", SCRIPT),
    file!("picker.js", SCRIPT),
    file!("product-picker.js", SCRIPT),
    file!("records.js", SCRIPT),
    file!("rule-form.js", SCRIPT),
    file!("rules.js", SCRIPT),
    file!("runs.js", SCRIPT),
    file!("searches.js", SCRIPT),
    file!("settings.js", SCRIPT),
    file!("sign-in.js", SCRIPT),
    file!("store-access.js", SCRIPT),
    file!("store.js", SCRIPT),
    file!("synonym-form.js", SCRIPT),
    file!("synonyms.js", SCRIPT),
    file!("value-groups.js", SCRIPT),
    file!("watch-list.js", SCRIPT),
    file!("widget-form.js", SCRIPT),
    file!("widget-preview.js", SCRIPT),
    file!("widget.js", SCRIPT),
    file!("words.js", SCRIPT),
    file!("workbench/ask.js", SCRIPT),
    file!("workbench/card.js", SCRIPT),
    file!("workbench/draft-parts.js", SCRIPT),
    file!("workbench/draft.js", SCRIPT),
    file!("workbench/dragging.js", SCRIPT),
    file!("workbench/drawer.js", SCRIPT),
    file!("workbench/en-restoring.js", SCRIPT),
    file!("workbench/en.js", SCRIPT),
    file!("workbench/es-restoring.js", SCRIPT),
    file!("workbench/es.js", SCRIPT),
    file!("workbench/explain.js", SCRIPT),
    file!("workbench/filters.js", SCRIPT),
    file!("workbench/foot.js", SCRIPT),
    file!("workbench/labels.js", SCRIPT),
    file!("workbench/levers.js", SCRIPT),
    file!("workbench/merge.js", SCRIPT),
    file!("workbench/news.js", SCRIPT),
    file!("workbench/page.css", CSS),
    file!("workbench/page.js", SCRIPT),
    file!("workbench/parts.js", SCRIPT),
    file!("workbench/records.js", SCRIPT),
    file!("workbench/relevance.js", SCRIPT),
    file!("workbench/restoring.js", SCRIPT),
    file!("workbench/results.js", SCRIPT),
    file!("workbench/review.js", SCRIPT),
    file!("workbench/rules.js", SCRIPT),
    file!("workbench/saved.js", SCRIPT),
    file!("workbench/saving.js", SCRIPT),
    file!("workbench/sentence.js", SCRIPT),
    file!("workbench/sides.js", SCRIPT),
    file!("workbench/state.js", SCRIPT),
    file!("workbench/synonyms.js", SCRIPT),
    file!("workbench/top.js", SCRIPT),
    file!("workbench/watched.js", SCRIPT),
    file!("workbench/words.js", SCRIPT),
];

/// The module with the tables of search fields and settings, which is written from those of the domain.
const TABLES: &str = "workbench/tables.js";

/// Returns the style sheet of a page's own module, if it has one.
pub fn style_of(module: &str) -> Option<&'static str> {
    let style = module.replace(".js", ".css");
    let found = FILES.iter().find(|(name, ..)| *name == style);
    found.map(|(name, ..)| *name)
}

/// Returns the text of a file; empty if there is none of this name.
fn text(name: &str) -> String {
    if name == TABLES {
        return tables::module();
    }
    let found = FILES.iter().find(|(known, ..)| *known == name);
    found.map_or_else(String::new, |(_, _, text)| (*text).to_owned())
}

/// Returns a file as it is sent: scripts go without indentation and comments, on the same lines as in the source.
fn sent(kind: &str, text: &str) -> String {
    if kind != SCRIPT {
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
    tables::module().hash(&mut hasher);
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
        let tables = tables::module();
        let prepared = FILES
            .iter()
            .map(|(name, kind, text)| (*name, *kind, sent(kind, text)))
            .chain([(TABLES, SCRIPT, tables)])
            .map(|(name, kind, text)| (name, (kind, PublicFile::new(text))));
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
    //! 4. Every search field and setting has a name and a description.
    //! 5. A page with all that it loads before it is shown has at most 100 kB after compression.

    use super::*;
    use crate::panel::modules::{imports, named};
    use crate::panel::pages::PAGES;
    use domain::relevance::field::FIELDS;
    use domain::relevance::setting::{SETTINGS, SettingKind};

    #[test]
    fn all_modules_exist_and_come_from_this_server() {
        for (name, _, content) in FILES {
            let on_demand = named(name, &text(name), "import(\"");
            for import in imports(name, &text(name)).into_iter().chain(on_demand) {
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
        for (name, _, content) in FILES {
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

    /// The texts of a language, by key, each with its placeholders. A long text stands in the lines below its key.
    fn words(language: &str) -> BTreeMap<String, BTreeSet<String>> {
        let files = FILES.iter().filter(|(name, ..)| is_of(name, language));
        let texts: String = files
            .map(|(.., text)| text.replace("\":\n", "\": ").replace(" +\n", " "))
            .collect();
        let lines = texts.lines().filter_map(|line| {
            let (key, value) = line.trim().strip_prefix('"')?.split_once("\": ")?;
            let holes = value
                .split('{')
                .skip(1)
                .filter_map(|hole| hole.split('}').next());
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
            .filter(|(name, ..)| !is_of(name, "en") && !is_of(name, "es"))
            .map(|(_, _, content)| *content)
            .collect();
        for key in en.keys() {
            let whole = sources.contains(&format!("\"{key}\""));
            let by_family = key
                .match_indices('.')
                .any(|(at, _)| sources.contains(&format!("`{}.$", &key[..at])));
            let page = PAGES.iter().any(|page| page.title == *key);
            assert!(whole || by_family || page, "{key} is unused");
        }
        for part in sources.split("say(\"").skip(1) {
            let key = part.split('"').next().unwrap_or_default();
            assert!(en.contains_key(key), "{key} is not translated");
        }
    }

    #[test]
    fn every_field_and_setting_has_its_texts() {
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
        for key in wanted {
            assert!(en.contains_key(key.as_str()), "{key} is missing");
        }
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
                    let kind = if name.ends_with(".js") { SCRIPT } else { CSS };
                    let sent = sent(kind, &text(name));
                    encoder.write_all(sent.as_bytes()).expect("in memory");
                    encoder.finish().expect("in memory").len()
                })
                .sum();
            assert!(bytes <= 100_000, "{}: {bytes}", page.path);
        }
    }
}
