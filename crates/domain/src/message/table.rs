//! The messages of this crate: keys, values and English texts.

use crate::messages;

messages! {
    /// What any value may lack or be.
    value {
        required() = "is required";
        missing() = "is missing";
        null() = "must not be null";
        empty() = "must not be empty";
        blank() = "is empty";
        must_be(expected) = "must be {expected}";
        must_be_got(expected, got) = "must be {expected}, got {got}";
        one_of(options) = "must be one of {options}";
        one_of_got(options, got) = "must be one of {options}, got {got}";
        required_one_of(options) = "is required: one of {options}";
        wrong_format(got) = "has the wrong format, got {got}";
        duplicates() = "must not contain duplicates";
        empty_object() = "must be an empty object";
        not_of_schema() = "does not match the schema";
        beyond_limits() = "is beyond the limits";
        given_twice() = "is given twice";
        named_twice() = "is named twice";
        unknown_field() = "is not a known field";
        unknown_field_near(near) = "is not a known field; did you mean \"{near}\"?";
        unknown_field_of(known) = "is not a known field; known are {known}";
        of_library(error) = "{error}";
        in_field(field, reason) = "{field}: {reason}";
        in_fields(field, reason, more) = "{field}: {reason} (and {more} more)";
        all_of(reasons) = "{reasons}";
        invalid_request() = "the request is not valid";
    }
    /// Types of values.
    kind {
        text() = "text";
        texts() = "a list of texts";
        list() = "a list";
        object() = "an object";
        number() = "a number";
        whole() = "a whole number";
        flag() = "true or false";
        null() = "null";
        either(first, second) = "{first} or {second}";
    }
    /// Forms that a schema names.
    expected {
        day() = "a day such as \"2026-11-20\"";
        language() = "a language code of 2 to 5 characters such as \"es\" or \"en-gb\"";
        language_tag() = "a language tag such as \"es\", \"en-GB\" or \"zh-Hant-TW\"";
        percentage() = "a percentage text from \"0%\" to \"100%\" such as \"75%\"";
        upper_case_code() = "three upper-case letters";
        lower_case_code() = "two lower-case letters";
        digits(max) = "text of 1 to {max} digits";
    }
    /// Numbers and ranges.
    number {
        between(min, max, got) = "must be between {min} and {max}, got {got}";
        whole_between(min, max, got) = "must be a whole number between {min} and {max}, got {got}";
        at_least(min, got) = "must be at least {min}, got {got}";
        at_most(max, got) = "must be at most {max}, got {got}";
        negative() = "must not be negative";
        reach(max, got) = "page × limit must be at most {max}, got {got}";
        range() = "must be a range such as {{\"min\": 10, \"max\": 20}}";
        range_empty() = "must have min, max or both";
        range_required() = "is required, or max, or both";
        range_reversed(min, max) = "min must not be above max, got {min} and {max}";
        above_max(max, got) = "must not be above max, {max}, got {got}";
    }
    /// Texts.
    text {
        between(min, max, got) = "must have between {min} and {max} characters, got {got}";
        at_least(min, got) = "must have at least {min} characters, got {got}";
        at_most(max, got) = "must have at most {max} characters, got {got}";
        up_to(max) = "must have at most {max} characters";
        from_to(min, max) = "must have between {min} and {max} characters";
        each_between(min, max, got) = "each value must have between {min} and {max} characters, got {got}";
        bytes_at_most(max, got) = "must have at most {max} bytes, got {got}";
        bytes_up_to(max) = "must have at most {max} bytes";
        control() = "must not contain control characters";
        any_control() = "must not have control characters";
        nul() = "must not contain the character NUL";
        control_but_breaks() = "must not contain control characters other than line breaks";
        utf8_or_percent() = "must be UTF-8, as it is or percent-encoded";
        differs_from(field) = "differs from {field}; send one of them, or both alike";
        letter_or_digit() = "must contain at least one letter or digit";
        email() = "must be an e-mail address such as ana@shop.example";
        password_between(min, max, got) = "must have {min} to {max} characters, got {got}";
    }
    /// Addresses of pages.
    address {
        absolute() = "must be an absolute http or https address";
        absolute_or_path() = "must be an absolute http or https address, or a path that starts with one \"/\"";
        two_slashes() = "must be an absolute http or https address, or a path that starts with one \"/\", not two";
        host() = "must name a host";
        characters() = "must not contain white space, backslashes or control characters";
    }
    /// Lists and objects.
    list {
        between(min, max, got) = "must have between {min} and {max} items, got {got}";
        at_least(min, got) = "must have at least {min} items, got {got}";
        at_most(max, got) = "must have at most {max} items, got {got}";
        fields_at_most(max, got) = "must have at most {max} fields, got {got}";
        records_at_most(max, got) = "must have at most {max} records, got {got}";
        texts_at_most(max, got) = "must have at most {max} texts, got {got}";
        languages_at_most(max, got) = "must have at most {max} languages, got {got}";
        events_between(min, max, got) = "must have between {min} and {max} events, got {got}";
    }
    /// Days, times and ranges of them.
    time {
        instant() = "must be an instant such as 2026-11-20T09:00:00Z";
        iso() = "must be an ISO 8601 time such as 2026-11-20T15:00:00Z";
        date_or_time(got) = "must be an ISO 8601 time such as \"2026-11-20T15:00:00Z\" or a date such as \"2026-11-20\", got {got}";
        after_today(today, got) = "must not be after today, {today}, got {got}";
        after_to(to, got) = "must not be after to, {to}, got {got}";
        days_at_most(max, got) = "must be at most {max} days before to, got {got} days";
        unknown_zone() = "is not a known time zone; names are those of the IANA database, such as \"Europe/Madrid\"";
        unknown_zone_near(near) = "is not a known time zone; did you mean \"{near}\"?";
        before_start(start, got) = "must not be before startDate, {start}, got {got}";
    }
    /// Advice on a relevance configuration.
    advice {
        reindexing(percent) = "Re-indexing, {percent} % done; until it is complete this matches nothing.";
        needs_reindexing() = "Matches nothing: the store needs re-indexing, which starts by itself when this is saved above 0.";
        opening() = "The indexes are being opened; it is not known yet whether they need re-indexing for this.";
        above_recommended(value, max) = "{value} is above the recommended maximum of {max}.";
        language_missing(language) = "The store does not have the language {language} yet; this takes effect once it does.";
        empty_field() = "No document of the store fills this field.";
        gate_without_watched() = "The gate lets everything through, because the store watches no query.";
    }
    /// Why the feed rejects a document.
    document {
        name_empty(field) = "{field} is empty";
        category() = "must be an object with id and name";
        group_value() = "must be an object with a value";
        code_number() = "must be text, got a number: leading zeros would be lost";
        unreadable() = "cannot be parsed";
    }
    /// Drafts and restores.
    draft {
        also_updated() = "is updated, too";
        occurs_twice() = "occurs twice";
        resource() = "must be relevance, widget, widget/custom, store, synonyms/<id>, rules/<id> or filters/<id>";
        one_content() = "exactly one of draft, restore, watched and hiddenQueries is required";
        parts_or_resources() = "is required, or resources, and not both";
    }
    /// Configuration files.
    file {
        not_with_copy() = "cannot be combined with copyFrom";
        lacks_part(part) = "names {part}, which the file does not have";
        same_record(other) = "stands for the same record as {other}";
        too_large(max) = "the configuration takes more than {max} bytes as a file; select parts of it";
        records_at_most(max) = "at most {max} records";
    }
    /// Events of shoppers.
    event {
        with_events() = "must not be given with events";
    }
    /// What a shop declares.
    declaration {
        base_country() = "is the base country, whose prices have no suffix";
        nobody() = "is the word for no group at all";
        visitor_group() = "is required while access control is enabled";
        of_groups() = "must be one of groups";
    }
    /// Filters.
    filter {
        values() = "must be a list of values";
        no_value() = "must name at least one value";
        values_at_most(max, got) = "must name at most {max} values, got {got}";
        flag() = "must be \"true\" or \"false\"";
        texts_or_range() = "must be a list of texts, or a range such as {{\"min\": 10, \"max\": 20}}";
        values_from_to(min, max) = "must name values of {min} to {max} characters";
        kind_of_field(expected, field, got) = "must be {expected} for the field {field}, got {got}";
        field_fixed(field) = "cannot change; the filter is one of {field}";
        nothing_to_group(field) = "is not for the field {field}, which has no values to group";
        grouped_twice() = "is in a group already; a value may be in one group only";
    }
    /// Addresses from which a catalogue is fetched.
    source {
        refused_scheme() = "address_refused: only http and https addresses are fetched";
        refused_port(port, ports) = "address_refused: port {port} is not one of {ports}";
        refused_name(host) = "address_refused: {host} is a name within a network";
        refused_network() = "address_refused: it is in a network that is not public";
        refused_resolved() = "the name leads into a network that is not public, or to this server";
        redirect_to_refused() = "a redirect leads to an address that is not fetched";
        unencrypted() = "a redirect leads from https to http";
        location() = "a redirect names no address";
        fragment() = "must not contain a fragment such as #top";
        user() = "must not contain a user name or a password, which belong into auth";
        dns_failed() = "the name of the host is not known";
        connect_failed() = "the server could not be reached";
        no_http() = "the server does not respond as HTTP requires";
        tls_failed() = "no connection is safe: the certificate does not hold, or there is no TLS";
        timeout() = "the server took too long";
        too_many_redirects(max) = "there are more than {max} redirects";
        http_status(status) = "the server responds with status {status}";
        encoding_unsupported() = "the response is encoded otherwise than by gzip";
        truncated() = "the response ended before its end";
        too_large() = "the file is too large";
        disk_full() = "the disk is full";
        interrupted() = "the fetch was interrupted";
        broken() = "something went wrong on this server, whose log says what";
        needs_https() = "needs an https address";
        not_of_kind() = "does not belong to this kind";
        secret(max) = "must have 1 to {max} visible ASCII characters";
        user_name(max) = "must have 1 to {max} characters, no colon and no control character";
        header_name(max) = "must be Authorization or begin with X-, of letters, digits and hyphens, at most {max} characters";
        disabled() = "sources are switched off on this server";
        secret_missing() = "the secret has to be sent again before it is fetched";
        another_complete(name) = "the source \"{name}\" is complete for this type and language; two of them would remove each other's documents";
        of_connector() = "a connector keeps the catalogue of this type and language; a source may only add to it";
        too_many(max) = "a store has at most {max} sources";
        running() = "the source is being fetched";
        resting() = "the source is not fetched: it is inactive, its secret is missing, or sources are switched off";
        once_a_minute() = "a source is fetched at most once a minute on request";
    }
    /// Rules.
    rule {
        required(kind) = "is required for a rule of type {kind}";
        not_of_type(kind) = "does not belong to a rule of type {kind}";
        type_fixed(kind) = "cannot change; the rule is of type {kind}";
        picture_or_text() = "is required where the banner has no text";
        not_of_mode(mode) = "does not belong to an entry of mode \"{mode}\"";
        boosted_value(max) = "is required: the text of the value exactly as indexed, 1 to {max} characters";
        numeric() = "is numeric; use mode \"range\" or \"value\"";
        not_numeric(fields) = "is not numeric in the index; the numeric fields are {fields}";
        alternatives_of_pattern() = "does not belong to a trigger with match \"regex\", which has no words";
        trigger_empty() = "must not be empty unless match is \"contains\", where it matches every query";
        pattern_at(position, error) = "is not a regular expression; at character {position}: {error}";
        pattern(error) = "is not a regular expression: {error}";
        pattern_size(max) = "is too large when compiled; it must stay under {max} bytes, so use smaller repetitions";
    }
    /// Synonym groups and their files.
    synonym {
        input_of_equivalents() = "does not belong to a BIDIRECTIONAL group, whose terms are all equivalent";
        input_missing() = "is required for a UNIDIRECTIONAL group: what the shopper types";
        equivalents_at_least(min, got) = "must have at least {min} terms that differ by more than case and accents, got {got}";
        arrows() = "has more than one \"=>\"";
        texts_before_arrow() = "has more than one text before \"=>\"";
        nothing_before_arrow() = "has nothing before \"=>\"";
        no_term() = "has no term";
        text_after_quote() = "has text after a closing quote";
        open_quote() = "has a quote that is not closed";
    }
    /// The search widget.
    widget {
        colour(got) = "must be a CSS colour such as \"#1a2b3c\", \"rgb(26 43 60 / 50%)\" or \"teal\", got {got}";
        feature_value() = "must be true or false, a number or text";
        sorts(names, got) = "must be names of {names}, each at most once, separated by commas, got {got}";
        name(max) = "must be a name: a letter, then letters, digits, \"_\", \"-\" and \".\", at most {max} characters";
        quotes() = "must not contain quotes or \"&\"";
        declaration_characters() = "must not contain ; {{ }} < > \\ @ or control characters";
        comment_or_url() = "must not contain a comment or a URL";
        open_quotes() = "must close its quotes";
        function(function, allowed) = "must not call {function}(; allowed are {allowed}";
        same_language() = "is the same language as another key";
    }
}
