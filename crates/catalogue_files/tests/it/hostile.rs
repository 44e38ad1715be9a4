//! Hostile and broken files: each ends with its code, in memory that does not grow with it.

use crate::harness::{error_of, read_bytes, read_file, read_text, settings};
use catalogue_files::{FileErrorCode, ReadError};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{Cursor, Seek, SeekFrom, Write};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("packed");
    encoder.finish().expect("packed")
}

fn zip(names: &[&str]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for name in names {
        archive.start_file(*name, options).expect("an entry");
        archive.write_all(b"sku,name\n1,a\n").expect("packed");
    }
    archive.finish().expect("packed").into_inner()
}

fn assert_code(bytes: &[u8], code: &str) {
    let error = error_of(bytes);
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(60)]).into_owned();
    assert_eq!(error.code.as_str(), code, "{error}: {head}");
}

#[test]
fn each_container_and_format_has_its_codes() {
    let csv = b"sku,name\n1,a\n";
    let packed = gzip(&csv.repeat(1_000));
    let mut damaged = packed.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0xff;
    let mut cut_zip = zip(&["a.csv"]);
    cut_zip.truncate(cut_zip.len() - 30);
    for (bytes, code) in [
        (b"".to_vec(), "empty_file"),
        (b" \n\t\r\n".to_vec(), "empty_file"),
        (b"\xef\xbb\xbf\n".to_vec(), "empty_file"),
        (b"just a text\nof lines\n".to_vec(), "format_unknown"),
        (b"{\"a\": {\"b\": 1}}".to_vec(), "format_unknown"),
        (
            b"{\"x\": [{\"a\":1}], \"y\": [{\"a\":1}]}".to_vec(),
            "format_unknown",
        ),
        (
            b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(),
            "format_unknown",
        ),
        (
            b"<!DOCTYPE html><html><body>Sign in</body></html>".to_vec(),
            "html_page",
        ),
        (b"  <HTML>".to_vec(), "html_page"),
        (
            zip(&["[Content_Types].xml", "xl/workbook.xml"]),
            "spreadsheet",
        ),
        (zip(&["a.csv", "b.csv"]), "archive_entries"),
        (zip(&["__MACOSX/a"]), "archive_entries"),
        (zip(&[]), "archive_entries"),
        (gzip(&packed), "archive_entries"),
        (gzip(&zip(&["a.csv"])), "archive_entries"),
        (cut_zip, "truncated"),
        (packed[..packed.len() - 9].to_vec(), "truncated"),
        (damaged, "malformed"),
    ] {
        assert_code(&bytes, code);
    }
}

#[test]
fn each_broken_text_has_its_code() {
    let columns = (0..100_000)
        .map(|n| format!("c{n}"))
        .collect::<Vec<_>>()
        .join(",");
    let deep = format!(
        "[{{\"id\":1,\"title\":{}1{}}}]",
        "[".repeat(40),
        "]".repeat(40)
    );
    let nested = format!(
        "<rss><channel><item>{}</item></channel></rss>",
        "<a>".repeat(30)
    );
    let attributes = (0..70)
        .map(|n| format!("a{n}='1'"))
        .collect::<Vec<_>>()
        .join(" ");
    let attributes = format!("<rss><channel><item {attributes}/></channel></rss>");
    let entities = "<!DOCTYPE x [<!ENTITY a \"b\"><!ENTITY c \"&a;&a;\">]><rss><channel/></rss>";
    for (bytes, code) in [
        (b"[{\"id\":1,\"title\":\"a\"},".to_vec(), "truncated"),
        (b"[{\"id\":1,\"title\":\"a\"".to_vec(), "truncated"),
        (b"[{\"id\":1,\"title\":\"a\"}] x".to_vec(), "malformed"),
        (b"[{\"id\":1 \"title\":\"a\"}]".to_vec(), "malformed"),
        (b"[{\"id\":1]}".to_vec(), "malformed"),
        (deep.into_bytes(), "malformed"),
        (b"<rss><channel><item><id>1</id>".to_vec(), "truncated"),
        (
            b"<rss><channel><item><id>1</item></channel></rss>".to_vec(),
            "malformed",
        ),
        (nested.into_bytes(), "malformed"),
        (attributes.into_bytes(), "malformed"),
        (entities.as_bytes().to_vec(), "doctype"),
        (b"sku,name\n1,\"open\n2,b\n3,c\n".to_vec(), "quote_open"),
        (columns.into_bytes(), "too_many_columns"),
        (
            format!("sku,name,{}\n", "x".repeat(256)).into_bytes(),
            "too_many_columns",
        ),
        (b"[]".to_vec(), "no_documents"),
        (b"sku,name\n".to_vec(), "no_documents"),
        (b"<rss><channel></channel></rss>".to_vec(), "no_documents"),
        (gzip(&vec![b'x'; 64 << 20]), "too_large"),
    ] {
        assert_code(&bytes, code);
    }
    let open = error_of(b"sku,name\n1,\"open\n2,b\n");
    assert_eq!(open.line, Some(2));
}

