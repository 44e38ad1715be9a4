//! `evaluate --known-items`: queries out of the names of six real catalogues, clean and with noise, compared with floors.

use super::catalogues::{self, Fed};
use super::{Options, SEED};
use crate::failure::{Failure, Outcome};
use evaluation::known_items::{DEPTH, KnownItemMeasures, NoiseMeasures, measure, sample};
use std::path::Path;

/// Measures the catalogues and prints a table of each.
///
/// Errors: if a share is below its floor, after all tables.
pub fn run(data: &Path, options: &Options) -> Outcome<()> {
    let below = catalogues::each(data, options, |fed| {
        let measures = measured(fed, options)?;
        print!("{}", table(fed.file, &measures));
        Ok(measures.noises.iter().filter(|row| is_below(row)).count())
    })?;
    match below {
        0 => Ok(()),
        _ => Err(Failure::new(format!(
            "{below} shares are below their floor"
        ))),
    }
}

fn measured(fed: &Fed, options: &Options) -> Outcome<KnownItemMeasures> {
    let items = sample(&fed.names, SEED, options.sample);
    let language = fed.names.language();
    let search = |q: &str| Ok(fed.shopper.search(q, language, DEPTH)?.ids);
    measure(&items, search, |item, noise, [clean, noisy]| {
        if options.per_query && noisy < clean {
            let typed = item.noisy.iter().find(|(of, _)| *of == noise);
            let typed = typed.map_or("", |(_, query)| query.as_str());
            let name = noise.as_str();
            println!("{name:<12} {clean:.2} {noisy:.2}  {} → {typed}", item.query);
        }
    })
}

fn table(file: &str, measures: &KnownItemMeasures) -> String {
    let KnownItemMeasures { queries, mrr, .. } = measures;
    let mut text = format!("\n{file}: {queries} queries, MRR {mrr:.3}\n");
    text.push_str("noise         queries  clean  noisy  share  floor\n");
    for row in &measures.noises {
        let share = row.share();
        let shown = share.map_or("-".to_owned(), |share| format!("{share:.3}"));
        let mark = if is_below(row) { "  below" } else { "" };
        text.push_str(&format!(
            "{:<12} {:>8}  {:.3}  {:.3}  {shown:<5}  {:.2}{mark}\n",
            row.noise.as_str(),
            row.queries,
            row.clean,
            row.noisy,
            row.noise.floor()
        ));
    }
    text
}

fn is_below(row: &NoiseMeasures) -> bool {
    row.share().is_some_and(|share| share < row.noise.floor())
}
