//! Errors of operations: keys, values and English texts.

use domain::messages;

messages! {
    /// Who may do what.
    access {
        configuration_key() = "this needs a configuration key";
        key_kind() = "keys of this kind may not do this";
        scope() = "the key's scope is insufficient; this needs config:write, or config:propose to propose it";
        other_store() = "the key is bound to another store";
        reserved() = "reserved to the control panel and the command line";
        role(role) = "this needs the role {role} in the account";
        password() = "this needs the password again, given within the last 10 minutes";
        key_missing() = "send a key in the header X-API-Key or in Authorization: Bearer";
        key_invalid() = "the key is not valid";
        sign_in() = "sign in to the control panel";
        sign_in_failed() = "e-mail address or password is not right";
        deletes_in_panel() = "stores are deleted only in the control panel";
        store_suspended() = "the store is suspended";
        store_paused() = "the store is paused";
        gate_for_people() = "the owner of the store lets no key save what exceeds the gate";
        watched_for_people() = "while the store has a gate, only people change what it watches";
    }
    /// Roles of members.
    role {
        owner() = "owner";
        editor() = "editor";
        viewer() = "viewer";
    }
    /// What a request may name.
    noun {
        store() = "store";
        closed_store() = "closed store that can be reopened";
        account() = "account";
        key() = "key";
        user() = "user";
        member() = "member";
        session() = "session";
        open_link() = "open link";
        revision() = "revision";
        proposal() = "proposal";
        index() = "index";
        synonym() = "synonym group";
        rule() = "rule";
        filter() = "filter";
        source() = "source";
        import() = "import";
        product() = "product";
    }
    /// Errors of any operation.
    state {
        not_found(what) = "no such {what}";
        run_gone() = "the run has ended or never existed";
        link_gone() = "this link was used or is no longer valid";
        stale() = "If-Match no longer matches, because this was changed in the meantime; read it again";
        stale_configuration() = "the configuration was changed in the meantime; read it again";
        stale_resource(resource) = "{resource} was changed in the meantime; read it again";
        contradicted() = "what was saved in the meantime contradicts the proposal";
        stale_resources(resource, more) = "{resource} and {more} more were changed in the meantime; read them again";
        too_many_documents(field, max, got) = "{field}: at most {max} at once, got {got}";
        unavailable() = "the service is temporarily unavailable; try again";
        internal() = "something went wrong on the server";
    }
    /// Rate limits.
    rate {
        retry(reason, seconds) = "{reason}; try again in {seconds} s";
        requests(max) = "more than {max} requests per minute";
        writes(max) = "more than {max} configuration writes per minute";
        previews(max) = "more than {max} previews per minute";
        previews_at_once(max) = "more than {max} previews at once";
        failed_attempts() = "too many failed attempts";
        bad_keys() = "too many attempts with bad keys";
        changed_bytes(max) = "the changes of the store exceed {max} bytes today";
    }
    /// Limits of accounts, stores and plans.
    limit {
        stores(max) = "the account may have {max} stores";
        members(max) = "an account may have {max} members";
        links(max) = "an account may have {max} open links and make {max} a day";
        configuration_bytes(max) = "the synonym groups, rules, filters and the widget of a store may take {max} bytes together";
        record_languages(max) = "the synonym groups and rules of a store may be in {max} languages";
        pattern_bytes(max) = "the regular expressions of a store's rules may take {max} bytes in compiled form";
        rules(max, language) = "the store may have at most {max} rules in {language}";
        synonyms(max, language) = "the store may have at most {max} synonym groups in {language}";
        filters(max) = "the store may have at most {max} filters";
        open_proposals(max) = "the store may have {max} open proposals; a person has to decide about them, or their key withdraws them";
        synonyms_of_import(max, language) = "exceeds the limit of {max} synonym groups in {language}";
        plan_languages(max) = "the plan allows {max} languages, and all are taken";
        plan_documents(types, language) = "the plan allows no more {types} in {language}";
        plan_document() = "the plan allows no more documents of this type in this language";
        plan_declared(kind, max, declared) = "{kind}: the plan allows {max}, {declared} are declared";
    }
    /// API keys and accounts.
    key {
        scope_of_kind() = "only configuration keys have a scope";
        store_of_kind() = "a key of this kind is bound to a store";
        store_or_account() = "name either a store or an account";
        expires() = "must lie in the future";
        accounts() = "there are several accounts; name one";
        account_of_store() = "there are several accounts; name the one of the store";
    }
    /// People, their passwords and links.
    people {
        not_right() = "is not right";
        password_of_email() = "must not be the e-mail address or its first part";
        password_guessable() = "is too easy to guess; several unrelated words are harder";
        owners_reach_all() = "must be \"all\": owners reach all stores";
        no_store_named() = "must name at least one";
        not_of_account() = "is no store of the account";
        last_owner() = "this is the last owner of the account; make somebody else an owner first";
        own_role() = "nobody changes their own role";
        user_meanwhile() = "this address got a user in the meantime; open the link again";
        member_already() = "you are a member of the account already";
        member_address() = "this address belongs to a member of the account already";
        other_account(name, email) = "{name} also belongs to an account that you do not own; whoever runs the server can make the link: findwell user reset {email}";
    }
    /// Settings of stores.
    store {
        name_one() = "name at least one";
        languages_at_most(max, got) = "at most {max}, got {got}";
        one_default() = "only one may be the default";
        platform(max) = "must have between 1 and {max} lower-case letters, digits and dashes";
        currency_declared() = "the shop declares its currencies itself";
        status_suspended() = "cannot be changed while the store is suspended";
        not_closed() = "is not deleted; only a deleted store that waits for its removal can be removed at once";
        exact_name() = "must be exactly the name of the store";
        no_language(language, languages) = "the store has no language \"{language}\"; it has {languages}";
    }
    /// Records of a configuration.
    conflict {
        same_terms(language, id) = "there is a group with the same terms in {language}: {id}";
        field_has_filter(field, id) = "the field {field} already has a filter: {id}";
        custom_code_lost(revision) = "the custom code after revision {revision} was not kept";
        states_lost(revision) = "states before revision {revision} were not kept";
        directory(directory, reason) = "{directory} {reason}";
        directory_unusable(directory, error) = "{directory}: {error}";
        in_data_directory() = "lies in the data directory";
        directory_not_empty() = "is not empty";
        no_files_to_copy() = "--copy-indexes-from copies indexes in files, and those of this server are in a search cluster";
        no_indexes_to_copy(directory) = "--copy-indexes-from: {directory} has no folder \"indexes\"; name the data directory of another server, or a backup";
        backup_of_server(file) = "the database is on a PostgreSQL server; back it up with pg_dump or as that server is backed up, and keep a copy of {file}";
    }
    /// The gate of a store.
    gate {
        none() = "needs a gate, which the store does not have";
        one_changed(watched, percent, allowed) = "1 of {watched} watched queries changes its first three ({percent} %, allowed {allowed} %)";
        changed(changed, watched, percent, allowed) = "{changed} of {watched} watched queries change their first three ({percent} %, allowed {allowed} %)";
        one_lost(reason) = "{reason}, 1 loses all results";
        lost(reason, lost) = "{reason}, {lost} lose all results";
        needs_note() = "needs a note that says why";
        meanwhile() = "the configuration was changed again and again while this was measured; try again";
    }
    /// Drafts and restores.
    change {
        tag_required() = "is required: the draft changes it";
        tag_idle() = "is not changed by the draft";
        not_a_revision(latest) = "is not a revision of the store, whose latest is {latest}";
        resource_nowhere() = "exists neither now nor after that revision";
        not_with_draft() = "cannot be combined with a draft";
        not_with(field) = "cannot be combined with {field}";
        one_query_for_detail() = "of several queries only moves are returned";
        instant(got) = "must be an RFC 3339 time, got {got}";
    }
    /// Proposals.
    proposal {
        of_another_key() = "the proposal was made with another key";
        not_open(state) = "the proposal is not open any more: {state}";
        not_a_draft() = "is a proposal to which nothing can be added";
        contradicted() = "what is saved contradicts the proposal; withdraw it and propose again";
        emptied() = "nothing of the proposal would be left; withdraw it";
        changes_nothing() = "changes nothing";
        records(max, got) = "may change {max} records, got {got}";
        bytes(max, got) = "may take {max} bytes, got {got}";
        bytes_of_changes(max, got) = "may take {max} bytes with the values before and after, got {got}";
        list_on_its_own() = "watched and hidden queries are proposed on their own";
        new_group_off() = "a synonym group that is switched off can be changed, but not proposed anew";
        no_resource() = "is nothing that the proposal changes";
        whole_only() = "only a proposal of changes can be applied in part";
        updated(field) = "{field} was changed in the meantime";
        updated_since() = "was changed since it was proposed";
        updated_before_deletion() = "is to be deleted and was changed in the meantime";
        deleted() = "was deleted in the meantime";
    }
    /// States of proposals.
    proposal_state {
        open() = "open";
        applied() = "applied";
        rejected() = "rejected";
        withdrawn() = "withdrawn";
        expired() = "expired";
    }
    /// Runs, blocks and indices of the feed.
    feed {
        no_index(types, language) = "there is no index of {types} in {language}; create it with POST /feed/indices";
        run_open(run, types, language) = "the run {run} is open on {types} in {language}";
        import_state() = "the import is in another state";
        import_open() = "another import of this store is not over";
        holds_nothing(run) = "the run {run} holds nothing back";
        scope_not_covered() = "the run does not cover it";
        run_not_covering(types, language) = "the run does not cover {types} in {language}";
        price_fields(max) = "exceeds the {max} price fields that a document may have";
        largest_field(own, bytes, max) = "takes {own} of the {bytes} bytes of the document, which may have {max}";
    }
}