#[test]
fn json_objects_may_have_thousands_of_keys_only() {
    let keys: Vec<String> = (0..3_000).map(|n| format!("\"k{n}\":1")).collect();
    let text = format!("[{{\"id\":\"1\",\"title\":\"x\",{}}}]", keys.join(","));
    assert_eq!(
        error_of(text.as_bytes()).code,
        FileErrorCode::TooManyColumns
    );
}

/// A sparse file, which takes no room on the disk.
fn sparse(start: &[u8], length: u64, end: &[u8]) -> std::fs::File {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(start).expect("written");
    file.seek(SeekFrom::Start(length)).expect("moved");
    file.write_all(end).expect("written");
    file
}

#[test]
fn long_lines_and_tokens_take_no_memory() {
    let nul = read_file(sparse(b"sku,name\n1,", 64 << 20, b"\n2,b\n"), &settings()).expect("read");
    assert_eq!(nul.rejected(), [("name_missing", 1)], "NULs are removed");
    assert_eq!(nul.ids(), ["2"]);
    let long = "x".repeat(3 << 20);
    let quoted = format!("sku,name\n1,\"{long}");
    assert_eq!(error_of(quoted.as_bytes()).code, FileErrorCode::QuoteOpen);
    let delimiters = format!("sku,name\n1,a{}\n2,b\n", ",".repeat(3 << 20));
    assert_eq!(
        read_text(&delimiters).documents.len(),
        2,
        "empty cells beyond the header"
    );
    let quotes = format!("sku,name\n1,{}\n2,b\n", "\"\"".repeat(3 << 20));
    let quotes = error_of(quotes.as_bytes());
    assert_eq!(
        quotes.code,
        FileErrorCode::QuoteOpen,
        "the row is too large inside of quotes"
    );
    for token in [
        format!("<rss><channel><item><id>1</id><title>{long}</title></item></channel></rss>"),
        format!("<rss><channel><!--{long}--></channel></rss>"),
        format!("<rss><channel><item a=\"{long}\"/></channel></rss>"),
        format!("<rss><{long}"),
    ] {
        let error = error_of(token.as_bytes());
        assert!(
            matches!(
                error.code,
                FileErrorCode::Malformed | FileErrorCode::Truncated
            ),
            "{error}"
        );
    }
    let tags: String = (0..200_000).map(|n| format!("t{n},")).collect();
    let many = read_text(&format!(
        "sku\tname\ttags\n1\ta\t{}\n",
        &tags[..tags.len().min(1 << 20) - 20]
    ));
    assert!(
        many.only()["tags"]
            .as_array()
            .is_some_and(|tags| tags.len() <= 2_000)
    );
}

#[test]
fn what_is_kept_in_extra_is_bounded() {
    let header: Vec<String> = (0..600).map(|n| format!("x{n}")).collect();
    let cells = vec!["v"; 600].join(",");
    let outcome = read_text(&format!("sku,name,{}\n1,a,{cells}\n", header.join(",")));
    assert_eq!(
        outcome.only()["extra"]
            .as_object()
            .map(serde_json::Map::len),
        Some(500)
    );
    assert_eq!(outcome.warnings(), ["extra_cut"]);
    let long = "x".repeat(80 << 10);
    let outcome = read_text(&format!("sku,name,x,y\n1,a,{long},b\n"));
    assert_eq!(outcome.warnings(), ["extra_cut"]);
}

#[test]
fn a_preview_reads_the_first_rows() {
    let mut text = "sku,name\n".to_owned();
    for number in 0..100_010 {
        text.push_str(&format!("{number},a\n"));
    }
    let mut preview = settings();
    preview.is_preview = true;
    let outcome = read_bytes(text.as_bytes(), &preview).expect("read");
    assert!(outcome.result.sampled);
    assert_eq!(
        (outcome.result.received, outcome.documents.len()),
        (100_000, 100_000)
    );
    let whole = read_bytes(text.as_bytes(), &settings()).expect("read");
    assert_eq!(whole.documents.len(), 100_010);
    assert!(
        whole
            .ids()
            .iter()
            .enumerate()
            .all(|(at, id)| id.parse() == Ok(at)),
        "in the order of the file"
    );
}

#[test]
fn a_caller_may_cancel() {
    let mut text = "sku,name\n".to_owned();
    (0..5_000).for_each(|number| text.push_str(&format!("{number},a\n")));
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(text.as_bytes()).expect("written");
    let folder = tempfile::tempdir().expect("a folder");
    let settings = settings();
    let opened = catalogue_files::OpenedFile::open(file, &settings).expect("opened");
    let ended = catalogue_files::read(&opened, &settings, folder.path(), &mut |rows| rows < 2_000);
    assert!(matches!(ended, Err(ReadError::Cancelled)));
}
