//! The loader and the assets of the widget, embedded in the binary. The loader names the assets by their content.

use crate::http::public_file::PublicFile;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

pub(super) const CSS: &str = "text/css; charset=utf-8";
pub(super) const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The loader. Its texts in capitals are replaced by the base address and by the names of the assets.
const LOADER: &str = include_str!("../assets/widget/loader.js");
/// Text that stands for the base address of the API in the loader; empty if it is not known.
const BASE: &str = "__FINDWELL_BASE__";

/// Digits of a content hash.
const HASH_DIGITS: usize = 16;

/// An asset of the widget as it is embedded.
pub(super) struct Embedded {
    pub(super) name: &'static str,
    pub(super) extension: &'static str,
    pub(super) content_type: &'static str,
    /// Text in the loader that its file name replaces.
    placeholder: &'static str,
    content: &'static str,
}

pub(super) const EMBEDDED: [Embedded; 4] = [
    Embedded {
        name: "box",
        extension: "js",
        content_type: SCRIPT,
        placeholder: "__FINDWELL_BOX_JS__",
        content: include_str!("../assets/widget/box.js"),
    },
    Embedded {
        name: "box",
        extension: "css",
        content_type: CSS,
        placeholder: "__FINDWELL_BOX_CSS__",
        content: include_str!("../assets/widget/box.css"),
    },
    Embedded {
        name: "results",
        extension: "js",
        content_type: SCRIPT,
        placeholder: "__FINDWELL_RESULTS_JS__",
        content: include_str!("../assets/widget/results.js"),
    },
    Embedded {
        name: "results",
        extension: "css",
        content_type: CSS,
        placeholder: "__FINDWELL_RESULTS_CSS__",
        content: include_str!("../assets/widget/results.css"),
    },
];

/// The files of the widget, prepared once.
#[derive(Debug)]
pub struct WidgetFiles {
    pub(super) loader: PublicFile,
    /// In the order of [`EMBEDDED`].
    pub(super) assets: Vec<PublicFile>,
}

impl WidgetFiles {
    /// Returns the files of a server whose API has the address `base`; without it, the loader takes the address that it
    /// was loaded from.
    pub fn new(base: Option<&str>) -> Self {
        let assets = EMBEDDED
            .map(|asset| PublicFile::new(asset.content))
            .to_vec();
        let mut loader = LOADER.replace(BASE, base.unwrap_or_default());
        for (asset, file) in EMBEDDED.iter().zip(&assets) {
            let name = format!("{}-{}.{}", asset.name, file.hash(), asset.extension);
            loader = loader.replace(asset.placeholder, &name);
        }
        Self {
            loader: PublicFile::new(loader),
            assets,
        }
    }
}

/// Returns whether `text` has the form of a content hash.
pub(super) fn is_hash(text: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.len() == HASH_DIGITS && text.bytes().all(is_digit)
}

/// The code of the line for pages, as it is built.
const SNIPPET: &str = include_str!("../assets/widget/snippet.js");

/// Returns the line for the pages of a shop with this key; `api` is the address of the API with its host.
pub fn page_line(api: &str, key: &str) -> String {
    let snippet = SNIPPET.trim_end();
    format!("<script data-loader=\"{api}/widget/loader.js\" data-key=\"{key}\">{snippet}</script>")
}

/// Returns the source that admits the code of [`page_line`] to a page with a content security policy.
pub fn page_line_source() -> String {
    let hash = STANDARD.encode(Sha256::digest(SNIPPET.trim_end()));
    format!("'sha256-{hash}'")
}

#[cfg(test)]
mod tests {
    //! 1. The loader names every asset by its content, and nothing is left to fill in.
    //! 2. Nothing is loaded from other servers.
    //! 3. The documentation has the snippet of a page as it is built, and its hash for content security policies; the file
    //!    of the shop module is the snippet, byte by byte.

    use super::*;

    const DOCUMENTATION: &str = include_str!("../../../../docs/widget.md");
    const OF_THE_MODULE: &str =
        include_str!("../../../../modules/prestashop/findwell/views/js/snippet.js");

    #[test]
    fn the_shop_module_has_the_snippet_as_it_is_built() {
        assert_eq!(OF_THE_MODULE, SNIPPET, "npm run build in widget copies it");
    }

    #[test]
    fn the_documentation_has_the_snippet_and_its_hash() {
        let snippet = SNIPPET.trim_end();
        assert!(DOCUMENTATION.contains(&format!(">{snippet}</script>")));
        let source = page_line_source();
        assert!(DOCUMENTATION.contains(&source), "{source}");
    }

    fn loader(base: Option<&str>) -> String {
        let files = WidgetFiles::new(base);
        for (asset, file) in EMBEDDED.iter().zip(&files.assets) {
            assert!(LOADER.contains(asset.placeholder), "{}", asset.placeholder);
            assert!(is_hash(file.hash()));
        }
        let text = LOADER.replace(BASE, base.unwrap_or_default());
        EMBEDDED
            .iter()
            .zip(&files.assets)
            .fold(text, |text, (asset, file)| {
                let name = format!("{}-{}.{}", asset.name, file.hash(), asset.extension);
                text.replace(asset.placeholder, &name)
            })
    }

    #[test]
    fn the_loader_names_the_assets() {
        assert!(LOADER.contains(BASE));
        let base = "https://search.example/api/v1";
        let text = loader(Some(base));
        assert!(
            text.contains(base) && !text.contains("__FINDWELL"),
            "{text}"
        );
        assert_eq!(
            WidgetFiles::new(Some(base)).loader.hash(),
            PublicFile::new(text).hash()
        );
        assert_ne!(
            WidgetFiles::new(None).loader.hash(),
            WidgetFiles::new(Some(base)).loader.hash()
        );
    }

    #[test]
    fn the_widget_loads_nothing_from_other_servers() {
        let texts = EMBEDDED.map(|asset| asset.content);
        for text in texts.into_iter().chain([LOADER]) {
            let text = text.replace("http://www.w3.org/2000/svg", "");
            assert!(!text.contains("http://") && !text.contains("https://"));
        }
    }
}
