//! Every number of the contract, with its unit and its source.

/// Largest value of a boost (seed, "boosts").
pub const BOOST_MAX: f64 = 200.0;
/// Value of a boost from which on the advice warns (seed, "boosts": recommended maximum).
pub const BOOST_RECOMMENDED_MAX: f64 = 20.0;
/// Documents in one bulk or ids in one delete (seed, Limits).
pub const BLOCK_DOCUMENTS_MAX: usize = 500;
/// Bytes of a feed block after decompression (feed.md section 4).
pub const BLOCK_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Bytes of any other request body (contract section 12).
pub const BODY_BYTES_MAX: usize = 1024 * 1024;
/// Bytes of the body of a search (docs/api.md).
pub const SEARCH_BODY_BYTES_MAX: usize = 256 * 1024;
/// Bytes of the body of a suggestion (docs/api.md).
pub const SUGGEST_BODY_BYTES_MAX: usize = 64 * 1024;
/// Bytes of one key of an object in a request (docs/api.md).
pub const JSON_KEY_BYTES_MAX: usize = 1_024;
/// Parameters of one query string (docs/api.md).
pub const QUERY_PARAMETERS_MAX: usize = 100;
/// Errors that one response lists; the others are counted (docs/api.md).
pub const ERRORS_MAX: usize = 100;
/// Bytes of the response to a request that is refused (docs/api.md).
pub const ERROR_BYTES_MAX: usize = 64 * 1024;
/// Items of one touch (feed.md section 5).
pub const TOUCH_ITEMS_MAX: usize = 2_000;
/// Letters of a question (contract section 12).
pub const QUERY_LETTERS_MAX: usize = 500;
/// Words of a question that count (contract section 12).
pub const QUERY_WORDS_MAX: usize = 32;
/// Hits of one simulation (seed, Limits).
pub const SIMULATOR_LIMIT_MAX: u32 = 500;
/// Hits of one simulation when the request names none (contract section 4).
pub const SIMULATOR_LIMIT_DEFAULT: u32 = 20;
/// Hits of one page of a search (contract section 9).
pub const SEARCH_LIMIT_MAX: u32 = 100;
/// Hits of one page of a search when the request names none (contract section 9).
pub const SEARCH_LIMIT_DEFAULT: u32 = 24;
/// Hits of each type of one suggestion (docs/api.md, "Suggest").
pub const SUGGEST_LIMIT_MAX: u32 = 20;
/// Hits of each type of one suggestion when the request names none (docs/api.md, "Suggest").
pub const SUGGEST_LIMIT_DEFAULT: u32 = 6;
/// The last hit that paging reaches: `page × limit` (docs/api.md, "Paging").
pub const SEARCH_DEPTH_MAX: u32 = 10_000;
/// Values of one facet in an answer (contract section 9).
pub const FACET_VALUES_MAX: usize = 50;
/// Values that one filter of a search may name (docs/api.md, "Filters").
pub const FILTER_VALUES_MAX: usize = 200;
/// Filters of a store, and fields that one search may filter by (contract section 12).
pub const FILTERS_MAX: usize = 64;
/// Groups of attributes and features among the automatic facets (contract section 9).
pub const FACET_GROUPS_MAX: usize = 15;
/// Letters of a store's name (seed, Store).
pub const STORE_NAME_LETTERS_MAX: usize = 255;
/// Letters of the name of an account or key (docs/cli.md).
pub const NAME_LETTERS_MAX: usize = 255;
/// Letters of an absolute address: `devUrl`, `url`, `image`.
pub const URL_CHARACTERS_MAX: usize = 2_048;
/// Letters of a document's id.
pub const DOCUMENT_ID_CHARACTERS_MAX: usize = 255;
/// Letters of a document's hash.
pub const DOCUMENT_HASH_CHARACTERS_MAX: usize = 255;
/// Letters of one text of a document that are stored and indexed (feed.md section 6).
pub const TEXT_LETTERS_MAX: usize = 20_000;
/// Letters of a code that are indexed; a longer one is stored only.
pub const CODE_LETTERS_MAX: usize = 128;
/// Characters of a document's name or title; what is longer is clipped (docs/feed.md, "Limits of documents").
pub const DOCUMENT_NAME_CHARACTERS_MAX: usize = 1_000;
/// Characters of a label of a document (brand, supplier, tag, category, group, value) or of the id of one; what is longer
/// is clipped. Filters name no longer ones.
pub const LABEL_CHARACTERS_MAX: usize = 255;
/// Characters of a code of a document; a longer one is left out (docs/feed.md, "Limits of documents").
pub const STORED_CODE_CHARACTERS_MAX: usize = 255;
/// Entries of a list of a document; further ones are left out (docs/feed.md, "Limits of documents").
pub const DOCUMENT_LIST_ENTRIES_MAX: usize = 1_000;
/// Price fields of a document; one with more is rejected (docs/feed.md, "Limits of documents").
pub const PRICE_FIELDS_MAX: usize = 1_000;
/// Bytes of a document as it is stored; a larger one is rejected (docs/feed.md, "Limits of documents").
pub const DOCUMENT_BYTES_MAX: usize = 256 * 1024;
/// Letters of an analysed word; a longer one is cut.
pub const WORD_LETTERS_MAX: usize = 64;
/// Hours after its last use at which an open run ends by itself (feed.md section 5).
pub const RUN_IDLE_HOURS: i64 = 48;
/// Percent of a scope's documents that a purge may delete without the owner (feed.md section 5).
pub const PURGE_PERCENT_MAX: u64 = 30;
/// Documents that a purge may delete without the owner, whatever their share (feed.md section 5).
pub const PURGE_DOCUMENTS_MAX: u64 = 50;
/// Runs of a store that are listed (docs/cli.md).
pub const RUNS_LISTED_MAX: u32 = 100;
/// Hours for which a deletion mark keeps an older upsert out (feed.md section 5).
pub const DELETION_MARK_HOURS: i64 = 24;
/// Marks of deleted documents that an index keeps; the oldest go first (docs/feed.md).
pub const DELETION_MARKS_MAX: u64 = 100_000;
/// Days for which a run is remembered after it ended (docs/feed.md).
pub const RUN_KEPT_DAYS: i64 = 30;
/// Installations of a store; a further one ends the one whose key searched least recently (docs/feed.md).
pub const INSTALLATIONS_MAX: usize = 20;
/// Bytes that the changes of a store's configuration come to on one day (docs/api.md, "Limits").
pub const CHANGED_BYTES_PER_DAY: u64 = 64 * 1024 * 1024;
/// Bytes of the synonym groups, rules, filters and the widget of a store together (docs/api.md, "Limits").
pub const CONFIGURATION_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Languages that the synonym groups and rules of a store are in (docs/api.md, "Limits").
pub const RECORD_LANGUAGES_MAX: u64 = 64;
/// Hours for which a rotated public key goes on working (feed.md section 5).
pub const ROTATION_GRACE_HOURS: i64 = 24;
/// Seconds that a visitor token may last (feed.md section 9).
pub const VISITOR_TOKEN_SECONDS_MAX: i64 = 3_600;
/// Bytes of a visitor token; a longer one counts as none (docs/api.md).
pub const VISITOR_TOKEN_BYTES_MAX: usize = 8_192;
/// Milliseconds of index lag from which the feed's answers are delayed (feed.md section 5).
pub const FEED_LAG_DELAY_MS: u64 = 1_000;
/// Milliseconds of index lag from which the feed's writes are refused (feed.md section 5).
pub const FEED_LAG_REFUSE_MS: u64 = 2_000;
/// Languages that one store may have when its plan says nothing (docs/feed.md).
pub const STORE_LANGUAGES_MAX: usize = 64;
/// Attempts with bad keys that one address has a minute (contract section 2).
pub const FAILED_ATTEMPTS_PER_MINUTE: u32 = 60;
/// Requests of a key within a minute; of a search-only key, for each client address (contract section 12).
pub const REQUESTS_PER_MINUTE: u32 = 600;
/// Configuration writes of a key within a minute (contract section 12).
pub const WRITES_PER_MINUTE: u32 = 120;
/// Records of the audit trail in one list (docs/cli.md).
pub const AUDIT_LIMIT_MAX: u32 = 1_000;
/// Synonym groups of a store in one language (contract section 12).
pub const SYNONYMS_MAX: usize = 5_000;
/// Terms of one synonym group (docs/api.md, "Synonyms").
pub const SYNONYM_TERMS_MAX: usize = 200;
/// Letters of one term or input of a synonym group (docs/api.md, "Synonyms").
pub const SYNONYM_CHARACTERS_MAX: usize = 255;
/// Synonym groups of one page (seed, Limits).
pub const SYNONYM_PAGE_MAX: u32 = 100;
/// Synonym groups of one page when the request names no number (seed, Limits).
pub const SYNONYM_PAGE_DEFAULT: u32 = 20;
/// Letters by which synonym groups are looked for (seed, Limits).
pub const SYNONYM_SEARCH_CHARACTERS_MAX: usize = 100;
/// Rules of a store in one language (contract section 12).
pub const RULES_MAX: usize = 1_000;
/// Largest priority of a rule (seed, Limits).
pub const RULE_PRIORITY_MAX: u32 = 1_000;
/// Products of one pin or hide list (contract section 12).
pub const RULE_PRODUCTS_MAX: usize = 200;
/// Entries of one boost rule (docs/api.md, "Rules").
pub const RULE_BOOSTS_MAX: usize = 100;
/// Smallest weight of a boost entry (seed, Limits).
pub const BOOST_WEIGHT_MIN: f64 = 0.1;
/// Largest weight of a boost entry (seed, Limits).
pub const BOOST_WEIGHT_MAX: f64 = 100.0;
/// Largest product of all multipliers of a hit, and so the largest factor of one (contract section 6).
pub const MULTIPLIER_MAX: f64 = 1_000_000.0;
/// Letters of the trigger of a rule, a regular expression among them (contract section 6).
pub const TRIGGER_CHARACTERS_MAX: usize = 500;
/// Bytes of one compiled regular expression of a rule.
pub const TRIGGER_REGEX_BYTES_MAX: usize = 128 * 1024;
/// Bytes of all compiled regular expressions of a store's rules together (docs/api.md, "Rules").
pub const STORE_REGEX_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Revisions of one page when the request names no number (contract section 11).
pub const REVISION_PAGE_DEFAULT: u32 = 20;
/// Groups of values of one filter (docs/api.md, "Filters of a store").
pub const FILTER_GROUPS_MAX: usize = 100;
/// Largest place of a filter (docs/api.md, "Filters of a store").
pub const FILTER_POSITION_MAX: u32 = 10_000;
/// Options that a filter may be set to show (docs/api.md, "Filters of a store").
pub const FACET_VALUES_CONFIGURED_MAX: u32 = 1_000;
/// Depth of nesting of a request's JSON.
pub const JSON_DEPTH_MAX: usize = 32;
/// Letters of the id or text of a facet's value.
pub const VALUE_CHARACTERS_MAX: usize = 255;
/// Letters of a name or key of the widget's configuration (docs/api.md, "Widget").
pub const WIDGET_NAME_CHARACTERS_MAX: usize = 64;
/// Entries of one map of the widget's configuration (docs/api.md, "Widget").
pub const WIDGET_KEYS_MAX: usize = 100;
/// Bytes of `defaultSearch` of the widget (docs/api.md, "Widget").
pub const WIDGET_BYTES_MAX: usize = 10_000;
/// Letters of one value of `typography` of the widget (docs/api.md, "Widget").
pub const STYLE_CHARACTERS_MAX: usize = 255;
/// Letters of one translated text of the widget (docs/api.md, "Widget").
pub const TRANSLATION_CHARACTERS_MAX: usize = 1_000;
