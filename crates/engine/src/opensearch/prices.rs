//! The prices of a visitor as queries, sort keys and aggregations: a price is in one field, or in a second one for products
//! that lack the first.

use super::fields;
use super::queries::{any, every, exists, not, nothing, term};
use domain::document::price::VisitorPrice;
use domain::document::price::{PriceField, price_in};
use domain::search::RangeValue;
use domain::visitor::Visitor;
use serde_json::{Value, json};

/// Finds the price of a document; `params.none` where it has none.
const PRICE: &str = "\
for (def field : params.fields) {
  if (doc.containsKey(field) && doc[field].size() > 0) { return doc[field].value; }
}
return params.none;";

/// The fields of the prices of a visitor, each with that of its former price, by precedence.
pub struct VisitorPrices {
    fields: Vec<[PriceField; 2]>,
    /// The currency of the visitor, where it is not that of the document.
    pub currency: Option<String>,
}

impl VisitorPrices {
    /// Those of `visitor`.
    pub fn new(visitor: &Visitor) -> Self {
        Self {
            fields: visitor.prices.fields(),
            currency: visitor.prices.currency.clone(),
        }
    }

    /// The names of the fields of current prices.
    fn names(&self) -> Vec<String> {
        self.fields
            .iter()
            .map(|[field, _]| fields::price(field))
            .collect()
    }

    /// For each field a filter of the documents whose price it is.
    fn cases(&self) -> impl Iterator<Item = (String, Vec<Value>)> {
        let names = self.names();
        (0..names.len()).map(move |at| {
            let before = names[..at].iter().map(|name| not(exists(name)));
            (names[at].clone(), before.collect())
        })
    }

    /// Documents with a price within `range`.
    pub fn within(&self, range: RangeValue) -> Value {
        let cases = self.cases().map(|(name, mut filters)| {
            filters.push(in_range(&name, range));
            every(filters)
        });
        any(cases.collect())
    }

    /// Documents whose price is below their former one.
    pub fn discounted(&self) -> Value {
        let cases = self
            .cases()
            .zip(&self.fields)
            .map(|((_, mut filters), [field, _])| {
                filters.push(term(fields::CHEAPER, &field.to_string()));
                every(filters)
            });
        any(cases.collect())
    }

    /// The sort key of prices; products without one come last.
    pub fn sort(&self, is_ascending: bool) -> Value {
        let order = if is_ascending { "asc" } else { "desc" };
        match self.names().as_slice() {
            [name] => {
                json!({name: {"order": order, "missing": "_last", "unmapped_type": "double"}})
            }
            names => {
                let none = if is_ascending { f64::MAX } else { f64::MIN };
                json!({"_script": {"type": "number", "order": order, "script": {
                    "source": PRICE, "params": {"fields": names, "none": none},
                }}})
            }
        }
    }

    /// The script of a number that depends on the price; `missing` where there is none.
    pub fn script(&self, source: impl FnOnce(&str) -> String) -> (String, Value) {
        let read = "def value = null; for (def field : params.fields) { \
                    if (value == null && doc.containsKey(field) && doc[field].size() > 0) { value = doc[field].value; } }";
        (source(read), json!(self.names()))
    }

    /// The aggregation of the lowest and the highest price.
    pub fn bounds(&self) -> Value {
        let cases = self.cases().enumerate().map(|(at, (name, filters))| {
            let own = json!({
                "filter": every(filters),
                "aggs": {"min": {"min": {"field": name}}, "max": {"max": {"field": name}}},
            });
            (format!("case{at}"), own)
        });
        Value::Object(cases.collect())
    }

    /// The price of a document with these prices by field.
    pub fn of(&self, prices: &Value) -> Option<VisitorPrice> {
        price_in(self.fields.iter().cloned(), |field| {
            prices[field.to_string()].as_f64()
        })
    }

    /// The stored fields of the prices.
    pub fn stored(&self) -> impl Iterator<Item = String> {
        let all = self.fields.iter().flatten();
        all.map(|field| format!("{}.prices.{field}", fields::NUMBERS))
    }
}

/// Documents whose `field` is within `range`.
pub fn in_range(field: &str, range: RangeValue) -> Value {
    let mut own = json!({});
    if let Some(min) = range.min {
        own["gte"] = json!(min);
    }
    if let Some(max) = range.max {
        own["lte"] = json!(max);
    }
    match own.as_object().is_some_and(|own| own.is_empty()) {
        true => exists(field),
        false if range.min.is_some_and(f64::is_nan) => nothing(),
        false => json!({"range": {field: own}}),
    }
}
