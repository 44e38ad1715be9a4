//! All error responses (`docs/api.md`), as the components that operations refer to.

use super::value::{object, reference};
use domain::error_codes;
use serde_json::{Value, json};

/// A status, the name of its component, its description, and an example message for each of its codes.
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
        "The request is invalid; `errors` lists everything that is wrong.",
        &[
            (
                error_codes::INVALID_REQUEST,
                "boosts.name: must be between 0 and 200, got 350",
            ),
            (
                error_codes::TOO_MANY_DOCUMENTS,
                "documents: at most 500 at once, got 501",
            ),
        ],
    ),
    (
        401,
        "Unauthorized",
        "The key is missing, invalid, or of a kind that cannot be used here.",
        &[
            (
                error_codes::KEY_MISSING,
                "send a key in the header X-API-Key or in Authorization: Bearer",
            ),
            (error_codes::KEY_INVALID, "the key is not valid"),
            (error_codes::KEY_KIND, "this needs a configuration key"),
        ],
    ),
    (
        403,
        "Forbidden",
        "The key is valid but not allowed to do this.",
        &[
            (
                error_codes::SCOPE_MISSING,
                "the key's scope is insufficient; this needs config:write, or config:propose to propose it",
            ),
            (
                error_codes::STORE_MISMATCH,
                "the key is bound to another store",
            ),
            (
                error_codes::RESERVED,
                "url: can be changed only in the control panel",
            ),
            (error_codes::PLAN_LIMIT, "the plan allows 2 languages"),
            (error_codes::KEY_KIND, "keys of this kind may not do this"),
            (error_codes::STORE_SUSPENDED, "the store is suspended"),
        ],
    ),
    (
        404,
        "NotFound",
        "The resource does not exist or belongs to another account.",
        &[(error_codes::NOT_FOUND, "no such store")],
    ),
    (
        406,
        "NotAcceptable",
        "`Accept` does not allow JSON.",
        &[(error_codes::NOT_ACCEPTABLE, "answers are application/json")],
    ),
    (
        408,
        "RequestTimeout",
        "The request body arrives too slowly.",
        &[(error_codes::REQUEST_TIMEOUT, "the body took too long")],
    ),
    (
        409,
        "Conflict",
        "The request conflicts with the current state.",
        &[
            (error_codes::CONFLICT, "there is one like it already"),
            (
                error_codes::INDEX_MISSING,
                "there is no index of this type and language; create it first",
            ),
            (error_codes::RUN_OPEN, "another run is open"),
            (
                error_codes::IMPACT_EXCEEDED,
                "4 of 20 watched queries change their first three (20 %, allowed 10 %), 1 loses all results",
            ),
        ],
    ),
    (
        410,
        "Gone",
        "The run has ended or does not exist.",
        &[(error_codes::RUN_GONE, "the run has ended or never existed")],
    ),
    (
        412,
        "PreconditionFailed",
        "`If-Match` does not match the current entity tag.",
        &[(
            error_codes::PRECONDITION_FAILED,
            "If-Match no longer matches, because this was changed in the meantime; read it again",
        )],
    ),
    (
        413,
        "PayloadTooLarge",
        "The request body is too large.",
        &[(
            error_codes::PAYLOAD_TOO_LARGE,
            "the body has more than 1048576 bytes",
        )],
    ),
    (
        415,
        "UnsupportedMediaType",
        "The request body is not JSON, or its `Content-Encoding` is not supported.",
        &[(
            error_codes::UNSUPPORTED_MEDIA_TYPE,
            "the body must be application/json",
        )],
    ),
    (
        429,
        "TooManyRequests",
        "The rate limit is exceeded; `Retry-After` and `retryAfter` say how long to wait.",
        &[(
            error_codes::RATE_LIMITED,
            "more than 600 requests per minute; try again in 12 s",
        )],
    ),
    (
        500,
        "InternalError",
        "An internal error; its cause is in the server's log under `requestId`.",
        &[(
            error_codes::INTERNAL,
            "something went wrong on the server; the request id helps to find out what",
        )],
    ),
    (
        503,
        "Unavailable",
        "The service is temporarily unavailable; retry after a moment.",
        &[(
            error_codes::UNAVAILABLE,
            "the service is temporarily unavailable; try again",
        )],
    ),
];

/// Returns a reference to the component of `status`.
pub fn response(status: u16) -> Value {
    let known = FAILURES.iter().find(|(of, ..)| *of == status);
    let (_, name, ..) = known.expect("every status that an operation names has its row");
    reference("responses", name)
}

/// Returns the components of all error responses.
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
    if (status == 400 || code == error_codes::RESERVED)
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

fn translatable(description: &str) -> Value {
    json!({"$ref": "#/components/schemas/Translatable", "description": description})
}

/// Returns the schema of an error response's body.
pub fn schema() -> Value {
    let codes = FAILURES.iter().flat_map(|(.., codes)| codes.iter());
    let mut codes: Vec<&str> = codes.map(|(code, _)| *code).collect();
    codes.sort_unstable();
    codes.dedup();
    json!({
        "type": "object",
        "description": "An error response.",
        "properties": {
            "success": {"const": false},
            "code": {"type": "string", "enum": codes, "description": "Stable code of the error."},
            "message": {"type": "string", "description": "What is wrong, for humans."},
            "translatable": translatable("Key and values of the message, unless they are long."),
            "errors": {
                "type": "array",
                "description": "Everything that is wrong, each with its path in the request.",
                "items": {
                    "type": "object",
                    "properties": {
                        "field": {"type": "string"},
                        "reason": {"type": "string"},
                        "translatable": translatable("Key and values of the reason; left out of long lists."),
                    },
                    "required": ["field", "reason"],
                },
            },
            "details": {"type": "object", "description": "Numbers such as limits, if they help."},
            "retryAfter": {"type": "integer", "minimum": 1, "description": "Seconds to wait."},
            "requestId": {"type": "string", "description": "Id of the request; it is in the log too."},
        },
        "required": ["success", "code", "message"],
    })
}
