//! The catalogue that is fed, prepared before the clock starts: compressed blocks, items for touches, and queries.

use crate::catalogue;
use crate::failure::{Failure, Outcome};
use crate::load::sender::gzip;
use serde_json::{Value, json};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::Path;

/// The file below the folder of test data.
const FILE: &str = "openfoodfacts-2019/products-all.ndjson.gz";
/// Language of the index, whatever that of a product.
pub const LANGUAGE: &str = "fr";
/// Products of a block.
pub const BLOCK: usize = 500;
/// Products that one touch names.
const TOUCHED: usize = 2_000;
/// Queries that are taken from the names of products.
const QUERIES: usize = 2_000;

/// The products of the file.
pub struct Catalogue {
    products: Vec<Value>,
    /// Queries of one or two words.
    pub queries: Vec<String>,
}

impl Catalogue {
    /// Reads at most `products_max` products; none if the file does not exist.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub fn read(data: &Path, products_max: usize) -> Outcome<Option<Self>> {
        let path = data.join(FILE);
        if !path.is_file() {
            return Ok(None);
        }
        let mut products = catalogue::documents(&path)?
            .take(products_max)
            .collect::<Outcome<Vec<Value>>>()?;
        if products.is_empty() {
            return Err(Failure::new(format!("{} has no product", path.display())));
        }
        for product in &mut products {
            let mut hasher = DefaultHasher::new();
            product.to_string().hash(&mut hasher);
            product["hash"] = json!(format!("{:016x}", hasher.finish()));
        }
        let every = products.len().div_ceil(QUERIES);
        let queries = products.iter().step_by(every).enumerate();
        let queries = queries.filter_map(|(at, product)| {
            let words = product["name"].as_str()?.split_whitespace();
            let query: Vec<&str> = words.take(1 + at % 2).collect();
            Some(query.join(" "))
        });
        Ok(Some(Self {
            queries: queries.collect(),
            products,
        }))
    }

    /// Number of products.
    pub fn len(&self) -> usize {
        self.products.len()
    }

    /// Returns the first `products` products as compressed blocks of the run `run`, if there is one.
    pub fn blocks(&self, products: usize, run: Option<&str>) -> Vec<Vec<u8>> {
        let products = &self.products[..products.min(self.len())];
        let block = |documents: &[Value]| {
            let mut body = json!({"language": LANGUAGE, "documents": documents});
            if let Some(run) = run {
                body["runId"] = json!(run);
            }
            gzip(body.to_string().as_bytes())
        };
        products.chunks(BLOCK).map(block).collect()
    }

    /// Returns the bodies of touches that name all products, unchanged, in the run `run`.
    pub fn touches(&self, run: &str) -> Vec<Vec<u8>> {
        let touch = |products: &[Value]| {
            let items = products.iter();
            let items = items.map(|product| json!({"id": product["id"], "hash": product["hash"]}));
            let items: Vec<Value> = items.collect();
            let body =
                json!({"runId": run, "type": "products", "language": LANGUAGE, "items": items});
            gzip(body.to_string().as_bytes())
        };
        self.products.chunks(TOUCHED).map(touch).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Catalogue, TOUCHED};
    use flate2::read::GzDecoder;
    use serde_json::{Value, json};

    fn decompressed(body: &[u8]) -> Value {
        serde_json::from_reader(GzDecoder::new(body)).expect("compressed JSON")
    }

    #[test]
    fn blocks_and_touches_name_every_product_once() {
        let product =
            |at: usize| json!({"id": at.to_string(), "name": "Cacao", "hash": at.to_string()});
        let catalogue = Catalogue {
            products: (0..TOUCHED + 1).map(product).collect(),
            queries: Vec::new(),
        };
        let blocks = catalogue.blocks(usize::MAX, Some("run"));
        let products = blocks.iter().map(|block| decompressed(block));
        let products = products.inspect(|block| assert_eq!(block["runId"], "run"));
        let sizes: Vec<_> = products
            .map(|block| block["documents"].as_array().map_or(0, Vec::len))
            .collect();
        assert_eq!(sizes, [BLOCK, BLOCK, BLOCK, BLOCK, 1]);
        let touches = catalogue.touches("run");
        let last = decompressed(touches.last().expect("a touch"));
        assert_eq!(touches.len(), 2);
        assert_eq!(
            last["items"],
            json!([{"id": TOUCHED.to_string(), "hash": TOUCHED.to_string()}])
        );
        assert_eq!(catalogue.blocks(10, None).len(), 1);
    }
}
