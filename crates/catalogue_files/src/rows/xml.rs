//! Rows of XML: the items of an RSS channel, or the entries of an Atom feed.

use super::columns::FileColumns;
use super::format::FileFormat;
use super::json::too_large;
use super::{Row, RowItem, Rows, is_empty};
use crate::bounds::{ROW_BYTES_MAX, XML_ATTRIBUTES_MAX, XML_DEPTH_MAX};
use crate::error::{FileError, FileErrorCode, ReadError};
use quick_xml::Error as XmlError;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::name::ResolveResult;
use quick_xml::reader::NsReader;
use serde_json::{Map, Value};
use std::cell::Cell;
use std::io::{self, BufRead, Read};
use std::rc::Rc;

/// The namespace of the attributes of product feeds, without its scheme.
const PRODUCT_NAMESPACE: &str = "://base.google.com/ns/1.0";

/// Reads the items of a feed.
pub struct XmlRows<R> {
    reader: NsReader<TokenReader<R>>,
    counts: Rc<TokenCounts>,
    buffer: Vec<u8>,
    /// Elements that are open, outermost first; those above the item are without content.
    open: Vec<Element>,
    format: FileFormat,
    /// Language that the feed declares.
    pub language: Option<String>,
    number: u64,
    item_line: u64,
    item_bytes: usize,
    is_over: bool,
}

#[derive(Default)]
struct Element {
    name: String,
    text: String,
    children: Map<String, Value>,
    href: Option<String>,
}

impl<R: BufRead> XmlRows<R> {
    /// Reads the text up to its first item.
    ///
    /// Errors: the root is none of a feed.
    pub fn open(input: R) -> Result<Self, ReadError> {
        let counts = Rc::new(TokenCounts::default());
        let reader = TokenReader {
            input,
            counts: Rc::clone(&counts),
        };
        let mut rows = Self {
            reader: NsReader::from_reader(reader),
            counts,
            buffer: Vec::new(),
            open: Vec::new(),
            format: FileFormat::Rss,
            language: None,
            number: 0,
            item_line: 1,
            item_bytes: 0,
            is_over: false,
        };
        while rows.open.is_empty() {
            if rows.step()?.is_some() || rows.is_over {
                break;
            }
        }
        if rows.is_over {
            return Err(rows.error(FileErrorCode::Truncated, "the XML text has no element"));
        }
        Ok(rows)
    }

    /// Returns whether it is RSS or Atom.
    pub fn format(&self) -> FileFormat {
        self.format
    }

    /// Reads one token; returns an item that it ends.
    fn step(&mut self) -> Result<Option<Element>, ReadError> {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        self.counts.token.set(0);
        let line = self.counts.lines.get() + 1;
        let event = self.reader.read_event_into(&mut buffer);
        let result = match event {
            Ok(event) => self.event(event, line),
            Err(error) => Err(self.converted(error)),
        };
        self.buffer = buffer;
        result
    }

    fn event(&mut self, event: Event<'_>, line: u64) -> Result<Option<Element>, ReadError> {
        match event {
            Event::Start(start) => self.start(&start, line).map(|()| None),
            Event::Empty(start) => {
                self.start(&start, line)?;
                self.end()
            }
            Event::End(_) => self.end(),
            Event::Text(text) => {
                self.text(&text);
                Ok(None)
            }
            Event::CData(text) => {
                self.text(&text);
                Ok(None)
            }
            Event::GeneralRef(reference) => {
                let text = self.resolved(&reference)?;
                self.text(&text);
                Ok(None)
            }
            Event::DocType(_) => {
                Err(self.error(FileErrorCode::Doctype, "a document type is not allowed"))
            }
            Event::Eof if self.open.is_empty() => {
                self.is_over = true;
                Ok(None)
            }
            Event::Eof => Err(self.error(
                FileErrorCode::Truncated,
                "the XML text ends inside of an element",
            )),
            Event::Decl(_) | Event::PI(_) | Event::Comment(_) => Ok(None),
        }
    }

