//! The handlers of the loader and the assets.

use super::files::{EMBEDDED, SCRIPT, is_hash};
use crate::App;
use crate::http::cors::for_any_page;
use crate::http::public_file::{IMMUTABLE, NO_CACHE};
use crate::http::{Failure, PathId};
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;

/// Short, because it is how pages learn of a new version of the assets.
const LOADER_CACHE: HeaderValue =
    HeaderValue::from_static("public, max-age=300, stale-while-revalidate=86400");

/// Returns the loader.
pub async fn loader(State(app): State<App>, headers: HeaderMap) -> Response {
    let response = app.widget.loader.respond_cached(&headers, LOADER_CACHE);
    typed(response, SCRIPT)
}

/// Returns the asset `{name}-{hash}.{extension}`. Another hash than that of the present file may come from an older
/// loader or from another server, so the present file is returned, and not cached under that name.
pub async fn asset(
    State(app): State<App>,
    PathId(file): PathId,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let (name, hash, extension) = split_file_name(&file).ok_or_else(Failure::no_such_path)?;
    let mut known = EMBEDDED.iter().zip(&app.widget.assets);
    let (asset, present) = known
        .find(|(asset, _)| asset.name == name && asset.extension == extension)
        .ok_or_else(Failure::no_such_path)?;
    let cache_control = match hash == present.hash() {
        true => IMMUTABLE,
        false => NO_CACHE,
    };
    let response = present.respond_cached(&headers, cache_control);
    Ok(typed(response, asset.content_type))
}

/// Splits `box-0123456789abcdef.js` into name, hash and extension.
fn split_file_name(file: &str) -> Option<(&str, &str, &str)> {
    let (stem, extension) = file.rsplit_once('.')?;
    let (name, hash) = stem.rsplit_once('-')?;
    is_hash(hash).then_some((name, hash, extension))
}

pub(super) fn typed(mut response: Response, content_type: &'static str) -> Response {
    let content_type = HeaderValue::from_static(content_type);
    response.headers_mut().insert(CONTENT_TYPE, content_type);
    for_any_page(response)
}

#[cfg(test)]
mod tests {
    //! 1. The name of an asset is split into name, hash and extension; others are no assets.

    use super::split_file_name;

    #[test]
    fn names_of_assets_are_parsed() {
        assert_eq!(
            split_file_name("box-0123456789abcdef.js"),
            Some(("box", "0123456789abcdef", "js"))
        );
        for bad in [
            "box.js",
            "box-0123456789abcde.js",
            "box-0123456789ABCDEF.js",
            "box-0123456789abcdef",
            "",
        ] {
            assert_eq!(split_file_name(bad), None, "{bad}");
        }
    }
}
