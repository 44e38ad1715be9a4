//! The limits, with their units and the pages that document them.

/// Largest value of a boost (docs/api.md, "Relevance").
pub const BOOST_MAX: f64 = 200.0;
/// Recommended maximum of a boost, above which the advice warns (docs/api.md, "Relevance").
pub const BOOST_RECOMMENDED_MAX: f64 = 20.0;
/// Documents in one bulk or ids in one delete (docs/feed.md).
pub const BLOCK_DOCUMENTS_MAX: usize = 500;
/// Bytes of a feed block after decompression (docs/feed.md).
pub const BLOCK_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Bytes of any other request body (docs/api.md, "Limits").
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
/// Characters of a key, name or value of the client's that an error shows.
pub const SHOWN_CHARACTERS_MAX: usize = 80;
/// Bytes of an error response (docs/api.md).
pub const ERROR_BYTES_MAX: usize = 64 * 1024;
/// Items of one touch (docs/feed.md).
pub const TOUCH_ITEMS_MAX: usize = 2_000;
/// Characters of a query (docs/api.md, "Search").
pub const QUERY_CHARACTERS_MAX: usize = 500;
/// Words of a query that are searched (docs/relevance.md).
pub const QUERY_WORDS_MAX: usize = 32;
/// Fewest characters of a language code (docs/feed.md, "Languages").
pub const LANGUAGE_CHARACTERS_MIN: usize = 2;
/// Most characters of a language code (docs/feed.md, "Languages").
pub const LANGUAGE_CHARACTERS_MAX: usize = 5;
/// Characters of a locale such as `es-ES` (docs/feed.md).
pub const LOCALE_CHARACTERS_MAX: usize = 35;
/// Characters of the id of a shopper's session (docs/api.md, "Search").
pub const SESSION_ID_CHARACTERS_MAX: usize = 128;
/// Hits of one simulation (docs/api.md, "Simulator").
pub const SIMULATOR_LIMIT_MAX: u32 = 500;
/// Default number of hits of one simulation (docs/api.md, "Simulator").
pub const SIMULATOR_LIMIT_DEFAULT: u32 = 20;
/// Queries of a simulation of several.
pub const SIMULATED_QUERIES_MAX: usize = 25;
/// Hits that a simulation of moves compares at most.
pub const MOVES_LIMIT_MAX: u32 = 50;
/// Hits that a simulation of moves compares if the request does not say.
pub const MOVES_LIMIT_DEFAULT: u32 = 10;
/// Hits of one page of a search (docs/api.md, "Search").
pub const SEARCH_LIMIT_MAX: u32 = 100;
/// Default number of hits of one page of a search (docs/api.md, "Search").
pub const SEARCH_LIMIT_DEFAULT: u32 = 24;
/// Hits of each type of one suggestion (docs/api.md, "Suggest").
pub const SUGGEST_LIMIT_MAX: u32 = 20;
/// Default number of hits of each type of one suggestion (docs/api.md, "Suggest").
pub const SUGGEST_LIMIT_DEFAULT: u32 = 6;
/// The last hit that paging reaches: `page × limit` (docs/api.md, "Paging").
pub const SEARCH_DEPTH_MAX: u32 = 10_000;
/// Values of one facet in a response (docs/api.md, "Facets").
pub const FACET_VALUES_MAX: usize = 50;
/// Values that one filter of a search may name (docs/api.md, "Filters").
pub const FILTER_VALUES_MAX: usize = 200;
/// Filters of a store, and fields that one search may filter by (docs/api.md, "Filters").
pub const FILTERS_MAX: usize = 64;
/// Groups of attributes and features among the automatic facets (docs/api.md, "Facets").
pub const FACET_GROUPS_MAX: usize = 15;
/// Characters of a store's name (docs/api.md, "Account and stores").
pub const STORE_NAME_CHARACTERS_MAX: usize = 255;
/// Characters of the name of an account or key (docs/cli.md).
pub const NAME_CHARACTERS_MAX: usize = 255;
/// Characters of an e-mail address (docs/panel.md).
pub const EMAIL_CHARACTERS_MAX: usize = 254;
/// Fewest characters of a password (docs/panel.md).
pub const PASSWORD_CHARACTERS_MIN: usize = 12;
/// Most characters of a password (docs/panel.md).
pub const PASSWORD_CHARACTERS_MAX: usize = 128;
/// Characters of an address or password that is read to be compared: longer ones are never right.
pub const SIGN_IN_CHARACTERS_MAX: usize = 1_000;
/// Characters of the token of a one-time link that is read to be compared.
pub const LINK_TOKEN_CHARACTERS_MAX: usize = 100;
/// Characters of the search text of the panel's list of stores.
pub const STORE_SEARCH_CHARACTERS_MAX: usize = 100;
/// Stores of one page of the panel.
pub const PANEL_STORES_LIMIT_MAX: u32 = 100;
/// Default number of stores of one page of the panel.
pub const PANEL_STORES_LIMIT_DEFAULT: u32 = 50;
/// Records of one page of the audit trail in the panel.
pub const PANEL_AUDIT_LIMIT_MAX: u32 = 200;
/// Default number of records of one page of the audit trail in the panel.
pub const PANEL_AUDIT_LIMIT_DEFAULT: u32 = 50;
/// Characters of a text that selects records of the audit trail.
pub const AUDIT_TEXT_CHARACTERS_MAX: usize = 255;
/// Bytes of the changes of a record that a page of the audit trail contains; larger ones are left out.
pub const AUDIT_CHANGES_SHOWN_BYTES: usize = 64 * 1024;
/// Stores of an account whose users create them, unless the operator has set another number (docs/panel.md).
pub const ACCOUNT_STORES_DEFAULT: u32 = 100;
/// Stores of an account that the operator may allow its users.
pub const ACCOUNT_STORES_MAX: u32 = 100_000;
/// Rejected documents that are kept of each index (docs/panel.md).
pub const REJECTIONS_MAX: u32 = 100;
/// Characters that are kept of the message of a rejected document.
pub const REJECTION_CHARACTERS_MAX: usize = 500;
/// Days for which a closed store can be reopened (docs/panel.md).
pub const CLOSED_STORE_DAYS: i64 = 7;
/// Stores that a membership may name.
pub const MEMBER_STORES_MAX: usize = 1_000;
/// Members of an account (docs/panel.md).
pub const MEMBERS_MAX: usize = 100;
/// Characters of an absolute URL: `devUrl`, `url`, `image`.
pub const URL_CHARACTERS_MAX: usize = 2_048;
/// Characters of a document's id.
pub const DOCUMENT_ID_CHARACTERS_MAX: usize = 255;
/// Characters of a document's hash.
pub const DOCUMENT_HASH_CHARACTERS_MAX: usize = 255;
/// Characters of one text of a document that are stored and indexed (docs/feed.md, "Limits of documents").
pub const TEXT_CHARACTERS_MAX: usize = 20_000;
/// Characters of a code that is indexed; a longer one is only stored.
pub const CODE_CHARACTERS_MAX: usize = 128;
/// Characters of a document's name or title; a longer one is cut (docs/feed.md, "Limits of documents").
pub const DOCUMENT_NAME_CHARACTERS_MAX: usize = 1_000;
/// Characters of a label of a document (brand, supplier, tag, category, group, value) or of its id; a longer one is
/// cut, so filters need no longer ones.
pub const LABEL_CHARACTERS_MAX: usize = 255;
/// Characters of a code of a document; a longer one is left out (docs/feed.md, "Limits of documents").
pub const STORED_CODE_CHARACTERS_MAX: usize = 255;
/// Entries of a list of a document; further ones are left out (docs/feed.md, "Limits of documents").
pub const DOCUMENT_LIST_ENTRIES_MAX: usize = 1_000;
/// Price fields of a document; one with more is rejected (docs/feed.md, "Limits of documents").
pub const PRICE_FIELDS_MAX: usize = 1_000;
/// Bytes of a document as it is stored; a larger one is rejected (docs/feed.md, "Limits of documents").
pub const DOCUMENT_BYTES_MAX: usize = 256 * 1024;
/// Characters of an analysed word; a longer one is cut.
pub const WORD_CHARACTERS_MAX: usize = 64;
/// Hours after its last use at which an open run expires (docs/feed.md).
pub const RUN_IDLE_HOURS: i64 = 48;
/// Percentage of a scope's documents that a purge may delete without confirmation (docs/feed.md).
pub const PURGE_PERCENT_MAX: u64 = 30;
/// Documents that a purge may delete without confirmation, whatever their percentage (docs/feed.md).
pub const PURGE_DOCUMENTS_MAX: u64 = 50;
/// Runs of a store that are listed (docs/cli.md).
pub const RUNS_LISTED_MAX: u32 = 100;
/// Hours for which a deletion mark blocks an older upsert (docs/feed.md).
pub const DELETION_MARK_HOURS: i64 = 24;
/// Marks of deleted documents that an index keeps; the oldest are removed first (docs/feed.md).
pub const DELETION_MARKS_MAX: u64 = 100_000;
/// Days for which a run is stored after it ended (docs/feed.md).
pub const RUN_KEPT_DAYS: i64 = 30;
/// Characters of the id of a run, and of the connector's own id of it (docs/feed.md).
pub const RUN_ID_CHARACTERS_MAX: usize = 64;
/// Characters of the address of a source (docs/import.md).
pub const SOURCE_URL_CHARACTERS_MAX: usize = 2_048;
/// Sources of a store.
pub const SOURCES_MAX: usize = 10;
/// Fetches that are kept of a source.
pub const SOURCE_FETCHES_KEPT: u32 = 30;
/// Least minutes from one fetch of a source to the next.
pub const SOURCE_INTERVAL_MINUTES_MIN: u32 = 15;
/// Most minutes from one fetch of a source to the next: a week.
pub const SOURCE_INTERVAL_MINUTES_MAX: u32 = 10_080;
/// Minutes from one fetch of a source to the next, unless it says otherwise.
pub const SOURCE_INTERVAL_MINUTES_DEFAULT: u32 = 240;
/// Characters of the password or header value of a source.
pub const SOURCE_SECRET_CHARACTERS_MAX: usize = 4_096;
/// Characters of the user name of a source.
pub const SOURCE_USER_CHARACTERS_MAX: usize = 255;
/// Characters of the header name of a source.
pub const SOURCE_HEADER_CHARACTERS_MAX: usize = 64;
/// Bytes of the mapping of a source, as JSON.
pub const SOURCE_MAPPING_BYTES_MAX: usize = 65_536;
/// Days for which a run of a connector keeps a complete source out of its type and language.
pub const SOURCE_CONNECTOR_DAYS: i64 = 30;
/// Seconds from one request to fetch a source now to the next.
pub const SOURCE_REQUEST_SECONDS: i64 = 60;
/// Seconds for which a node holds a source that it fetches, unless it extends that.
pub const SOURCE_LEASE_SECONDS: i64 = 600;
/// Minutes after the first failures of a source; after further ones it is the interval.
pub const SOURCE_RETRY_MINUTES: [i64; 3] = [5, 15, 60];
/// Least minutes after a fetch until the next one because a sale begins or ends.
pub const SOURCE_SALE_MINUTES: i64 = 15;
/// Characters of the name of an unknown field; a longer one is cut.
pub const UNKNOWN_FIELD_CHARACTERS_MAX: usize = 255;
/// Names of unknown fields that are counted of one document, and of one scope of a run.
pub const UNKNOWN_FIELDS_COUNTED_MAX: usize = 100;
/// Characters of the id of an installation (docs/feed.md).
pub const INSTANCE_ID_CHARACTERS_MAX: usize = 64;
/// Characters of a connector's client header that are stored.
pub const CLIENT_CHARACTERS_MAX: usize = 255;
/// Installations of a store; another one ends the one whose key searched least recently (docs/feed.md).
pub const INSTALLATIONS_MAX: usize = 20;
/// Currencies of a declaration (docs/feed.md, "Declarations").
pub const CURRENCIES_MAX: usize = 100;
/// Digits after the point of a currency (docs/feed.md, "Declarations").
pub const CURRENCY_DECIMALS_MAX: u8 = 6;
/// Characters of the symbol of a currency (docs/feed.md, "Declarations").
pub const CURRENCY_SYMBOL_CHARACTERS_MAX: usize = 16;
/// Customer groups with their own prices (docs/feed.md, "Declarations").
pub const PRICE_TIERS_MAX: usize = 200;
/// Digits of the id of a customer group with its own prices (docs/feed.md, "Declarations").
pub const PRICE_GROUP_DIGITS_MAX: usize = 20;
/// Countries with their own prices (docs/feed.md, "Declarations").
pub const PRICE_COUNTRIES_MAX: usize = 300;
/// Customer groups that see different documents (docs/feed.md, "Declarations").
pub const ACCESS_GROUPS_MAX: usize = 1_000;
/// Characters of the id of such a group (docs/feed.md, "Declarations").
pub const ACCESS_GROUP_ID_CHARACTERS_MAX: usize = 64;
/// Total bytes of the changes of a store's configuration on one day (docs/api.md, "Limits").
pub const CHANGED_BYTES_PER_DAY: u64 = 64 * 1024 * 1024;
/// Total bytes of the synonym groups, rules, filters and the widget of a store (docs/api.md, "Limits").
pub const CONFIGURATION_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Languages of the synonym groups and rules of a store (docs/api.md, "Limits").
pub const RECORD_LANGUAGES_MAX: u64 = 64;
/// Hours for which a rotated public key still works (docs/feed.md).
pub const ROTATION_GRACE_HOURS: i64 = 24;
/// Maximum lifetime of a visitor token in seconds (docs/feed.md, "Who is searching").
pub const VISITOR_TOKEN_SECONDS_MAX: i64 = 3_600;
/// Bytes of a visitor token; a longer one is ignored (docs/api.md).
pub const VISITOR_TOKEN_BYTES_MAX: usize = 8_192;
/// Milliseconds of index lag from which the feed's responses are delayed (docs/feed.md).
pub const FEED_LAG_DELAY_MS: u64 = 1_000;
/// Milliseconds of index lag from which the feed's writes fail (docs/feed.md).
pub const FEED_LAG_REFUSE_MS: u64 = 2_000;
/// Languages of a store whose plan does not limit them (docs/feed.md).
pub const STORE_LANGUAGES_MAX: usize = 64;
/// Attempts with bad keys of one address within a minute (docs/operations.md, "Bad keys").
pub const FAILED_ATTEMPTS_PER_MINUTE: u32 = 60;
/// Requests of a key within a minute; for a search-only key, per client address (docs/operations.md, "Limits of keys").
pub const REQUESTS_PER_MINUTE: u32 = 600;
/// Configuration writes of a key within a minute (docs/operations.md, "Limits of keys").
pub const WRITES_PER_MINUTE: u32 = 120;
/// Records of the audit trail in one list (docs/cli.md).
pub const AUDIT_LIMIT_MAX: u32 = 1_000;
/// Synonym groups of a store in one language (docs/api.md, "Synonyms").
pub const SYNONYMS_MAX: usize = 5_000;
/// Terms of one synonym group (docs/api.md, "Synonyms").
pub const SYNONYM_TERMS_MAX: usize = 200;
/// Fewest different terms of a group whose terms are equivalent (docs/api.md, "Synonyms").
pub const EQUIVALENT_TERMS_MIN: usize = 2;
/// Characters of one term or input of a synonym group (docs/api.md, "Synonyms").
pub const SYNONYM_CHARACTERS_MAX: usize = 255;
/// Synonym groups of one page (docs/api.md, "Synonyms").
pub const SYNONYM_PAGE_MAX: u32 = 100;
/// Default number of synonym groups of one page (docs/api.md, "Synonyms").
pub const SYNONYM_PAGE_DEFAULT: u32 = 20;
/// Characters of the text that synonym groups are filtered by (docs/api.md, "Synonyms").
pub const SYNONYM_SEARCH_CHARACTERS_MAX: usize = 100;
/// Rules of a store in one language (docs/api.md, "Rules").
pub const RULES_MAX: usize = 1_000;
/// Largest priority of a rule (docs/api.md, "Rules").
pub const RULE_PRIORITY_MAX: u32 = 1_000;
/// Products of one pin or hide list (docs/api.md, "Rules").
pub const RULE_PRODUCTS_MAX: usize = 200;
/// Entries of one boost rule (docs/api.md, "Rules").
pub const RULE_BOOSTS_MAX: usize = 100;
/// Smallest weight of a boost entry (docs/api.md, "Rules").
pub const BOOST_WEIGHT_MIN: f64 = 0.1;
/// Largest weight of a boost entry (docs/api.md, "Rules").
pub const BOOST_WEIGHT_MAX: f64 = 100.0;
/// Largest product of all multipliers of a hit, and so the largest factor of one (docs/relevance.md, "Rules").
pub const MULTIPLIER_MAX: f64 = 1_000_000.0;
/// Characters of the text of a banner (docs/api.md, "Rules").
pub const BANNER_TEXT_CHARACTERS_MAX: usize = 200;
/// Characters of the name of a time zone (docs/api.md, "Rules").
pub const TIME_ZONE_CHARACTERS_MAX: usize = 64;
/// Characters of a date of a rule, as it is sent.
pub const DATE_CHARACTERS_MAX: usize = 64;
/// Characters of the trigger of a rule, including regular expressions (docs/api.md, "Rules").
pub const TRIGGER_CHARACTERS_MAX: usize = 500;
/// Bytes of one compiled regular expression of a rule.
pub const TRIGGER_REGEX_BYTES_MAX: usize = 128 * 1024;
/// Bytes of all compiled regular expressions of a store's rules together (docs/api.md, "Rules").
pub const STORE_REGEX_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Revisions of one page (docs/api.md, "Revisions").
pub const REVISION_PAGE_MAX: u32 = 100;
/// Characters of the JSON of the changes that an outline of a revision has (docs/panel.md, "Words").
pub const OUTLINE_CHARACTERS_MAX: usize = 8_192;
/// Default number of revisions of one page (docs/api.md, "Revisions").
pub const REVISION_PAGE_DEFAULT: u32 = 20;
/// Records that one draft may change (docs/panel.md, "Drafts").
pub const DRAFT_RECORDS_MAX: usize = 500;
/// Open proposals of a store (docs/api.md, "Proposals").
pub const OPEN_PROPOSALS_MAX: usize = 50;
/// Decided, withdrawn and expired proposals of a store that are kept.
pub const ENDED_PROPOSALS_MAX: usize = 500;
/// Bytes of the content of a proposal as JSON.
pub const PROPOSAL_BYTES_MAX: usize = 256 * 1024;
/// Bytes of a proposal as it is stored, with the values before and after.
pub const STORED_PROPOSAL_BYTES_MAX: usize = 1024 * 1024;
/// How long a proposal is open, in milliseconds.
pub const PROPOSAL_OPEN_MS: i64 = 30 * 24 * 60 * 60 * 1_000;
/// How long a proposal is kept once it is not open any more, in milliseconds.
pub const ENDED_PROPOSAL_MS: i64 = 90 * 24 * 60 * 60 * 1_000;
/// Characters of the id of a proposal.
pub const PROPOSAL_ID_CHARACTERS_MAX: usize = 64;
/// Characters of the entity tag of a proposal.
pub const PROPOSAL_ETAG_CHARACTERS_MAX: usize = 128;
/// Proposals of a page unless the request says otherwise.
pub const PROPOSAL_PAGE_DEFAULT: u32 = 20;
/// Most proposals of a page.
pub const PROPOSAL_PAGE_MAX: u32 = 100;
/// Characters of the note of a revision (docs/panel.md, "Drafts").
pub const REVISION_NOTE_CHARACTERS_MAX: usize = 500;
/// The largest share of watched queries that a gate lets through, in percent (docs/api.md, "The gate").
pub const GATE_PERCENT_MAX: u8 = 100;
/// Parts of a configuration (docs/panel.md, "Restore").
pub const CONFIGURATION_PARTS: usize = 7;
/// Parts of a configuration file (docs/api.md, "The configuration as one file").
pub const CONFIGURATION_FILE_PARTS: usize = 8;
/// Bytes of a configuration file, decompressed (docs/api.md, "The configuration as one file").
pub const CONFIGURATION_FILE_BYTES_MAX: usize = 20 * 1024 * 1024;
/// Records of each kind in a configuration file, more than a store can have (docs/api.md, "The configuration as one file").
pub const CONFIGURATION_FILE_RECORDS_MAX: usize = 400_000;
/// Characters of the id of a record in a configuration file (docs/api.md, "The configuration as one file").
pub const RECORD_ID_CHARACTERS_MAX: usize = 64;
/// Ids that the response to an import lists (docs/api.md, "The configuration as one file").
pub const IMPORTED_IDS_MAX: usize = 1_000;
/// Resources that one restore may name (docs/panel.md, "Restore").
pub const RESTORED_RESOURCES_MAX: usize = 600;
/// Cards of one preview (docs/panel.md, "Preview").
pub const PREVIEW_CARDS_MAX: u32 = 100;
/// Default number of cards of one preview (docs/panel.md, "Preview").
pub const PREVIEW_CARDS_DEFAULT: u32 = 48;
/// Products, and records, that one request may ask the names of (docs/panel.md, "Words").
pub const NAMES_MAX: usize = 50;
/// Products that one request may explain (docs/panel.md, "Preview").
pub const EXPLAINED_IDS_MAX: usize = 2;
/// Watched queries of a store (docs/panel.md, "Watched queries").
pub const WATCHED_QUERIES_MAX: usize = 200;
/// Watched queries of one preview (docs/panel.md, "Watched queries").
pub const WATCHED_PREVIEW_MAX: u32 = 25;
/// Hits of a watched query that are compared (docs/panel.md, "Watched queries").
pub const WATCHED_HITS: u32 = 10;
/// Previews of a user within a minute (docs/panel.md, "Limits").
pub const PREVIEWS_PER_MINUTE: u32 = 3_000;
/// Previews of a session at once (docs/panel.md, "Limits").
pub const PREVIEWS_AT_ONCE: u32 = 2;
/// Records of one page of a tool whose operation returns them all (docs/mcp.md).
pub const TOOL_PAGE_MAX: u32 = 100;
/// Characters of the name of a field that a filter or a boost depends on.
pub const FIELD_CHARACTERS_MAX: usize = 255;
/// Groups of values of one filter (docs/api.md, "Filters of a store").
pub const FILTER_GROUPS_MAX: usize = 100;
/// Largest position of a filter (docs/api.md, "Filters of a store").
pub const FILTER_POSITION_MAX: u32 = 10_000;
/// Largest configured number of options of a filter (docs/api.md, "Filters of a store").
pub const FACET_VALUES_CONFIGURED_MAX: u32 = 1_000;
/// Depth of nesting of a request's JSON.
pub const JSON_DEPTH_MAX: usize = 32;
/// Characters of the id or text of a facet's value.
pub const VALUE_CHARACTERS_MAX: usize = 255;
/// Characters of a name or key of the widget's configuration (docs/api.md, "Widget").
pub const WIDGET_NAME_CHARACTERS_MAX: usize = 64;
/// Entries of one map of the widget's configuration (docs/api.md, "Widget").
pub const WIDGET_KEYS_MAX: usize = 100;
/// Bytes of `colors`, `typography` or `features` of the widget as JSON (docs/api.md, "Widget").
pub const WIDGET_MAP_BYTES_MAX: usize = 24 * 1024;
/// Texts of one language of `translations` of the widget (docs/api.md, "Widget").
pub const TRANSLATION_KEYS_MAX: usize = 300;
/// Bytes of the texts of one language of `translations` as JSON (docs/api.md, "Widget").
pub const TRANSLATION_BYTES_MAX: usize = 128 * 1024;
/// Hits of `defaultSearch` of the widget (docs/api.md, "Widget").
pub const DEFAULT_SEARCH_LIMIT_MAX: u32 = 48;
/// Bytes of the data of the configuration that the widget reads (docs/widget-service.md).
pub const WIDGET_CONFIG_BYTES_MAX: usize = 256 * 1024;
/// Characters of a platform's name (docs/api.md, "Account and stores").
pub const PLATFORM_CHARACTERS_MAX: usize = 32;
/// Characters of the notes of a release in one language (docs/operations.md, "Releases of the shop module").
pub const RELEASE_NOTE_CHARACTERS_MAX: usize = 10_000;
/// Bytes of the description of a release (docs/operations.md, "Releases of the shop module").
pub const RELEASE_ABOUT_BYTES_MAX: u64 = 1024 * 1024;
/// Bytes of the archive of a release (docs/operations.md, "Releases of the shop module").
pub const RELEASE_ZIP_BYTES_MAX: u64 = 32 * 1024 * 1024;
/// Bytes of all archives together, which are kept in memory (docs/operations.md, "Releases of the shop module").
pub const RELEASES_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// Platforms that have releases (docs/operations.md, "Releases of the shop module").
pub const RELEASE_PLATFORMS_MAX: usize = 32;
/// Releases of one platform, the highest versions (docs/operations.md, "Releases of the shop module").
pub const RELEASES_OF_PLATFORM_MAX: usize = 10;
/// Bytes of `customCSS` and of `customJS` of a store (docs/widget-service.md).
pub const CUSTOM_CODE_BYTES_MAX: usize = 64 * 1024;
/// Former versions of `customCSS` and of `customJS` that a store keeps (docs/widget-service.md).
pub const CUSTOM_CODE_FORMER_MAX: i64 = 20;
/// Bytes of `defaultSearch` of the widget (docs/api.md, "Widget").
pub const WIDGET_BYTES_MAX: usize = 10_000;
/// Largest value of `minChars` of the widget (docs/api.md, "Widget").
pub const WIDGET_MIN_CHARACTERS_MAX: u32 = 10;
/// Characters of a colour of the widget.
pub const COLOUR_CHARACTERS_MAX: usize = 64;
/// Characters of one value of `typography` of the widget (docs/api.md, "Widget").
pub const STYLE_CHARACTERS_MAX: usize = 255;
/// Characters of one translated text of the widget (docs/api.md, "Widget").
pub const TRANSLATION_CHARACTERS_MAX: usize = 1_000;
/// Events of one request (docs/api.md, "Events").
pub const EVENTS_MAX: usize = 50;
/// Bytes of a body of events (docs/api.md, "Events").
pub const EVENTS_BODY_BYTES_MAX: usize = 64 * 1024;
/// Characters of the id of a response (docs/api.md, "Events").
pub const QUERY_ID_CHARACTERS_MAX: usize = 64;
/// Largest position of an event (docs/api.md, "Events").
pub const EVENT_POSITION_MAX: u32 = 10_000;
/// Days for which events of a response count (docs/api.md, "Events").
pub const QUERY_ID_DAYS: i64 = 7;
/// Events of one response that count (docs/api.md, "Events").
pub const EVENTS_OF_QUERY_MAX: usize = 50;
/// Default number of days of statistics (docs/api.md, "Analytics").
pub const ANALYTICS_DAYS_DEFAULT: i64 = 30;
/// Days of one request for statistics (docs/api.md, "Analytics").
pub const ANALYTICS_DAYS_MAX: i64 = 366;
/// Default number of queries of one page of statistics (docs/api.md, "Analytics").
pub const ANALYTICS_PAGE_DEFAULT: u32 = 20;
/// Queries of one page of statistics (docs/api.md, "Analytics").
pub const ANALYTICS_PAGE_MAX: u32 = 100;
/// Hidden queries of a store (docs/api.md, "Suggest").
pub const HIDDEN_QUERIES_MAX: usize = 200;
/// Characters of a hidden query (docs/api.md, "Suggest").
pub const HIDDEN_QUERY_CHARACTERS_MAX: usize = 100;
/// Characters of a query that the search log keeps (docs/privacy.md).
pub const LOGGED_QUERY_CHARACTERS_MAX: usize = 100;
/// Default number of days for which the search log keeps queries (docs/privacy.md).
pub const SEARCH_LOG_DAYS: u32 = 90;
/// Days for which the search log keeps totals, and the most for queries (docs/privacy.md).
pub const SEARCH_LOG_DAYS_MAX: u32 = 730;
/// Default number of bytes of the search log (docs/operations.md).
pub const SEARCH_LOG_BYTES_MAX: u64 = 2 * 1024 * 1024 * 1024;
/// Different queries of a store that are logged on one day; others count in the totals (docs/operations.md).
pub const LOGGED_QUERIES_PER_DAY: u64 = 2_000;
/// Rows of queries of a store in the search log (docs/operations.md).
pub const LOGGED_ROWS_MAX: u64 = 100_000;
/// Marks of counted events of a store in the search log (docs/operations.md).
pub const EVENT_MARKS_MAX: u64 = 1_000_000;

