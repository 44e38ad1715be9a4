//! The properties of every engine, as functions over the traits, and those of the embedded engine alone. They run for the
//! embedded engine, with the sizes of the product and with small ones, and for the one on OpenSearch where a node runs.
//!
//! Of the embedded engine alone: 2, 10, 12, 19 and 21, the damage of 4, the files of 9, what of 3 follows from numbers that are
//! not on disk, and what older snapshots are in 1, 9, 11 and 20: an index on other machines has only its present state.
//!
//! 1. A batch is visible atomically, an older snapshot never changes, updates replace and deletions remove.
//! 2. A change of numbers is visible without a commit: the watermark does not move, and is correct after a restart.
//! 3. A restart continues from the watermark; documents without numbers are not found until they are loaded.
//! 4. A damaged index, another identity and another language are detected: the index is new and its watermark 0.
//! 5. Average lengths stay frozen until the number of documents has doubled or halved.
//! 6. A hidden document is found by no query, filter, facet or total, but counts for idf.
//! 7. Equal scores are ordered by sales, then by id, in any batch or segment; pages neither overlap nor lose hits.
//! 8. A field has values when a document has one.
//! 9. An index that is built beside another is opened once it is complete; the old one is deleted with its last reader.
//! 10. An interrupted catching up is detected: the settled sequence number does not rise.
//! 11. A clear removes everything, also after a restart; later writes are found.
//! 12. A commit that was interrupted at any of its files can be repeated.
//! 13. Substrings of words are found in an index that contains them; an existing index does not change.
//! 14. A pasted code of product or variant, in any spelling, comes first with the default configuration.
//! 15. A request for fewer hits returns the first ones of all.
//! 16. After any history of documents and segments, each hit has its own latest texts.
//! 17. Results after changes of numbers, with searches in between, equal those of a new index.
//! 18. The cost of a document is linear in its size, and the texts of a hit are clipped.
//! 19. An index that cannot be read now, but is not damaged, is an error and is left unchanged.
//! 20. Fields and hidden documents are those of the visitor in the state of the snapshot, however often they are asked
//!     for; what is cached of them stays within its bound.
//! 21. An index is copied out of the folder of another engine that writes it, once, and goes on from its watermark; one of
//!     another identity is not, and one that is damaged is new.
//! 22. Hits in another order than by relevance have no scores.
//! 23. A value is called as documents state, else by a name that one of them derives, else by its id, in any order.

mod changing;
mod codes;
mod cutoff;
mod engines;
mod finding;
mod fixture;
mod labels;
mod languages;
mod large;
#[path = "../node/mod.rs"]
mod node;
mod ranking;
mod rebuild;
mod restart;
mod visitors;
mod writing;

/// Modules of tests, one for each engine, with a test for each property. An engine that is not there has no properties.
macro_rules! conformance {
    ($($module:ident: $engine:ident if $is_there:expr),*; $properties:tt) => {
        $(conformance! { @engine $module, $engine, $is_there; $properties })*
    };
    (@engine $module:ident, $engine:ident, $is_there:expr; { $($file:ident::$property:ident)* }) => {
        mod $module {
            $(
                #[test]
                fn $property() {
                    if $is_there {
                        super::$file::$property(&super::engines::$engine);
                    }
                }
            )*
        }
    };
}

// Of every engine.
conformance! {
    embedded: embedded if true,
    embedded_small: embedded_small if true,
    opensearch: opensearch if crate::node::address().is_some();
    {
        writing::batches_are_visible_as_a_whole
        restart::a_restart_continues_from_the_watermark
        restart::another_identity_or_language_is_new
        writing::averages_are_frozen_until_the_index_doubles
        codes::a_pasted_code_comes_first
        codes::a_code_after_a_label_is_explained
        cutoff::pins_are_exempt_from_a_cutoff
        finding::hidden_documents_are_never_found
        finding::equal_scores_keep_their_order
        finding::other_orders_have_no_scores
        labels::a_name_counts_before_an_id
        finding::fields_have_values_when_documents_do
        ranking::few_hits_are_the_first_ones_of_all
        changing::changed_numbers_equal_those_of_a_new_index
        large::the_cost_of_a_document_is_linear
        large::the_texts_of_a_large_hit_are_clipped
        languages::words_are_found_in_compounds
        languages::a_missing_word_is_found_by_its_last_part
        languages::part_of_a_text_without_spaces_is_found
        languages::a_form_of_two_stems_scores_by_its_own_stem
        languages::a_form_in_other_documents_than_its_stem_is_distinguished
        languages::a_word_with_a_stem_of_others_earns_the_whole_bonus
        finding::substrings_are_found_if_indexed
        rebuild::a_rebuilt_index_is_opened_once_complete
        rebuild::an_incomplete_index_is_not_opened
        writing::a_clear_removes_everything
        writing::hits_have_their_own_latest_texts
        visitors::fields_are_those_of_visible_documents
        visitors::hidden_documents_are_those_of_the_visitor
        visitors::caches_stay_within_their_bounds
    }
}

// Of the embedded engine alone.
conformance! {
    embedded_files: embedded if true,
    embedded_files_small: embedded_small if true;
    {
        writing::numbers_change_without_a_commit
        restart::a_damaged_index_is_new
        restart::an_unreadable_index_is_left_unchanged
        restart::an_interrupted_commit_is_repeated
        restart::an_index_of_another_folder_is_copied_once
        rebuild::an_interrupted_catching_up_is_detected
        rebuild::former_and_incomplete_indexes_leave_no_files
        rebuild::numbers_change_no_sequence_number_on_disk
    }
}
