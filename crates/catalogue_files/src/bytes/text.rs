//! A stream of clean UTF-8: decoded, line ends as LF, no control characters but tab and line end.

use crate::bounds::WARNING_LINES;
use encoding_rs::{Decoder, DecoderResult, Encoding};
use std::cell::RefCell;
use std::io::{self, BufRead, Read};
use std::rc::Rc;

const INPUT_BYTES: usize = 1 << 16;

/// What was replaced or removed, and where first.
#[derive(Clone, Debug, Default)]
pub struct TextProblem {
    /// How often.
    pub count: u64,
    /// The first lines.
    pub lines: Vec<u64>,
}

impl TextProblem {
    fn add(&mut self, line: u64) {
        self.count += 1;
        if self.lines.len() < WARNING_LINES && self.lines.last() != Some(&line) {
            self.lines.push(line);
        }
    }
}

/// The problems of a text.
#[derive(Clone, Debug, Default)]
pub struct TextProblems {
    /// Bytes that are invalid in the encoding.
    pub invalid_bytes: TextProblem,
    /// Control characters.
    pub control_characters: TextProblem,
}

/// Decodes and cleans a stream.
pub struct TextReader {
    reader: Box<dyn Read>,
    decoder: Decoder,
    input: Vec<u8>,
    input_start: usize,
    input_end: usize,
    is_input_over: bool,
    output: Vec<u8>,
    output_start: usize,
    is_over: bool,
    after_return: bool,
    line: u64,
    problems: Rc<RefCell<TextProblems>>,
}

impl TextReader {
    /// Reads `reader` as text in `encoding`; a byte-order mark is left out.
    pub fn new(reader: Box<dyn Read>, encoding: &'static Encoding) -> Self {
        Self {
            reader,
            decoder: encoding.new_decoder_with_bom_removal(),
            input: vec![0; INPUT_BYTES],
            input_start: 0,
            input_end: 0,
            is_input_over: false,
            output: Vec::new(),
            output_start: 0,
            is_over: false,
            after_return: false,
            line: 1,
            problems: Rc::default(),
        }
    }

    /// Returns what was replaced and removed so far; it grows with the text.
    pub fn problems(&self) -> Rc<RefCell<TextProblems>> {
        Rc::clone(&self.problems)
    }

    fn refill(&mut self) -> io::Result<()> {
        self.output_start = 0;
        self.output.clear();
        while self.output.is_empty() && !self.is_over {
            if self.input_start == self.input_end && !self.is_input_over {
                self.input_start = 0;
                self.input_end = self.reader.read(&mut self.input)?;
                self.is_input_over = self.input_end == 0;
            }
            self.decode();
        }
        Ok(())
    }

    fn decode(&mut self) {
        let input = &self.input[self.input_start..self.input_end];
        let room = self
            .decoder
            .max_utf8_buffer_length_without_replacement(input.len())
            .unwrap_or(INPUT_BYTES * 4);
        let mut decoded = vec![0; room.max(16)];
        let (result, read, written) = self.decoder.decode_to_utf8_without_replacement(
            input,
            &mut decoded,
            self.is_input_over,
        );
        self.input_start += read;
        decoded.truncate(written);
        self.clean(&decoded);
        match result {
            DecoderResult::Malformed(..) => {
                self.problems.borrow_mut().invalid_bytes.add(self.line);
                self.output.extend_from_slice("\u{fffd}".as_bytes());
            }
            DecoderResult::InputEmpty => self.is_over = self.is_input_over,
            DecoderResult::OutputFull => {}
        }
    }

    fn clean(&mut self, text: &[u8]) {
        self.output.reserve(text.len());
        for byte in text {
            match byte {
                b'\n' if self.after_return => {
                    self.after_return = false;
                    continue;
                }
                b'\n' | b'\r' => {
                    self.line += 1;
                    self.output.push(b'\n');
                }
                b'\t' => self.output.push(b'\t'),
                0..0x20 | 0x7f => {
                    let mut problems = self.problems.borrow_mut();
                    problems.control_characters.add(self.line);
                }
                _ => self.output.push(*byte),
            }
            self.after_return = *byte == b'\r';
        }
    }
}

impl Read for TextReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let text = self.fill_buf()?;
        let read = text.len().min(buffer.len());
        buffer[..read].copy_from_slice(&text[..read]);
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for TextReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.output_start == self.output.len() {
            self.refill()?;
        }
        Ok(&self.output[self.output_start..])
    }

    fn consume(&mut self, amount: usize) {
        self.output_start = (self.output_start + amount).min(self.output.len());
    }
}