/// Names of unknown fields that an import or a block reports.
pub const UNKNOWN_FIELDS_MAX: usize = 20;

/// Bytes of a file that the control panel imports, as received (docs/import.md).
pub const IMPORT_BYTES_MAX: u64 = 1 << 30;
/// Characters of the name of a file (docs/import.md).
pub const IMPORT_NAME_CHARACTERS_MAX: usize = 255;
/// Characters of an address or its template in the mapping of a file (docs/import.md).
pub const IMPORT_TEMPLATE_CHARACTERS_MAX: usize = 2_048;
/// Files that a process receives or reads at once (docs/import.md).
pub const IMPORTS_OPEN_MAX: usize = 4;
/// Files of imports that a process reads at once (docs/import.md).
pub const IMPORTS_READ_MAX: usize = 2;
/// Imports of a store that are listed (docs/import.md).
pub const IMPORTS_LISTED_MAX: u32 = 20;
/// Hours after which the file of an import is removed (docs/import.md).
pub const IMPORT_FILE_HOURS: i64 = 24;
/// Days for which results of imports are kept (docs/import.md).
pub const IMPORT_RESULT_DAYS: i64 = 30;
/// Days for which pages of a shop that were seen count (docs/panel.md).
pub const PAGES_SEEN_DAYS: i64 = 30;

/// Characters by which values of a field are sought (docs/api.md, "Filters").
pub const VALUE_SEARCH_CHARACTERS_MAX: usize = 100;
/// Largest page of the values of a field (docs/api.md, "Filters").
pub const VALUE_PAGE_MAX: u32 = 100;
/// Values of a page when the request names no limit (docs/api.md, "Filters").
pub const VALUE_PAGE_DEFAULT: u32 = 20;
