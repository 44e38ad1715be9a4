//! The pages of the control panel, one row each. Router, HTML and the menu of a store derive from them.

/// A page.
pub struct PageRow {
    /// Its path below `/panel`.
    pub path: &'static str,
    /// Key of its title in the texts of the panel.
    pub title: &'static str,
    /// Its module.
    pub module: &'static str,
    /// Whether it needs a session.
    pub session: bool,
    /// Its place in the menu of a store, if it is a page of one.
    pub menu: Option<MenuPosition>,
}

/// A place in the menu of a store.
#[derive(Clone, Copy)]
pub struct MenuPosition {
    /// Key of the group's name.
    pub group: &'static str,
    /// Key of the page's name.
    pub name: &'static str,
}

/// What the store has and is searched for.
const STORE: &str = "group.store";
/// What decides what shoppers find and see.
const SEARCH: &str = "group.search";
/// What happened, and who may do what.
const MANAGE: &str = "group.manage";

/// Path of the pages of a store.
const OF_STORE: &str = "/stores/{id}";

/// A page that needs a session.
const fn page(path: &'static str, title: &'static str, module: &'static str) -> PageRow {
    PageRow {
        path,
        title,
        module,
        session: true,
        menu: None,
    }
}

impl PageRow {
    /// A page that needs no session.
    const fn open(self) -> Self {
        Self {
            session: false,
            ..self
        }
    }

    /// A page in the menu of a store.
    const fn in_menu(self, group: &'static str, name: &'static str) -> Self {
        Self {
            menu: Some(MenuPosition { group, name }),
            ..self
        }
    }
}

/// All pages, those of a store in the order of its menu.
pub const PAGES: &[PageRow] = &[
    page("/sign-in", "title.signIn", "sign-in.js").open(),
    page("/link", "title.link", "link.js").open(),
    page("", "title.home", "home.js"),
    page("/me", "title.me", "me.js"),
    page("/stores/{id}", "title.store", "store.js").in_menu(STORE, "overview"),
    page("/stores/{id}/catalogue", "title.catalogue", "catalogue.js").in_menu(STORE, "catalogue"),
    page("/stores/{id}/searches", "title.searches", "searches.js").in_menu(STORE, "searches"),
    page("/stores/{id}/runs", "title.runs", "runs.js").in_menu(STORE, "runs"),
    page(
        "/stores/{id}/workbench",
        "title.workbench",
        "workbench/page.js",
    )
    .in_menu(SEARCH, "workbench"),
    page("/stores/{id}/synonyms", "title.synonyms", "synonyms.js").in_menu(SEARCH, "synonyms"),
    page("/stores/{id}/rules", "title.rules", "rules.js").in_menu(SEARCH, "rules"),
    page("/stores/{id}/filters", "title.filters", "filters.js").in_menu(SEARCH, "filters"),
    page("/stores/{id}/widget", "title.widget", "widget.js").in_menu(SEARCH, "widget"),
    page("/stores/{id}/proposals", "title.proposals", "proposals.js").in_menu(SEARCH, "proposals"),
    page("/stores/{id}/history", "title.history", "history.js").in_menu(MANAGE, "history"),
    page("/stores/{id}/audit", "title.audit", "audit.js").in_menu(MANAGE, "audit"),
    page("/stores/{id}/keys", "title.keys", "keys.js").in_menu(MANAGE, "keys"),
    page("/stores/{id}/settings", "title.settings", "settings.js").in_menu(MANAGE, "settings"),
    page("/accounts/{id}/audit", "title.audit", "audit.js"),
    page("/accounts/{id}/keys", "title.keys", "keys.js"),
    page("/accounts/{id}/members", "title.members", "members.js"),
];

/// Returns the pages of a store in the order of its menu: the end of the path, and the place.
pub fn store_menu() -> impl Iterator<Item = (&'static str, MenuPosition)> {
    let of_store = |page: &PageRow| Some((page.path.strip_prefix(OF_STORE)?, page.menu?));
    PAGES.iter().filter_map(of_store)
}
