//! Draws how the processor time of a search grows with products, stores and nodes, as pictures of lines in SVG.

use super::measured::Measured;
use super::setup::Setup;
use crate::failure::{Failure, Outcome};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
/// Room for the labels on each side.
const MARGIN: f64 = 56.0;
const COLORS: [&str; 6] = [
    "#0b6e99", "#b45309", "#15803d", "#9333ea", "#be123c", "#475569",
];

/// Lines by their name: points of a number and microseconds.
type Lines = BTreeMap<String, Vec<(f64, f64)>>;

/// Draws what has at least two points: by products with one store, by stores of one size, by nodes with one size.
///
/// # Errors
///
/// When a file cannot be written.
pub fn draw(folder: &Path, all: &[Measured]) -> Outcome<()> {
    fs::create_dir_all(folder).map_err(Failure::of(folder.display()))?;
    let of_stores = all.iter().map(|one| one.size.products).min();
    let largest = all
        .iter()
        .map(|one| one.size.stores * one.size.products)
        .max();
    let plots = [
        (
            "products",
            lines(
                all,
                |one| (one.size.stores == 1).then_some(one.size.products),
                Setup::name,
            ),
        ),
        (
            "stores",
            lines(
                all,
                |one| (Some(one.size.products) == of_stores).then_some(one.size.stores),
                Setup::name,
            ),
        ),
        (
            "nodes",
            lines(
                all,
                |one| {
                    (Some(one.size.stores * one.size.products) == largest)
                        .then_some(one.setup.nodes())
                },
                kind,
            ),
        ),
    ];
    for (name, lines) in plots {
        if lines.values().any(|points| points.len() > 1) {
            let path = folder.join(format!("search-by-{name}.svg"));
            fs::write(&path, svg(name, &lines)).map_err(Failure::of(path.display()))?;
            println!("{}", path.display());
        }
    }
    Ok(())
}

/// The name of a setup without its number of nodes.
fn kind(setup: Setup) -> String {
    let name = setup.name();
    name.split(',').next().unwrap_or_default().to_owned()
}

fn lines(
    all: &[Measured],
    at: impl Fn(&Measured) -> Option<usize>,
    name: impl Fn(Setup) -> String,
) -> Lines {
    let mut lines = Lines::new();
    for one in all {
        if let Some(at) = at(one) {
            let cost = one.of_search().iter().sum();
            lines
                .entry(name(one.setup))
                .or_default()
                .push((at as f64, cost));
        }
    }
    for points in lines.values_mut() {
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    lines
}

/// An axis, which shows each power of ten at the same distance.
struct Axis {
    least: f64,
    most: f64,
}

impl Axis {
    fn of(numbers: impl Iterator<Item = f64>) -> Self {
        let (least, most) = numbers.fold((f64::INFINITY, 0.0_f64), |(least, most), one| {
            (least.min(one), most.max(one))
        });
        Self {
            least: least.log10().floor(),
            most: most.log10().ceil().max(least.log10().floor() + 1.0),
        }
    }

    fn share(&self, number: f64) -> f64 {
        (number.log10() - self.least) / (self.most - self.least)
    }

    /// The powers of ten on it.
    fn ticks(&self) -> impl Iterator<Item = f64> {
        let (first, last) = (self.least as i32, self.most as i32);
        (first..=last).map(|power| 10_f64.powi(power))
    }
}

fn svg(name: &str, lines: &Lines) -> String {
    let points = || lines.values().flatten();
    let across = Axis::of(points().map(|point| point.0));
    let up = Axis::of(points().map(|point| point.1));
    let x = |number: f64| MARGIN + across.share(number) * (WIDTH - 2.0 * MARGIN);
    let y = |number: f64| HEIGHT - MARGIN - up.share(number) * (HEIGHT - 2.0 * MARGIN);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
         <text x=\"{MARGIN}\" y=\"24\">Processor time of a search in µs, by {name}</text>\n"
    );
    for tick in across.ticks() {
        let (at, bottom) = (x(tick), HEIGHT - MARGIN);
        let _ = writeln!(
            text,
            "<path d=\"M{at:.1} {MARGIN}V{bottom}\" stroke=\"#ddd\"/><text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick}</text>",
            bottom + 18.0
        );
    }
    for tick in up.ticks() {
        let (at, right) = (y(tick), WIDTH - MARGIN);
        let _ = writeln!(
            text,
            "<path d=\"M{MARGIN} {at:.1}H{right}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{tick}</text>",
            MARGIN - 6.0,
            at + 4.0
        );
    }
    for (at, (name, points)) in lines.iter().enumerate() {
        let color = COLORS[at % COLORS.len()];
        let path: Vec<String> = points
            .iter()
            .map(|(a, b)| format!("{:.1} {:.1}", x(*a), y(*b)))
            .collect();
        let _ = writeln!(
            text,
            "<path d=\"M{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>",
            path.join("L")
        );
        for (a, b) in points {
            let _ = writeln!(
                text,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{color}\"/>",
                x(*a),
                y(*b)
            );
        }
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{color}\">{name}</text>",
            MARGIN + 8.0,
            MARGIN + 16.0 * (at as f64 + 1.0)
        );
    }
    text + "</svg>\n"
}

#[cfg(test)]
mod tests {
    //! A line goes from the left to the right, and upwards where it grows; every power of ten has its place.

    use super::{Axis, Lines, svg};

    #[test]
    fn a_line_grows() {
        let lines = Lines::from([("A".to_owned(), vec![(10.0, 100.0), (1_000.0, 1_000.0)])]);
        let text = svg("products", &lines);
        assert!(text.contains("M56.0 304.0L584.0 56.0"), "{text}");
        assert!(text.contains(">100<") && text.contains(">A<"), "{text}");
    }

    #[test]
    fn powers_of_ten_have_places() {
        let axis = Axis::of([20.0, 3_000.0].into_iter());
        assert_eq!(
            axis.ticks().collect::<Vec<_>>(),
            [10.0, 100.0, 1_000.0, 10_000.0]
        );
        assert!((axis.share(100.0) - 1.0 / 3.0).abs() < 1e-9);
        // One number alone has an axis, too.
        assert!(Axis::of([10.0].into_iter()).share(10.0).abs() < 1e-9);
    }
}
