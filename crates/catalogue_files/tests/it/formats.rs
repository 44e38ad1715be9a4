//! 1. One catalogue in every format, container and namespace gives equal documents.
//! 2. Encodings are found out, and named.
//! 3. CSV has line ends inside quotes, short rows, empty rows, repeated columns, other line ends.
//! 4. A row that cannot be read is rejected alone.
//! 5. A stream of our own documents is told from any other file.

use crate::harness::{Outcome, read_bytes, read_text, read_with, settings};
use catalogue_files::is_stream_of_documents;
use domain::DocType;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use std::io::{Cursor, Write};

const JSON: &str = r#"{"id":"A1","title":"Tent & <b>Co</b>","link":"https://s.example/a","image_link":"https://s.example/a.jpg","price":"15.00 EUR","availability":"in stock","brand":"Acme"}
{"id":"A2","title":"Ñandú","link":"https://s.example/b","image_link":"https://s.example/b.jpg","price":"20 EUR","availability":"out of stock","brand":"Acme"}
"#;

fn feed(root: &str, prefix: &str, namespace: &str) -> String {
    let item = |id: &str, title: &str, at: &str, price: &str, availability: &str| {
        let tag = |name: &str, text: &str| format!("<{prefix}{name}>{text}</{prefix}{name}>");
        [
            tag("id", id),
            tag("title", title),
            tag("link", &format!("https://s.example/{at}")),
            tag("image_link", &format!("https://s.example/{at}.jpg")),
            tag("price", price),
            tag("availability", availability),
            tag("brand", "Acme"),
        ]
        .concat()
    };
    let first = item(
        "A1",
        "<![CDATA[Tent & <b>Co</b>]]>",
        "a",
        "15.00 EUR",
        "in stock",
    );
    let second = item("A2", "&Ntilde;and&#250;", "b", "20 EUR", "out of stock");
    match root {
        "rss" => format!(
            "<?xml version=\"1.0\"?><rss version=\"2.0\" {namespace}><channel><title>x</title>\
             <item>{first}</item>\n<item>{second}</item></channel></rss>"
        ),
        _ => format!(
            "<feed xmlns=\"http://www.w3.org/2005/Atom\" {namespace}><entry>{first}</entry>\
             <entry>{second}</entry></feed>"
        ),
    }
}

fn csv(delimiter: &str) -> String {
    let rows = [
        [
            "id",
            "title",
            "link",
            "image_link",
            "price",
            "availability",
            "brand",
        ],
        [
            "A1",
            "Tent & <b>Co</b>",
            "https://s.example/a",
            "https://s.example/a.jpg",
            "15.00 EUR",
            "in stock",
            "Acme",
        ],
        [
            "A2",
            "Ñandú",
            "https://s.example/b",
            "https://s.example/b.jpg",
            "20 EUR",
            "out of stock",
            "Acme",
        ],
    ];
    rows.map(|row| row.join(delimiter)).join("\r\n")
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("packed");
    encoder.finish().expect("packed")
}

fn zip(bytes: &[u8]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    archive.start_file("__MACOSX/x", options).expect("an entry");
    archive
        .start_file("products.csv", options)
        .expect("an entry");
    archive.write_all(bytes).expect("packed");
    archive.finish().expect("packed").into_inner()
}

#[test]
fn one_catalogue_in_every_format_is_the_same() {
    let array = format!("[{}]", JSON.trim().replace('\n', ","));
    let google = "xmlns:g=\"http://base.google.com/ns/1.0\"";
    let texts = [
        JSON.to_owned(),
        array.clone(),
        format!("{{\"total\":[1,2],\"products\":{array},\"next\":null}}"),
        csv(","),
        csv(";"),
        csv("\t"),
        format!("sep=|\n{}", csv("|")),
        feed("rss", "g:", google),
        feed("rss", "x:", "xmlns:x=\"https://base.google.com/ns/1.0\""),
        feed("rss", "", ""),
        feed("feed", "g:", google),
    ];
    let expected = read_text(JSON);
    assert_eq!(expected.ids(), ["A1", "A2"]);
    assert_eq!(expected.documents[0]["name"], "Tent & Co");
    assert_eq!(expected.documents[0]["priceInclTax"], 15);
    assert_eq!(expected.documents[1]["inStock"], false);
    assert_eq!(expected.result.file.profile, "google");
    for text in texts {
        for (container, bytes) in [
            ("plain", text.clone().into_bytes()),
            ("gzip", gzip(text.as_bytes())),
            ("zip", zip(text.as_bytes())),
        ] {
            let outcome = read_bytes(&bytes, &settings())
                .unwrap_or_else(|error| panic!("{error}: {container} {text}"));
            assert_eq!(outcome.documents, expected.documents, "{container} {text}");
            assert_eq!(outcome.result.file.container, container);
        }
    }
}

