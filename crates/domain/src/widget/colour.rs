//! Checks CSS colours (CSS Color Module Level 4).

use crate::first_characters;
use crate::limits::COLOUR_CHARACTERS_MAX;
use crate::message::{self, Message};
use serde_json::Value;

/// CSS functions that return a colour.
const FUNCTIONS: [&str; 9] = [
    "rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch",
];

/// Checks that `value` is the text of a colour.
pub(super) fn check(value: &Value) -> Result<(), Message> {
    let valid = value.as_str().is_some_and(is_colour);
    if valid {
        return Ok(());
    }
    let text = value.to_string();
    let shown = first_characters(&text, COLOUR_CHARACTERS_MAX);
    Err(message::widget::colour(shown))
}

fn is_colour(text: &str) -> bool {
    let lower = text.trim_matches(' ').to_ascii_lowercase();
    if lower.len() > COLOUR_CHARACTERS_MAX {
        return false;
    }
    if let Some(digits) = lower.strip_prefix('#') {
        let hexadecimal = digits.bytes().all(|b| b.is_ascii_hexdigit());
        return hexadecimal && matches!(digits.len(), 3 | 4 | 6 | 8);
    }
    match lower.split_once('(') {
        Some((function, rest)) => {
            let arguments = rest.strip_suffix(')').unwrap_or_default();
            FUNCTIONS.contains(&function) && are_numbers(arguments)
        }
        None => NAMES.split_whitespace().any(|name| name == lower),
    }
}

/// Returns whether `arguments` are three or four numbers with optional units, separated by spaces or commas, with at
/// most one slash.
fn are_numbers(arguments: &str) -> bool {
    let parts: Vec<&str> = arguments
        .split([' ', ',', '/'])
        .filter(|part| !part.is_empty())
        .collect();
    let number = |part: &&str| {
        let digits = ["%", "deg", "grad", "rad", "turn"]
            .iter()
            .find_map(|unit| part.strip_suffix(unit))
            .unwrap_or(part);
        *part == "none" || digits.parse::<f64>().is_ok_and(f64::is_finite)
    };
    matches!(parts.len(), 3 | 4) && parts.iter().all(number) && arguments.matches('/').count() <= 1
}

/// The named colours of CSS Color Level 4.
const NAMES: &str = "transparent currentcolor \
    aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood \
    cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray \
    darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen \
    darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue \
    firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew \
    hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan \
    lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue \
    lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine \
    mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise \
    mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange \
    orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum \
    powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna \
    silver skyblue slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet \
    wheat white whitesmoke yellow yellowgreen";