    fn start(&mut self, start: &BytesStart<'_>, line: u64) -> Result<(), ReadError> {
        if self.open.len() == XML_DEPTH_MAX {
            let message = format!("elements deeper than {XML_DEPTH_MAX} levels");
            return Err(self.error(FileErrorCode::Malformed, &message));
        }
        let name = self.name(start);
        let mut element = Element {
            name,
            ..Element::default()
        };
        for (count, attribute) in start.attributes().with_checks(false).enumerate() {
            if count == XML_ATTRIBUTES_MAX {
                let message = format!("an element with more than {XML_ATTRIBUTES_MAX} attributes");
                return Err(self.error(FileErrorCode::Malformed, &message));
            }
            let Ok(attribute) = attribute else {
                return Err(self.error(FileErrorCode::Malformed, "an attribute without a value"));
            };
            let value = html_escape::decode_html_entities(&attribute.value).into_owned();
            match attribute.key.as_ref() {
                "href" => element.href = Some(value),
                "xml:lang" if self.open.is_empty() => self.language = Some(value),
                _ => {}
            }
        }
        if self.open.is_empty() {
            self.format = match element.name.as_str() {
                "rss" => FileFormat::Rss,
                "feed" => FileFormat::Atom,
                other => {
                    let message = format!("<{other}> is the root of neither RSS nor Atom");
                    return Err(self.error(FileErrorCode::FormatUnknown, &message));
                }
            };
        }
        self.open.push(element);
        if self.is_item() && self.open.len() == self.item_depth() {
            self.item_line = line;
            self.item_bytes = 0;
        }
        Ok(())
    }

    fn name(&self, start: &BytesStart<'_>) -> String {
        let (namespace, local) = self.reader.resolver().resolve_element(start.name());
        let is_product = match namespace {
            ResolveResult::Bound(namespace) => namespace.as_ref().ends_with(PRODUCT_NAMESPACE),
            _ => false,
        };
        if is_product || start.name().prefix().is_none() {
            local.as_ref().to_owned()
        } else {
            start.name().as_ref().to_owned()
        }
    }

    fn item_depth(&self) -> usize {
        match self.format {
            FileFormat::Atom => 2,
            _ => 3,
        }
    }

    /// Returns whether an item is open.
    fn is_item(&self) -> bool {
        let path: &[&str] = match self.format {
            FileFormat::Atom => &["feed", "entry"],
            _ => &["rss", "channel", "item"],
        };
        let names = self.open.iter().map(|element| element.name.as_str());
        self.open.len() >= path.len() && names.zip(path).all(|(name, step)| name == *step)
    }

    fn text(&mut self, text: &str) {
        let is_language = self.language.is_none()
            && self.open.len() == self.item_depth()
            && self.open.last().is_some_and(|last| last.name == "language");
        if !self.is_item() && !is_language {
            return;
        }
        self.item_bytes += text.len();
        if self.item_bytes <= ROW_BYTES_MAX
            && let Some(last) = self.open.last_mut()
        {
            last.text.push_str(text);
        }
    }

    fn end(&mut self) -> Result<Option<Element>, ReadError> {
        let was_item = self.is_item();
        let is_outermost = self.open.len() == self.item_depth();
        let Some(element) = self.open.pop() else {
            return Err(self.error(FileErrorCode::Malformed, "an end tag without a start tag"));
        };
        if was_item && is_outermost {
            return Ok(Some(element));
        }
        if was_item && let Some(parent) = self.open.last_mut() {
            let name = element.name.clone();
            add(&mut parent.children, name, element.value());
        } else if element.name == "language" && !element.text.is_empty() {
            self.language = Some(element.text);
        }
        Ok(None)
    }

