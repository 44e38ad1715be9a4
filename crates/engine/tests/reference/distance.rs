//! The edit distance with transpositions (optimal string alignment): no character is edited twice.

pub fn distance(a: &str, b: &str) -> u32 {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let changed = usize::from(a[i - 1] != b[j - 1]);
                let mut least = (table[i - 1][j] + 1)
                    .min(table[i][j - 1] + 1)
                    .min(table[i - 1][j - 1] + changed);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    least = least.min(table[i - 2][j - 2] + 1);
                }
                least
            };
        }
    }
    table[a.len()][b.len()] as u32
}

#[test]
fn transpositions_are_one_edit_and_characters_are_edited_once() {
    for (a, b, edits) in [
        ("", "", 0),
        ("tent", "tent", 0),
        ("tent", "tnet", 1),
        ("tent", "ten", 1),
        ("tent", "stent", 1),
        ("ca", "abc", 3),
        ("ñu", "nu", 1),
    ] {
        assert_eq!(distance(a, b), edits, "{a} {b}");
        assert_eq!(distance(b, a), edits, "{b} {a}");
    }
}
