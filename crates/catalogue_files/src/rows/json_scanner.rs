//! Finds where values of a JSON text end, without keeping more of them than a bound.

use crate::bounds::JSON_DEPTH_MAX;
use crate::error::{FileError, FileErrorCode, ReadError};
use std::io::BufRead;

/// Reads values one after the other.
pub struct JsonScanner<R> {
    input: R,
    /// The line of the next byte, from 1.
    pub line: u64,
    column: u64,
}

impl<R: BufRead> JsonScanner<R> {
    /// Scans `input` from its start.
    pub fn new(input: R) -> Self {
        Self {
            input,
            line: 1,
            column: 1,
        }
    }

    /// Returns the next byte without consuming it.
    pub fn peek(&mut self) -> Result<Option<u8>, ReadError> {
        Ok(self.input.fill_buf()?.first().copied())
    }

    /// Consumes and returns the next byte.
    pub fn take(&mut self) -> Result<Option<u8>, ReadError> {
        let byte = self.peek()?;
        match byte {
            Some(b'\n') => {
                self.line += 1;
                self.column = 1;
            }
            Some(_) => self.column += 1,
            None => return Ok(None),
        }
        self.input.consume(1);
        Ok(byte)
    }

    /// Skips white space; returns the byte that follows.
    pub fn skip_white_space(&mut self) -> Result<Option<u8>, ReadError> {
        loop {
            match self.peek()? {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.take()?,
                other => return Ok(other),
            };
        }
    }

    /// Consumes `byte` after white space.
    ///
    /// Errors: another byte, or the end.
    pub fn expect(&mut self, byte: u8) -> Result<(), ReadError> {
        match self.skip_white_space()? {
            Some(found) if found == byte => {
                self.take()?;
                Ok(())
            }
            Some(_) => Err(self.malformed(&format!("expected '{}'", char::from(byte)))),
            None => Err(self.truncated()),
        }
    }

    /// Copies the next value into `out`, up to `max` bytes; returns whether that is all of it.
    pub fn value(&mut self, out: &mut Vec<u8>, max: usize) -> Result<bool, ReadError> {
        out.clear();
        let mut copied = Copied {
            out,
            max,
            all: true,
        };
        let first = self.skip_white_space()?.ok_or_else(|| self.truncated())?;
        match first {
            b'{' | b'[' => self.nested(&mut copied)?,
            b'"' => self.string(&mut copied)?,
            _ => self.scalar(&mut copied)?,
        }
        Ok(copied.all)
    }

    fn nested(&mut self, copied: &mut Copied<'_>) -> Result<(), ReadError> {
        let mut open: Vec<u8> = Vec::with_capacity(JSON_DEPTH_MAX);
        loop {
            let byte = self.peek()?.ok_or_else(|| self.truncated())?;
            if byte == b'"' {
                self.string(copied)?;
                continue;
            }
            match byte {
                b'{' | b'[' if open.len() == JSON_DEPTH_MAX => {
                    let message = format!("deeper than {JSON_DEPTH_MAX} levels");
                    return Err(self.malformed(&message));
                }
                b'{' => open.push(b'}'),
                b'[' => open.push(b']'),
                b'}' | b']' if open.pop() != Some(byte) => {
                    return Err(self.malformed("a bracket that does not match"));
                }
                _ => {}
            }
            self.take()?;
            copied.push(byte);
            if open.is_empty() {
                return Ok(());
            }
        }
    }

    fn string(&mut self, copied: &mut Copied<'_>) -> Result<(), ReadError> {
        let mut is_escaped = false;
        let mut is_first = true;
        loop {
            let byte = self.take()?.ok_or_else(|| self.truncated())?;
            copied.push(byte);
            match byte {
                b'"' if !is_escaped && !is_first => return Ok(()),
                b'\\' if !is_escaped => is_escaped = true,
                _ => is_escaped = false,
            }
            is_first = false;
        }
    }

    fn scalar(&mut self, copied: &mut Copied<'_>) -> Result<(), ReadError> {
        let mut is_empty = true;
        loop {
            match self.peek()? {
                None | Some(b',' | b']' | b'}' | b':' | b' ' | b'\t' | b'\n') => break,
                Some(byte) => {
                    self.take()?;
                    copied.push(byte);
                    is_empty = false;
                }
            }
        }
        if is_empty {
            return Err(self.malformed("a value is missing"));
        }
        Ok(())
    }

    /// Returns the error of a text that ends inside of a value.
    pub fn truncated(&self) -> ReadError {
        let message = "the JSON text ends inside of a value";
        let error = FileError::new(FileErrorCode::Truncated, message);
        error.on_line(self.line).at_column(self.column).into()
    }

    /// Returns the error of a text that is no JSON at this position.
    pub fn malformed(&self, message: &str) -> ReadError {
        let error = FileError::new(FileErrorCode::Malformed, message);
        error.on_line(self.line).at_column(self.column).into()
    }
}

struct Copied<'a> {
    out: &'a mut Vec<u8>,
    max: usize,
    all: bool,
}

impl Copied<'_> {
    fn push(&mut self, byte: u8) {
        if self.out.len() < self.max {
            self.out.push(byte);
        } else {
            self.all = false;
        }
    }
}
