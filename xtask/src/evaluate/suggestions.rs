//! `evaluate --suggestions`: what is suggested while names of six real catalogues are typed, compared with floors.

use super::catalogues::{self, Fed};
use super::{Options, SEED};
use crate::failure::{Failure, Outcome};
use evaluation::suggestions::{
    BEGINS_FLOOR, SHARE_FLOOR, SUGGESTIONS, SuggestedNames, halves, measure, prefixes,
};
use serde_json::{Value, json};
use std::path::Path;

/// Measures the catalogues and prints two lines for each.
///
/// Errors: if a share is below its floor, after all lines.
pub fn run(data: &Path, options: &Options) -> Outcome<()> {
    let below = catalogues::each(data, options, |fed| {
        let (prefixes, halves) = (
            prefixes(&fed.names),
            halves(&fed.names, SEED, options.sample),
        );
        let suggest = |q: &str| suggest(fed, q);
        let asked = (&prefixes[..], &halves[..]);
        let measures = measure(&fed.names, asked, suggest, |typed, expected| {
            if options.per_query {
                println!("{typed:?}: expected {expected}");
            }
        })?;
        let share = measures.share().unwrap_or(1.0);
        println!(
            "\n{}\nprefixes  {:>6}  first begins so  {:.3}  floor {BEGINS_FLOOR}",
            fed.file, measures.prefixes, measures.begins
        );
        println!(
            "halves    {:>6}  suggested {:.3} of {:.3}, share {share:.3}  floor {SHARE_FLOOR}",
            measures.names, measures.found, measures.attainable
        );
        Ok(usize::from(measures.begins < BEGINS_FLOOR) + usize::from(share < SHARE_FLOOR))
    })?;
    match below {
        0 => Ok(()),
        _ => Err(Failure::new(format!(
            "{below} shares are below their floor"
        ))),
    }
}

fn suggest(fed: &Fed, q: &str) -> Outcome<SuggestedNames> {
    let body =
        json!({"q": q, "lang": fed.names.language(), "limit": SUGGESTIONS, "analytics": false});
    let found = fed.shopper.post("/suggest", &body)?;
    let hits = |of: &str| found[of]["hits"].as_array().cloned().unwrap_or_default();
    let text = |hit: &Value, field: &str| hit[field].as_str().unwrap_or_default().to_owned();
    let products = hits("products");
    Ok(SuggestedNames {
        first: products.first().map(|hit| text(hit, "name")),
        products: products.iter().map(|hit| text(hit, "id")).collect(),
    })
}
