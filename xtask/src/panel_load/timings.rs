//! Times of calls of one kind against their bound.

use crate::failure::{Failure, Outcome};
use crate::load::record::Records;
use crate::process::Server;
use std::time::Duration;

/// Calls from which on the 95th percentile is judged, and not the median.
const JUDGED_MIN: usize = 50;

/// Measures calls of a server, prints their times, and keeps the bounds that were missed.
pub struct Timings<'a> {
    server: &'a Server,
    missed: Vec<String>,
}

impl<'a> Timings<'a> {
    /// No times yet.
    pub fn new(server: &'a Server) -> Self {
        Self {
            server,
            missed: Vec::new(),
        }
    }

    /// Makes `count` calls, each of which returns how long it took, and prints median, 95th percentile and the slowest, and
    /// the processor time of the server for one call, which other work on the machine does not lengthen by much.
    ///
    /// # Errors
    ///
    /// That of the first call that fails.
    pub fn measure(
        &mut self,
        what: &'static str,
        count: usize,
        bound: Duration,
        mut call: impl FnMut(usize) -> Outcome<Duration>,
    ) -> Outcome<()> {
        let mut records = Records::default();
        // Fills caches, as somebody at the page has done before.
        call(count)?;
        let before = self.server.processor_time();
        for at in 0..count {
            records.add(what, 200, call(at)?);
        }
        let used = self.server.processor_time().saturating_sub(before) / count as u32;
        let at = |percent: usize| {
            let record = records.of(what);
            let time = record.and_then(|record| record.percentile(percent));
            time.unwrap_or_default()
        };
        let millis = |time: Duration| time.as_secs_f64() * 1_000.0;
        let [median, high, most, used] = [at(50), at(95), at(100), used].map(millis);
        println!(
            "{what}: {count} calls; {median:.1}, {high:.1}, {most:.1} ms (50th, 95th percentile, most), at most \
             {bound:?}; {used:.1} ms of processor time each"
        );
        let judged = if count < JUDGED_MIN { at(50) } else { at(95) };
        if judged > bound {
            self.missed
                .push(format!("{what}: {judged:.1?}, at most {bound:?}"));
        }
        Ok(())
    }

    /// Fails with all bounds that were missed.
    ///
    /// # Errors
    ///
    /// When any was.
    pub fn verdict(self) -> Outcome<()> {
        match self.missed.is_empty() {
            true => Ok(()),
            false => Err(Failure::new(self.missed.join("\n"))),
        }
    }
}
