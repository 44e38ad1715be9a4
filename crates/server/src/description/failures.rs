//! Every refusal and failure (contract section 1), as the components that operations refer to.

use super::value::{object, reference};
use serde_json::{Value, json};

/// One status: name of its component, what it means, and an example for each of its codes.
type ErrorStatus = (
    u16,
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

const FAILURES: [ErrorStatus; 14] = [
    (
        400,
        "BadRequest",
        "The request is not valid; `errors` lists everything that is wrong.",
        &[
            (
                "invalid_request",
                "boosts.name: must be between 0 and 200, got 350",
            ),
            (
                "too_many_documents",
                "documents: at most 500 at once, got 501",
            ),
        ],
    ),
    (
        401,
        "Unauthorized",
        "No key, one that does not work, or one of a kind that is not for this interface.",
        &[
            (
                "key_missing",
                "send a key in the header X-API-Key or in Authorization: Bearer",
            ),
            ("key_invalid", "the key is not valid"),
            ("key_kind", "this needs a configuration key"),
        ],
    ),
    (
        403,
        "Forbidden",
        "The key is valid and may not do this.",
        &[
            (
                "scope_missing",
                "the key's scope is too small; this needs config:write",
            ),
            ("store_mismatch", "the key is bound to another store"),
            ("reserved", "url: can be changed only in the control panel"),
            ("plan_limit", "the plan allows 2 languages"),
            ("key_kind", "a key of this kind may not do this"),
            ("store_suspended", "the store is suspended"),
        ],
    ),
    (
        404,
        "NotFound",
        "No such resource, or it belongs to another account.",
        &[("not_found", "no such store")],
    ),
    (
        406,
        "NotAcceptable",
        "`Accept` takes no JSON.",
        &[("not_acceptable", "answers are application/json")],
    ),
    (
        408,
        "RequestTimeout",
        "The body arrives too slowly.",
        &[("request_timeout", "the body took too long")],
    ),
    (
        409,
        "Conflict",
        "A state that the request cannot apply to.",
        &[
            ("conflict", "there is one like it already"),
            (
                "index_missing",
                "there is no index of this type and language; create it first",
            ),
            ("run_open", "another run is open"),
        ],
    ),
    (
        410,
        "Gone",
        "The run has ended or never was.",
        &[("run_gone", "the run has ended or never was")],
    ),
    (
        412,
        "PreconditionFailed",
        "`If-Match` no longer holds.",
        &[(
            "precondition_failed",
            "If-Match no longer holds, because this was changed meanwhile; read it again",
        )],
    ),
    (
        413,
        "PayloadTooLarge",
        "The body is too large.",
        &[("payload_too_large", "the body has more than 1048576 bytes")],
    ),
    (
        415,
        "UnsupportedMediaType",
        "The body is no JSON, or packed in a way that is not taken here.",
        &[(
            "unsupported_media_type",
            "the body must be application/json",
        )],
    ),
    (
        429,
        "TooManyRequests",
        "More often than allowed; `Retry-After` and `retryAfter` say when to come again.",
        &[(
            "rate_limited",
            "more than 600 requests in a minute; try again in 12 s",
        )],
    ),
    (
        500,
        "InternalError",
        "Something went wrong on the server; `requestId` helps to find out what.",
        &[(
            "internal",
            "something went wrong on the server; the request id helps to find out what",
        )],
    ),
    (
        503,
        "Unavailable",
        "The same may succeed a little later.",
        &[(
            "unavailable",
            "the service is not available for a moment; try again",
        )],
    ),
];

/// A reference to the component of `status`.
pub fn response(status: u16) -> Value {
    let known = FAILURES.iter().find(|(of, ..)| *of == status);
    let (_, name, ..) = known.expect("every status that an operation names has its row");
    reference("responses", name)
}

/// The components of all failures.
pub fn components() -> Value {
    object(FAILURES.iter().map(|failure| {
        let (status, name, description, codes) = failure;
        let examples = codes.iter().map(|(code, message)| {
            (
                (*code).to_owned(),
                json!({"value": example(*status, code, message)}),
            )
        });
        let mut component = json!({
            "description": description,
            "headers": {"X-Request-Id": reference("headers", "X-Request-Id")},
            "content": {"application/json": {
                "schema": reference("schemas", "Failure"),
                "examples": object(examples),
            }},
        });
        for header in headers(*status) {
            component["headers"][*header] = reference("headers", header);
        }
        ((*name).to_owned(), component)
    }))
}

fn headers(status: u16) -> &'static [&'static str] {
    match status {
        401 => &["WWW-Authenticate"],
        429 => &[
            "Retry-After",
            "X-RateLimit-Limit",
            "X-RateLimit-Remaining",
            "X-RateLimit-Reset",
        ],
        503 => &["Retry-After"],
        _ => &[],
    }
}

fn example(status: u16, code: &str, message: &str) -> Value {
    let mut failure = json!({"success": false, "code": code, "message": message});
    if (status == 400 || code == "reserved")
        && let Some((field, reason)) = message.split_once(": ")
    {
        failure["errors"] = json!([{"field": field, "reason": reason}]);
    }
    match status {
        429 => failure["retryAfter"] = json!(12),
        500 => failure["requestId"] = json!("req_9f86d081884c7d65_1a"),
        503 => {
            failure["retryAfter"] = json!(1);
            failure["requestId"] = json!("req_9f86d081884c7d65_1a");
        }
        _ => {}
    }
    failure
}

/// The schema of a failure's body.
pub fn schema() -> Value {
    let codes = FAILURES.iter().flat_map(|(.., codes)| codes.iter());
    let mut codes: Vec<&str> = codes.map(|(code, _)| *code).collect();
    codes.sort_unstable();
    codes.dedup();
    json!({
        "type": "object",
        "description": "A request that was refused, or that failed.",
        "properties": {
            "success": {"const": false},
            "code": {"type": "string", "enum": codes, "description": "Stable; decide by it."},
            "message": {"type": "string", "description": "What is wrong, for people."},
            "errors": {
                "type": "array",
                "description": "All that is wrong, each with its path in the request.",
                "items": {
                    "type": "object",
                    "properties": {"field": {"type": "string"}, "reason": {"type": "string"}},
                    "required": ["field", "reason"],
                },
            },
            "details": {"type": "object", "description": "Figures, where they help."},
            "retryAfter": {"type": "integer", "minimum": 1, "description": "Seconds to wait."},
            "requestId": {"type": "string", "description": "Stands in the log too."},
        },
        "required": ["success", "code", "message"],
    })
}
