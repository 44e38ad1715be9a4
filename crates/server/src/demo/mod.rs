//! The invented shop of `findwell demo`: its catalogue, its pictures and the files of its storefront.
//!
//! The page is served at `/`, a bare shop with the search widget at `/demo/shop`, their assets at `/demo/assets/{name}`, its pictures at
//! `/demo/pictures/{kind}-{colour}.svg`; the script calls `/demo/search` and `/demo/ranking`.

pub mod catalogue;
pub mod pictures;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

macro_rules! asset {
    ($name:literal, $content_type:expr) => {
        (
            $name,
            $content_type,
            include_bytes!(concat!("../assets/demo/", $name)).as_slice(),
        )
    };
}

/// Name, content type and content of each file of the storefront.
const ASSETS: [(&str, &str, &[u8]); 13] = [
    asset!("index.html", HTML),
    asset!("shop.html", HTML),
    asset!("shop.css", CSS),
    asset!("style.css", CSS),
    asset!("icon.svg", SVG),
    asset!("address.js", SCRIPT),
    asset!("app.js", SCRIPT),
    asset!("cards.js", SCRIPT),
    asset!("element.js", SCRIPT),
    asset!("explain.js", SCRIPT),
    asset!("filters.js", SCRIPT),
    asset!("shop.js", SCRIPT),
    asset!("words.js", SCRIPT),
];

/// Returns content type and content of the file `name` of the storefront.
pub fn asset(name: &str) -> Option<(&'static str, &'static [u8])> {
    ASSETS
        .iter()
        .find(|(known, ..)| *known == name)
        .map(|(_, content_type, bytes)| (*content_type, *bytes))
}

#[cfg(test)]
mod tests {
    //! 1. The page and all files that it refers to exist.
    //! 2. Nothing is loaded from other servers.

    use super::*;

    fn text(name: &str) -> String {
        let (_, bytes) = asset(name).unwrap_or_default();
        String::from_utf8_lossy(bytes).into_owned()
    }

    #[test]
    fn all_files_that_the_page_refers_to_exist() {
        let mut named = Vec::new();
        let pages = [text("index.html"), text("shop.html")];
        for part in pages
            .iter()
            .flat_map(|page| page.split("/demo/assets/").skip(1))
        {
            named.extend(part.split('"').next().map(str::to_owned));
        }
        for (name, ..) in ASSETS {
            for part in text(name).split("from \"./").skip(1) {
                named.extend(part.split('"').next().map(str::to_owned));
            }
        }
        assert!(named.len() > ASSETS.len(), "{named:?}");
        for name in named {
            assert!(asset(&name).is_some(), "{name}");
        }
    }

    #[test]
    fn the_page_loads_nothing_from_other_servers() {
        for (name, ..) in ASSETS {
            let text = text(name).replace("http://www.w3.org/2000/svg", "");
            assert!(
                !text.contains("http://") && !text.contains("https://"),
                "{name}"
            );
        }
    }
}
