//! The messages of this crate, each a key with values and an English text (`domain::message`).

pub use domain::message::{form, kind, list, number, text, value};

use domain::messages;

messages! {
    /// Requests as HTTP carries them.
    request {
        no_such_path() = "no such path";
        internal() = "something went wrong on the server; the request id helps to find out what";
        method() = "this path does not support the method; the Allow header lists those it supports";
        body_slow() = "the body arrives too slowly";
        body_large(max) = "the body is over the limit of {max} bytes";
        imports_at_once() = "too many imports at once; retry in a moment";
        disk_full() = "too little room on the disk for this file";
        mapping(reason) = "{reason}";
        body_incomplete() = "the connection closed before the body was complete";
        bodies_at_once() = "too many large bodies at once; retry in a moment";
        content_type_missing(types) = "Content-Type must be {types}, but is missing";
        content_type(types) = "Content-Type must be {types}";
        charset() = "JSON must be sent in UTF-8";
        accept() = "responses are application/json, which the Accept header does not allow";
        gzip_only() = "Content-Encoding may be gzip only";
        no_encoding() = "Content-Encoding is not accepted here; send the body uncompressed";
        gzip_incomplete() = "is not complete gzip data";
        host_missing() = "must name the server";
        parameters(max, got) = "must have at most {max} parameters, got {got}";
        no_parameters() = "is not known; this path takes no query parameters";
        percent_encoding() = "is not valid percent-encoded UTF-8";
        panel_only() = "can be changed only in the control panel";
        json(line, column, reason) = "malformed JSON at line {line}, column {column}: {reason}";
        too_many_values() = "contains too many values";
        number_too_large() = "contains a number out of range";
    }
    /// Entity tags of `If-Match`.
    tags {
        star_or_list() = "must be either * or a list of entity tags";
        empty() = "must be * or a list of entity tags, but is empty";
        unquoted() = "must be * or a list of entity tags, each in double quotes";
        unclosed() = "contains an entity tag without a closing quote";
        characters() = "contains an entity tag with a blank or a control character";
        commas() = "needs commas between its entity tags";
    }
    /// Keys and who may send a request.
    sender {
        key_needed() = "a key is needed: send the key in the header X-API-Key or as Authorization: Bearer";
        key_needed_in_body() = "a key is needed: send the key in the header X-API-Key or as Authorization: Bearer, or as key in the body";
        key_in_url() = "a key in the query string is not accepted, because URLs end up in logs: send the key in the header X-API-Key or as Authorization: Bearer";
        keys_differ() = "the headers carry different keys";
        body_key_differs() = "header and body carry different keys";
        key_invalid() = "the key is not valid";
        demo_on_this_machine() = "the demo explains its ranking to browsers on this machine only";
        demo_page() = "only the demo's own page may send this request";
        metrics() = "metrics are for programs on this machine; --metrics-listen serves them on a separate address";
        panel_address() = "the control panel has no such address; --panel-url names those that it has";
        panel_pages() = "only pages of the control panel may send this request";
        preview() = "the preview takes a search-only key and a language";
        not_ready(open, stores) = "not ready: {open} of {stores} stores are open";
    }
    /// The tool server.
    tool {
        host_or_origin() = "the header Host or Origin is not allowed here; the option --mcp-host or --mcp-origin of the server adds a host or origin";
        post_only() = "the tool server supports POST only, without sessions and streams";
        no_message() = "is not a message of the Model Context Protocol";
        one_message() = "must be one message of the protocol, a JSON object";
        tool_name() = "must name a tool of tools/list";
        no_argument() = "is not an argument of this tool";
        no_store() = "is required, and the key reaches no store";
        several_stores(stores) = "is required, because the key reaches several stores: {stores}";
        several_stores_and_more(stores, more) = "is required, because the key reaches several stores: {stores} and {more} more";
        needs(argument) = "needs {argument} beside it";
        set_and_cleared(field) = "{field} cannot be set and cleared at once";
    }
}
