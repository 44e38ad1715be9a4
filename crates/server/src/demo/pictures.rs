//! The pictures of the demo's products: a silhouette per kind, in a colour.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

const FILE: &str = include_str!("../../demo/silhouettes.toml");
const SHOP: &str = include_str!("../../demo/shop.toml");

const INK: &str = "#2b2e34";
const METAL: &str = "#a3abb3";
const PAPER: &str = "#fffdf8";
const GLOW: &str = "#f2c14e";

static SILHOUETTES: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    toml::from_str(FILE).expect("the drawings are part of the program and a test reads them")
});

static PAINTS: LazyLock<BTreeMap<String, Paint>> = LazyLock::new(|| {
    let palette: Palette =
        toml::from_str(SHOP).expect("the palette is part of the program and a test reads it");
    palette.picture
});

#[derive(Deserialize)]
struct Palette {
    picture: BTreeMap<String, Paint>,
}

/// The shades of one colour of the shop.
#[derive(Deserialize)]
struct Paint {
    main: String,
    shade: String,
    light: String,
    ground: String,
}

/// Returns the picture of a product of `kind` in `colour`, or `None` for an unknown kind or colour.
pub fn svg(kind: &str, colour: &str) -> Option<String> {
    let silhouette = SILHOUETTES.get(kind)?;
    let paint = PAINTS.get(colour)?;
    let drawing = paint.apply(silhouette.trim());
    let (ground, shade) = (&paint.ground, &paint.shade);
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-20 -20 240 240\" width=\"480\" height=\"480\">\n\
         <rect x=\"-20\" y=\"-20\" width=\"240\" height=\"240\" fill=\"{ground}\"/>\n\
         <ellipse cx=\"100\" cy=\"172\" rx=\"72\" ry=\"6\" fill=\"{shade}\" opacity=\".2\"/>\n\
         {drawing}\n</svg>\n"
    ))
}

impl Paint {
    fn apply(&self, silhouette: &str) -> String {
        let inks = [
            ("$m", self.main.as_str()),
            ("$s", &self.shade),
            ("$l", &self.light),
            ("$k", INK),
            ("$g", METAL),
            ("$w", PAPER),
            ("$y", GLOW),
        ];
        let painted = |drawing: String, (name, ink): (&str, &str)| drawing.replace(name, ink);
        inks.into_iter().fold(silhouette.to_owned(), painted)
    }
}

#[cfg(test)]
mod tests {
    //! 1. Every silhouette works in every colour, without unreplaced placeholders.
    //! 2. An unknown kind or colour has no picture.

    use super::*;

    #[test]
    fn every_kind_comes_in_every_colour() {
        assert!(SILHOUETTES.len() >= 70, "{}", SILHOUETTES.len());
        assert_eq!(PAINTS.len(), 16);
        for kind in SILHOUETTES.keys() {
            for colour in PAINTS.keys() {
                let picture = svg(kind, colour).unwrap_or_default();
                assert!(picture.starts_with("<svg "), "{kind}-{colour}");
                assert!(!picture.contains('$'), "{kind}-{colour}");
            }
        }
    }

    #[test]
    fn unknown_kinds_and_colours_have_no_picture() {
        assert_eq!(svg("spaceship", "red"), None);
        assert_eq!(svg("tent", "octarine"), None);
    }
}
