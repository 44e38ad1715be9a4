//! What every engine must hold, as functions over the traits alone; at the end they are run for the embedded engine, with
//! the sizes that are shipped and with small ones.
//!
//! 1. A batch is visible as a whole, an older snapshot never changes, updates replace and deletions remove.
//! 2. A change of numbers alone is visible without a commit: the watermark stays, and is honest after a restart.
//! 3. A restart without a rest goes on from the watermark; documents without numbers are not found until they are loaded.
//! 4. A torn index, another identity and another language are noticed: the index is new and its watermark 0.
//! 5. Average lengths stay frozen until the number of documents has doubled or halved.
//! 6. What nobody may see is found by no question, filter, facet or total, but counts for rarity.
//! 7. Equal scores stand by sales, then by id, whatever batch or segment they came from; pages neither overlap nor lose.
//! 8. A field is filled when a document fills it.
//! 9. An index that is built beside another is found once it is complete; the former one goes with its last reader.
//! 10. A catching up that was cut off is known: what it had settled before does not rise.
//! 11. A clear leaves nothing and says so after a restart; what is written after it is there.
//! 12. A commit that was cut off at any of its files can be repeated.
//! 13. Parts of words are found in an index that holds them, and what it holds stays when something else is wanted.
//! 14. A pasted code of product or variant, in any spelling, comes first with the default configuration.
//! 15. However few hits are asked for, they are the first of all.
//! 16. Whatever happened to documents and their segments, each is shown with its own latest texts.
//! 17. However numbers changed, and whatever was asked in between, answers are those of an index that knows nothing else.
//! 18. A document costs in proportion to its size, however large it is, and little of a large one is shown.
//! 19. An index that cannot be read now, though nothing says that it is damaged, is an error and stays as it is.

mod changing;
mod codes;
mod finding;
mod fixture;
mod languages;
mod large;
mod ranking;
mod rebuild;
mod restart;
mod writing;

/// Modules of tests, one for each engine, with a test for each property.
macro_rules! conformance {
    ($($engine:ident: $make:expr),*; $properties:tt) => {
        $(conformance! { @engine $engine, $make; $properties })*
    };
    (@engine $engine:ident, $make:expr; { $($file:ident::$property:ident)* }) => {
        mod $engine {
            $(
                #[test]
                fn $property() {
                    super::$file::$property(&|folder: &std::path::Path| {
                        Box::new($make(folder.to_owned()))
                    });
                }
            )*
        }
    };
}

conformance! {
    embedded: engine::EmbeddedEngine::new,
    embedded_small: engine::EmbeddedEngine::small;
    {
        writing::batches_are_visible_as_a_whole
        writing::numbers_change_without_a_commit
        restart::a_restart_goes_on_from_the_watermark
        restart::a_torn_index_is_new
        restart::an_index_that_cannot_be_read_now_stays
        restart::a_commit_that_was_cut_off_is_repeated
        restart::another_identity_or_language_is_new
        writing::averages_are_frozen_until_the_index_doubles
        codes::a_pasted_code_comes_first
        finding::what_nobody_may_see_is_never_found
        finding::equal_scores_keep_their_order
        finding::fields_are_filled_by_documents
        ranking::few_hits_are_the_first_of_all
        changing::numbers_count_however_they_changed
        large::a_document_costs_in_proportion_to_its_size
        large::what_is_shown_of_a_large_document_is_clipped
        languages::words_are_found_in_longer_ones
        languages::a_missing_word_is_found_by_its_last_part
        languages::a_part_of_a_text_without_blanks_is_found
        languages::a_form_of_two_stems_scores_by_its_own
        languages::a_form_in_as_many_documents_as_its_stem_is_told_apart
        finding::parts_of_words_are_found_where_they_are_held
        rebuild::a_rebuilt_index_counts_once_it_is_complete
        rebuild::an_unfinished_index_is_forgotten
        rebuild::a_catching_up_that_was_cut_off_is_known
        writing::a_clear_leaves_nothing
        writing::documents_are_shown_with_their_own_texts
    }
}
