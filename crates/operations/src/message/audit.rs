//! Summaries of the audit trail and of revisions: keys, values and English texts.

use domain::messages;

messages! {
    /// What was written of accounts, keys, people and stores.
    audited {
        account_created(name) = "Account \"{name}\" created.";
        account_stores(max) = "The account may have {max} stores.";
        key_created(name, kind) = "Key \"{name}\" ({kind}) created.";
        key_deactivated(name, kind) = "Key \"{name}\" ({kind}) deactivated.";
        public_key_created() = "Public key created.";
        public_key_rotated() = "Public key rotated.";
        sessions_ended() = "All sessions ended.";
        user_activated(name) = "{name} activated.";
        user_deactivated(name) = "{name} deactivated.";
        signed_out_everywhere() = "Signed out everywhere.";
        signed_in() = "Signed in.";
        signed_in_after(failures) = "Signed in after {failures} failed attempts.";
        sign_in_failures(failures, name) = "{failures} failed attempts to sign in as {name}.";
        member_role(name, role) = "{name} is {role} now.";
        member_role_from(name, before, after) = "{name}: role {before} → {after}.";
        member_stores(name) = "Stores of {name} changed.";
        member_removed(name) = "{name} removed.";
        link_revoked() = "Link revoked.";
        profile() = "Own name or language updated.";
        password() = "Own password replaced; the other sessions ended.";
        first_owner() = "Became the first owner.";
        joined() = "Joined the account by a link.";
        password_by_link() = "Set a new password by a link; all sessions ended.";
        demo_entered() = "Entered the demo.";
        invitation(email, role) = "Link for {email} as {role} made.";
        reset_link(name) = "Link for a new password of {name} made.";
        store_created(name) = "Store \"{name}\" created, with its connector key.";
        store_closed(name, days) = "Store \"{name}\" closed; it is removed after {days} days.";
        store_removed(name) = "Removal of the closed store \"{name}\" begun by command.";
        store_reopened(name) = "Store \"{name}\" reopened.";
        indices_created() = "Missing indices created.";
        source_created(name) = "Source \"{name}\" created.";
        source_updated(name) = "Source \"{name}\" updated.";
        source_deleted(name) = "Source \"{name}\" deleted; its documents stay.";
        source_fetched(name) = "Source \"{name}\" fetched on request.";
        import_started(name) = "Import of {name} started.";
        run_aborted(run) = "Run {run} aborted.";
        run_released(run) = "Held purges of the run {run} released.";
        log_cleared() = "Search log cleared.";
        log_cleared_before(day) = "Search log before {day} cleared.";
    }
    /// What was saved of the configuration of a store.
    saved {
        store() = "Store saved.";
        store_unchanged() = "Store saved without a change.";
        settings() = "Settings of the store updated.";
        hidden_queries() = "Hidden queries saved.";
        watched_queries(count) = "{count} watched queries saved.";
        relevance_unchanged() = "Relevance saved without a change.";
        relevance_one(field) = "Relevance: {field} updated.";
        relevance_several(field, more) = "Relevance: {field} and {more} more updated.";
        widget() = "Widget updated.";
        widget_unchanged() = "Widget saved without a change.";
        custom_code() = "Custom code updated.";
        custom_code_unchanged() = "Custom code saved without a change.";
        configuration_imported(created, updated, deleted) = "Configuration imported: {created} created, {updated} updated, {deleted} deleted.";
        configuration_unchanged() = "Configuration imported without a change.";
        synonyms_imported(count, language) = "{count} synonym groups imported in {language}.";
        filters_synced(count) = "{count} filters created from automatic facets.";
        synonym_created() = "Synonym group created.";
        synonym_updated() = "Synonym group updated.";
        synonym_unchanged() = "Synonym group saved without a change.";
        synonym_deleted() = "Synonym group deleted.";
        rule_created() = "Rule created.";
        rule_updated() = "Rule updated.";
        rule_unchanged() = "Rule saved without a change.";
        rule_deleted() = "Rule deleted.";
        filter_created() = "Filter created.";
        filter_updated() = "Filter updated.";
        filter_unchanged() = "Filter saved without a change.";
        filter_deleted() = "Filter deleted.";
    }
    /// What a draft or a restore wrote.
    drafted {
        nothing() = "Saved without a change.";
        one(resource) = "{resource} changed.";
        several(resource, more) = "{resource} and {more} more changed.";
        one_restored(resource, revision) = "{resource} restored to revision {revision}.";
        several_restored(resource, more, revision) = "{resource} and {more} more restored to revision {revision}.";
    }
    /// What happened to a proposal.
    proposed {
        nothing() = "Nothing proposed.";
        one(resource) = "{resource} proposed.";
        several(resource, more) = "{resource} and {more} more proposed.";
        added() = "Added to a proposal.";
        withdrawn() = "Proposal withdrawn.";
        rejected() = "Proposal rejected.";
        applied() = "Proposal applied.";
    }
    /// Resources of a configuration, by their names.
    resource {
        relevance() = "relevance";
        store() = "store";
        widget() = "widget";
        custom_code() = "widget/custom";
        synonym(id) = "synonyms/{id}";
        rule(id) = "rules/{id}";
        filter(id) = "filters/{id}";
    }
}
