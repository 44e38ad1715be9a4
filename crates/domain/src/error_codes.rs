//! The stable codes of errors and rejections (`docs/api.md`, `docs/feed.md`); no other file writes them as literals.

/// Invalid values: 400.
pub const INVALID_REQUEST: &str = "invalid_request";
/// A block exceeds its limit: 400.
pub const TOO_MANY_DOCUMENTS: &str = "too_many_documents";

/// The request has no key: 401.
pub const KEY_MISSING: &str = "key_missing";
/// The key is unknown, deactivated or expired: 401.
pub const KEY_INVALID: &str = "key_invalid";
/// The key is of a kind that is not valid here (401) or not allowed (403).
pub const KEY_KIND: &str = "key_kind";
/// The request has no session, or one that ended: 401.
pub const SESSION_MISSING: &str = "session_missing";
/// E-mail address and password do not let anybody in: 401.
pub const SIGN_IN_FAILED: &str = "sign_in_failed";

/// The key's scope is insufficient: 403.
pub const SCOPE_MISSING: &str = "scope_missing";
/// The key is bound to another store: 403.
pub const STORE_MISMATCH: &str = "store_mismatch";
/// Reserved to the control panel and the command line: 403.
pub const RESERVED: &str = "reserved";
/// The store is suspended or paused: 403.
pub const STORE_SUSPENDED: &str = "store_suspended";
/// A limit of the plan is exceeded: 403, or the rejection of a single document or language.
pub const PLAN_LIMIT: &str = "plan_limit";
/// The role of the user is too small: 403.
pub const ROLE_MISSING: &str = "role_missing";
/// The password has to be given again: 403.
pub const PASSWORD_NEEDED: &str = "password_needed";
/// The tool server is not reached under this host, or not from this origin: 403.
pub const HOST_NOT_ALLOWED: &str = "host_not_allowed";
/// The control panel is not reached under this host: 403.
pub const HOST_UNKNOWN: &str = "host_unknown";
/// A page of another site calls the control panel: 403.
pub const CROSS_SITE: &str = "cross_site";

/// The resource does not exist, or belongs to another account: 404.
pub const NOT_FOUND: &str = "not_found";
/// The path does not support the method: 405.
pub const METHOD_NOT_ALLOWED: &str = "method_not_allowed";
/// `Accept` does not allow the media type of the response: 406.
pub const NOT_ACCEPTABLE: &str = "not_acceptable";
/// The body arrives too slowly: 408.
pub const REQUEST_TIMEOUT: &str = "request_timeout";

/// The request conflicts with the current state: 409.
pub const CONFLICT: &str = "conflict";
/// There is no index of this type and language: 409.
pub const INDEX_MISSING: &str = "index_missing";
/// The write moves more of what is watched than the gate of the store lets through: 409.
pub const IMPACT_EXCEEDED: &str = "impact_exceeded";
/// Another run is open on a scope: 409.
pub const RUN_OPEN: &str = "run_open";

/// The run has ended or never existed: 410.
pub const RUN_GONE: &str = "run_gone";
/// The link is unknown, used, revoked or over: 410.
pub const LINK_GONE: &str = "link_gone";
/// The state is not the one that the write expects: 412.
pub const PRECONDITION_FAILED: &str = "precondition_failed";
/// The body has too many bytes: 413.
pub const PAYLOAD_TOO_LARGE: &str = "payload_too_large";
/// The body has another media type or coding: 415.
pub const UNSUPPORTED_MEDIA_TYPE: &str = "unsupported_media_type";
/// A rate limit is exceeded: 429.
pub const RATE_LIMITED: &str = "rate_limited";

/// An unexpected failure: 500.
pub const INTERNAL: &str = "internal";
/// Temporarily unavailable: 503.
pub const UNAVAILABLE: &str = "unavailable";

/// A document of a block is invalid; it is rejected alone.
pub const INVALID_DOCUMENT: &str = "invalid_document";
/// A document has no name; it is rejected alone.
pub const NAME_MISSING: &str = "name_missing";
/// A page has no title; it is rejected alone.
pub const TITLE_MISSING: &str = "title_missing";

/// The secret of a source was dropped, or was sealed with another key.
pub const SECRET_MISSING: &str = "secret_missing";