#[test]
fn encodings_are_found_out() {
    let text = "sku,name,price\n1,Señora €,5\n2,Cañón,6\n3,Muñeca pequeña,7\n";
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let (windows, ..) = encoding_rs::WINDOWS_1252.encode(text);
    let marked = [b"\xef\xbb\xbf".as_slice(), text.as_bytes()].concat();
    for (bytes, encoding) in [
        (marked, "UTF-8"),
        (text.as_bytes().to_vec(), "UTF-8"),
        (utf16, "UTF-16LE"),
        (windows.into_owned(), "windows-1252"),
    ] {
        let outcome = read_bytes(&bytes, &settings()).expect(encoding);
        assert_eq!(outcome.result.file.encoding, encoding);
        assert_eq!(outcome.documents[0]["name"], "Señora €", "{encoding}");
    }
    let mixed = [text.as_bytes(), b"4,\xff\x00bad,8\n"].concat();
    let mut declared = settings();
    declared.mapping.encoding = encoding_rs::Encoding::for_label(b"utf-8");
    let outcome = read_bytes(&mixed, &declared).expect("read");
    assert_eq!(outcome.documents.len(), 4, "it falls through to a guess");
    assert!(outcome.warnings().contains(&"control_characters"));
    let declared = b"<?xml version='1.0' encoding='iso-8859-1'?><rss><channel><item><id>1</id>\
                     <title>Se\xf1ora</title></item></channel></rss>";
    let outcome = read_bytes(declared, &settings()).expect("read");
    assert_eq!(outcome.only()["name"], "Señora");
}

#[test]
fn csv_as_it_is_written() {
    for end in ["\n", "\r\n", "\r"] {
        let text = [
            "sku;name;tags;tags;price",
            "1;\"a \"\"b\"\"",
            "c;d\";x;y;1,50",
            ";;;;",
            "",
            "2;short",
            "3;long;;;2;;surplus",
            "4;fine;;;3;;",
        ]
        .join(end);
        let outcome = read_text(&text);
        assert_eq!(outcome.ids(), ["1", "2", "4"], "{end:?}");
        assert_eq!(outcome.documents[0]["name"], "a \"b\" c;d");
        assert_eq!(outcome.documents[0]["tags"], json!(["x", "y"]));
        assert_eq!(outcome.documents[0]["priceInclTax"], 1.5);
        assert_eq!(outcome.rejected(), [("too_many_cells", 3)]);
        assert_eq!(outcome.result.rejected[0].line, 7);
        assert_eq!(outcome.result.received, 4);
    }
}

#[test]
fn a_broken_row_is_rejected_alone() {
    let long = "x".repeat(2 << 20);
    let lines = format!(
        "{{\"id\":\"1\",\"title\":\"a\"}}\n{{\"id\":\n[]\n{{\"id\":\"2\",\"title\":\"{long}\"}}\n\
         {{\"id\":\"3\",\"title\":\"c\"}}\n"
    );
    let outcome = read_text(&lines);
    assert_eq!(outcome.ids(), ["1", "3"]);
    let expected = [
        ("malformed_line", 2),
        ("malformed_line", 3),
        ("row_too_large", 4),
    ];
    assert_eq!(outcome.rejected(), expected);
    let csv = format!("sku,name\n1,{long}\n2,b\n");
    let outcome = read_text(&csv);
    assert_eq!(
        (outcome.ids(), outcome.rejected()),
        (vec!["2"], vec![("row_too_large", 1)])
    );
    let array = format!("[{{\"id\":1,\"title\":\"{long}\"}},{{\"id\":2,\"title\":\"b\"}}]");
    assert_eq!(read_text(&array).ids(), ["2"]);
}

#[test]
fn a_stream_of_documents_is_known() {
    for (text, expected) in [
        (
            "{\"id\":\"1\",\"name\":\"x\",\"priceInclTax\":1,\"what\":2}\n{broken",
            true,
        ),
        ("{\"id\":\"1\",\"name\":\"x\",\"price\":1}\n", false),
        ("[{\"id\":\"1\",\"name\":\"x\"}]", false),
        ("sku,name\n", false),
    ] {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(text.as_bytes()).expect("written");
        assert_eq!(
            is_stream_of_documents(file, DocType::Products),
            expected,
            "{text}"
        );
    }
}

#[test]
fn our_own_documents_stay_as_they_are() {
    let text =
        r#"[{"id":"1","name":"x","what":{"a":[1]},"priceInclTax":2.5},{"id":"2","name":"y"}]"#;
    let outcome: Outcome = read_with(text, &settings());
    assert_eq!(outcome.result.file.profile, "findwell");
    assert_eq!(
        serde_json::Value::Object(outcome.documents[0].clone()),
        json!({"id": "1", "name": "x", "what": {"a": [1]}, "priceInclTax": 2.5})
    );
}
