//! What searches and simulations say of fields, rules and products: keys, values and English texts.

use domain::messages;

messages! {
    /// Fields by which products can be filtered.
    filterable {
        fixed(reason, fields) = "{reason}; products can be filtered by {fields}, attributes.<group> and features.<group>";
        of_store(reason, fields) = "{reason}; the products of this store can be filtered by {fields}";
        of_store_and_more(reason, fields, more) = "{reason}; the products of this store can be filtered by {fields} and {more} more";
        by_range(field) = "{field} has numbers, which are filtered by range";
    }
    /// Why a rule is applied or not.
    verdict {
        inactive() = "it is inactive";
        begins(at) = "its window begins at {at}";
        ended(at) = "its window ended at {at}";
        beaten(rule) = "{rule} takes precedence";
        another_rule() = "another rule";
        the_rule(name) = "the rule \"{name}\"";
        every_query() = "it applies to every query";
        contains(text) = "the query contains \"{text}\"";
        exact(text) = "the query is \"{text}\"";
        starts_with(text) = "the query starts with \"{text}\"";
        matches(text) = "the query matches \"{text}\"";
        in_another_writing(reason, alternative) = "{reason} in another writing ({alternative})";
        none_pinned(products) = "none of its products is pinned: {products}";
        some_pinned(reason, products) = "{reason}; left out: {products}";
        pin_hidden(product, rule) = "\"{product}\" is hidden by {rule}";
        pin_pinned(product, rule) = "\"{product}\" is pinned by {rule}";
        pin_unknown(product) = "\"{product}\" is not a product";
        pin_unavailable(product) = "\"{product}\" may not be shown to this shopper or is out of stock";
        pin_filtered(product) = "\"{product}\" does not pass the filters";
    }
    /// Advice on records.
    advised {
        value_not_indexed(value, field) = "No product has the value {value} in {field}.";
        products_not_indexed(language, ids) = "Not in the catalogue in {language}: {ids}.";
        products_not_indexed_and_more(language, ids, more) = "Not in the catalogue in {language}: {ids} and {more} more.";
        terms_not_indexed(language) = "No product of the catalogue in {language} has any of these terms.";
    }
    /// Why a product is not found.
    missing {
        hidden() = "is hidden by a rule";
        out_of_stock() = "is out of stock, and such products are hidden";
        not_for_visitor() = "may not be shown to this shopper";
        filtered() = "does not pass the filters";
        not_a_product() = "is not a product of the store";
        other_languages(language, others) = "is not in the catalogue in {language}, but in {others}";
        below_cutoff(percent) = "has a score below the cutoff of {percent} %";
        words(matched, all) = "matches {matched} of {all} words";
        beyond(count) = "is not among the first {count} results";
        no_word() = "matches no word of the query";
    }
    /// What holds of a product that is sought.
    present {
        not_hidden() = "is hidden by no rule";
        a_product() = "is a product of the store";
        in_language(language) = "is in the catalogue in {language}";
        for_visitor() = "may be shown to this shopper";
        in_stock() = "is in stock, or products that are out of stock are shown";
        passes_filters() = "passes the filters";
        enough_words(matched, all) = "matches {matched} of {all} words, which is enough";
        a_word() = "matches a word of the query";
    }
}
