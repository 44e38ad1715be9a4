//! Examples of requests and responses, from `docs/examples`.

/// The text of an example in `docs/examples`.
macro_rules! example {
    ($name:literal) => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../docs/examples/",
            $name,
            ".json"
        ))
    };
}

pub(crate) use example;
