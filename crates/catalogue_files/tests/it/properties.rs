//! 1. No bytes make the reader panic, and a result's counts agree. 2. What is read does not depend on the container.
//! 3. Cells of any text come back as names, white space folded.

use crate::harness::{read_bytes, settings};
use domain::label_text::label_text;
use proptest::prelude::*;

fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(b"sku,name,price,item_group_id\n".to_vec()),
        Just(b"<rss><channel><item>".to_vec()),
        Just(b"</item></channel></rss>".to_vec()),
        Just(b"<id>1</id><title><![CDATA[x]]></title>".to_vec()),
        Just(b"[{\"id\":1,\"title\":\"a\"},".to_vec()),
        Just(b"{\"products\":[{\"sku\":\"1\",\"name\":\"b\"}]}".to_vec()),
        Just(b"1,a,\"5,00 \xe2\x82\xac\",g\n".to_vec()),
        Just(b"\"\r\n&amp;&#0;<!--".to_vec()),
        Just(vec![0xff, 0xfe, 0, 0]),
        proptest::collection::vec(any::<u8>(), 0..24),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in pieces()) {
        if let Ok(outcome) = read_bytes(&bytes, &settings()) {
            let result = &outcome.result;
            prop_assert_eq!(result.documents, outcome.documents.len() as u64);
            let skipped: u64 = result.skipped.values().sum();
            prop_assert!(result.documents + result.rejected_count() + skipped <= result.received.max(1) * 2);
        }
    }

    #[test]
    fn names_come_back(names in proptest::collection::vec("[^\\p{Cc}<&]{1,30}", 1..20)) {
        let mut text = "sku;name;price\n".to_owned();
        for (number, name) in names.iter().enumerate() {
            text.push_str(&format!("{number};\"{}\";1\n", name.replace('"', "\"\"")));
        }
        let outcome = read_bytes(text.as_bytes(), &settings()).expect("read");
        for document in &outcome.documents {
            let number: usize = document["id"].as_str().and_then(|id| id.parse().ok()).expect("a number");
            let name = label_text(&names[number]);
            prop_assert_eq!(document["name"].as_str(), Some(name.as_str()));
        }
    }
}
