//! The shop's own site: pages of a bare theme, and the endpoints that a shop module has.

use crate::wire::{Request, Response, Wire};
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

const HTML: &str = "text/html; charset=utf-8";

/// A page of the site.
#[derive(Clone, Default)]
pub struct Page {
    pub html: String,
    /// Its content security policy.
    pub policy: Option<String>,
}

#[derive(Default)]
struct Inner {
    pages: BTreeMap<String, Page>,
    /// Content type and text by path.
    files: BTreeMap<String, (&'static str, String)>,
    held: Vec<String>,
    log: Vec<Request>,
}

/// The site, at an origin of its own.
pub struct Site {
    wire: Wire,
    inner: Arc<(Mutex<Inner>, Condvar)>,
}

impl Site {
    pub fn open() -> Self {
        let inner = Arc::new((Mutex::new(Inner::default()), Condvar::new()));
        let own = Arc::clone(&inner);
        let wire = Wire::listen(Arc::new(move |request| Some(respond(&own, request))));
        Self { wire, inner }
    }

    pub fn base(&self) -> &str {
        &self.wire.base
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner
            .0
            .lock()
            .expect("no test panics while it holds the site")
    }

    /// Puts a page at a path.
    pub fn page(&self, path: &str, page: Page) {
        self.lock().pages.insert(path.to_owned(), page);
    }

    /// Puts JSON at a path.
    pub fn endpoint(&self, path: &str, json: &str) {
        self.file(path, "application/json", json);
    }

    /// Puts a script at a path.
    pub fn script(&self, path: &str, text: &str) {
        self.file(path, "text/javascript; charset=utf-8", text);
    }

    fn file(&self, path: &str, content_type: &'static str, text: &str) {
        let file = (content_type, text.to_owned());
        self.lock().files.insert(path.to_owned(), file);
    }

    /// Holds responses of a path until [`Site::release`].
    pub fn hold(&self, path: &str) {
        self.lock().held.push(path.to_owned());
    }

    pub fn release(&self) {
        self.lock().held.clear();
        self.inner.1.notify_all();
    }

    /// Paths with queries that were asked for.
    pub fn asked(&self, path: &str) -> Vec<String> {
        let log = &self.lock().log;
        log.iter()
            .filter(|one| one.path.starts_with(path))
            .map(|one| one.path.clone())
            .collect()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.release();
    }
}

fn respond((lock, changed): &(Mutex<Inner>, Condvar), request: &Request) -> Response {
    let path = request
        .path
        .split('?')
        .next()
        .unwrap_or_default()
        .to_owned();
    let mut now = lock.lock().expect("no test panics while it holds the site");
    now.log.push(request.clone());
    while now.held.contains(&path) {
        now = changed
            .wait(now)
            .expect("no test panics while it holds the site");
    }
    if let Some((content_type, text)) = now.files.get(&path) {
        return Response::of(content_type, text.clone());
    }
    if path.ends_with(".svg") {
        let drawing = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 4 4\"><rect width=\"4\" height=\"4\" fill=\"teal\"/></svg>";
        return Response::of("image/svg+xml", drawing);
    }
    let page = now.pages.get(&path).cloned().unwrap_or_else(|| Page {
        html: format!("<!doctype html><html lang=en><title>{path}</title><h1>{path}</h1>"),
        policy: None,
    });
    let mut response = Response::of(HTML, page.html);
    response.headers.extend(
        page.policy
            .map(|policy| ("Content-Security-Policy".to_owned(), policy)),
    );
    response
}