    fn resolved(&self, reference: &BytesRef<'_>) -> Result<String, ReadError> {
        match reference.resolve_char_ref() {
            Ok(Some(character)) => Ok(character.to_string()),
            Ok(None) => {
                let entity = format!("&{};", &**reference);
                Ok(html_escape::decode_html_entities(&entity).into_owned())
            }
            Err(error) => Err(self.error(FileErrorCode::Malformed, &error.to_string())),
        }
    }

    fn converted(&self, error: XmlError) -> ReadError {
        match error {
            XmlError::Io(error) => match error.get_ref().and_then(|e| e.downcast_ref()) {
                Some(inner) => FileError::clone(inner).into(),
                None => ReadError::Io(io::Error::new(error.kind(), error.to_string())),
            },
            XmlError::Syntax(error) if self.counts.is_over.get() => {
                self.error(FileErrorCode::Truncated, &error.to_string())
            }
            other => self.error(FileErrorCode::Malformed, &other.to_string()),
        }
    }

    fn error(&self, code: FileErrorCode, message: &str) -> ReadError {
        let line = self.counts.lines.get() + 1;
        FileError::new(code, message).on_line(line).into()
    }
}

impl Element {
    /// Returns its children, or its text, or the address it links to.
    fn value(self) -> Value {
        if !self.children.is_empty() {
            return Value::Object(self.children);
        }
        let is_blank = self.text.trim().is_empty();
        match self.href.filter(|_| is_blank) {
            Some(address) => Value::String(address),
            None => Value::String(self.text.trim().to_owned()),
        }
    }
}

/// Adds a value; several of one name are a list.
fn add(children: &mut Map<String, Value>, name: String, value: Value) {
    match children.get_mut(&name) {
        None => {
            children.insert(name, value);
        }
        Some(Value::Array(values)) => values.push(value),
        Some(first) => {
            let both = vec![std::mem::take(first), value];
            *first = Value::Array(both);
        }
    }
}

impl<R: BufRead> Rows for XmlRows<R> {
    fn next_row(&mut self, columns: &mut FileColumns) -> Result<Option<RowItem>, ReadError> {
        while !self.is_over {
            let Some(item) = self.step()? else {
                continue;
            };
            self.number += 1;
            if self.item_bytes > ROW_BYTES_MAX {
                return Ok(Some(too_large(self.number, self.item_line)));
            }
            let mut cells = Vec::with_capacity(item.children.len());
            for (name, value) in item.children {
                let column = columns.index(&name)?;
                if !is_empty(&value) {
                    cells.push((column, value));
                }
            }
            return Ok(Some(RowItem::Row(Row {
                number: self.number,
                line: self.item_line,
                cells,
            })));
        }
        Ok(None)
    }
}

/// Lines read, and bytes of the token that is being read.
#[derive(Default)]
struct TokenCounts {
    lines: Cell<u64>,
    token: Cell<usize>,
    is_over: Cell<bool>,
}

/// Counts lines, and ends with an error inside of a token that would take much memory.
struct TokenReader<R> {
    input: R,
    counts: Rc<TokenCounts>,
}

impl<R: BufRead> Read for TokenReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for TokenReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.counts.token.get() > ROW_BYTES_MAX + (ROW_BYTES_MAX >> 3) {
            let message = format!("a text of more than {ROW_BYTES_MAX} bytes");
            let error = FileError::new(FileErrorCode::Malformed, message);
            return Err(error.on_line(self.counts.lines.get() + 1).into());
        }
        let input = self.input.fill_buf()?;
        self.counts.is_over.set(input.is_empty());
        Ok(input)
    }

    fn consume(&mut self, amount: usize) {
        if let Ok(input) = self.input.fill_buf() {
            let lines = input.iter().take(amount).filter(|byte| **byte == b'\n');
            let lines = lines.count() as u64;
            self.counts.lines.set(self.counts.lines.get() + lines);
        }
        self.counts.token.set(self.counts.token.get() + amount);
        self.input.consume(amount);
    }
}
