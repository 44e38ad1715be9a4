//! The operations of search-only keys: what a page of the store calls.

use super::{Operation, SEARCH, read, write};

pub(super) const ROWS: &[Operation] = &[
    read("search", SEARCH, "The shopper's search."),
    read("suggest", SEARCH, "Suggestions for a query prefix."),
    write(
        "send_events",
        SEARCH,
        "Counts clicks, carts and purchases of shoppers.",
    ),
    read(
        "get_widget_config",
        SEARCH,
        "The widget's configuration for a page.",
    ),
];
