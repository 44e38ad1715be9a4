//! The approximate size of a response in memory, including all its texts and lists.

use super::response::{FacetView, ListHit, ProductHit, SearchResponse};

impl SearchResponse {
    /// Returns its size in bytes.
    pub(super) fn bytes(&self) -> usize {
        let products = self.products.hits.iter().map(product);
        let lists = [&self.categories, &self.brands, &self.pages];
        let listed = lists.into_iter().flat_map(|list| &list.hits).map(list_hit);
        let facets = self.facets.iter().map(facet);
        let words = self.words.iter();
        let words = words.map(|word| size_of_val(word) + word.text.len() + word.analysed.len());
        let banners = self.banners.iter().map(|view| {
            let addresses = [&view.banner.image_url, &view.banner.link];
            let addresses = addresses.into_iter().flatten();
            let addresses = addresses.map(|address| address.as_str().len());
            let text = view.banner.text.iter().map(|text| text.as_str().len());
            let texts = addresses.chain(text).sum::<usize>();
            size_of_val(view) + view.rule_id.0.len() + texts
        });
        let redirect = self.redirect.iter();
        let redirect = redirect.map(|redirect| redirect.rule_id.0.len() + redirect.url.len());
        let corrected = self.corrected_query.iter().map(|one| one.text.len());
        let parts = products
            .chain(listed)
            .chain(facets)
            .chain(words)
            .chain(corrected);
        size_of::<Self>() + parts.chain(banners).chain(redirect).sum::<usize>()
    }
}

fn product(hit: &ProductHit) -> usize {
    let texts = [
        &hit.id,
        &hit.name,
        &hit.url,
        &hit.image,
        &hit.reference,
        &hit.manufacturer,
        &hit.highlight.name,
    ];
    let rare = [&hit.currency, &hit.price_field].into_iter().flatten();
    size_of::<ProductHit>()
        + texts
            .into_iter()
            .chain(rare)
            .map(String::len)
            .sum::<usize>()
}

fn list_hit(hit: &ListHit) -> usize {
    let texts = [
        &hit.id,
        &hit.name,
        &hit.url,
        &hit.image,
        &hit.highlight.name,
    ];
    size_of::<ListHit>() + texts.into_iter().map(String::len).sum::<usize>()
}

fn facet(facet: &FacetView) -> usize {
    let values = facet.values.iter().flatten();
    let values = values.map(|value| size_of_val(value) + value.id.len() + value.label.len());
    size_of::<FacetView>() + facet.field.len() + facet.label.len() + values.sum::<usize>()
}
