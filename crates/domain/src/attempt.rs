//! `WriteAttempt`: how a write is to be carried out, and what is reported of it beside its result.
//!
//! A caller brings it, its permit passes it on, and the one place that commits changes acts on it. So a dry run is no
//! parameter of every operation: it is the operation, stopped before its commit.

use crate::audit::FieldChange;
use crate::change_note::ChangeNote;
use crate::id::ProposalId;
use crate::impact_gate::GateMeasure;
use crate::invalid::Invalid;
use crate::message;
use serde_json::{Map, Value, json};
use std::sync::{Arc, Mutex, PoisonError};

/// Path of the header with a note, in errors.
pub const NOTE_HEADER_FIELD: &str = "header.X-Change-Note";
/// Changes that the report of a dry run lists.
pub const REPORTED_CHANGES_MAX: usize = 200;

/// How a write is to be carried out. Clones share the report.
#[derive(Clone, Debug, Default)]
pub struct WriteAttempt {
    /// Whether everything is checked and nothing is saved.
    pub dry_run: bool,
    /// Whether the impact on queries is computed; by default of dry runs only.
    pub impact: Option<bool>,
    /// Why it is made, if its author says so beside the body.
    pub note: Option<ChangeNote>,
    /// The parameter that says that it is saved although the gate of the store does not let it through, by its path in
    /// errors; `None` if it is not to be.
    pub force: Option<&'static str>,
    /// The open proposal that it is added to.
    pub proposal: Option<ProposalTarget>,
    /// What is wrong with how it is to be carried out. The write fails with it once its caller may write, so that who may
    /// not learns nothing else.
    pub wrong: Vec<Invalid>,
    report: Arc<Mutex<Option<WriteReport>>>,
}

/// The proposal that a write is added to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposalTarget {
    /// Its id.
    pub id: ProposalId,
    /// Where the request names it, in errors.
    pub field: &'static str,
}

impl ProposalTarget {
    /// Returns the proposal `id`, which the request names in `field`.
    pub fn new(id: &str, field: &'static str) -> Self {
        Self {
            id: id.into(),
            field,
        }
    }
}

/// What became of a write that proposes.
#[derive(Clone, Debug, PartialEq)]
pub enum Proposed {
    /// Nothing, because it would change nothing.
    Nothing,
    /// A proposal.
    Proposal {
        /// Whether it is new or was added to; else it was proposed before.
        is_new: bool,
        /// It in brief, as JSON.
        brief: Value,
        /// The changes of the write, each path preceded by its resource.
        changes: Vec<FieldChange>,
    },
}

/// What is reported of a write.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WriteReport {
    /// The changes of a dry run, each path preceded by its resource; `None` of a write that was saved.
    pub tried: Option<Vec<FieldChange>>,
    /// The impact on queries, as JSON.
    pub impact: Option<Value>,
    /// What the gate of the store measured of it.
    pub gate: Option<GateMeasure>,
    /// What became of a write that proposes.
    pub proposed: Option<Proposed>,
}

impl WriteAttempt {
    /// Returns an attempt without a report.
    pub fn new(dry_run: bool, impact: Option<bool>) -> Self {
        Self {
            dry_run,
            impact,
            ..Self::default()
        }
    }

    /// Sets the note, or what is wrong with it.
    #[must_use]
    pub fn noted(mut self, note: Result<Option<ChangeNote>, Invalid>) -> Self {
        match note {
            Ok(note) => self.note = note,
            Err(wrong) => self.wrong.push(wrong),
        }
        self
    }

    /// Checks how the write is to be carried out.
    ///
    /// Errors: everything that is wrong.
    pub fn check(&self) -> Result<(), Vec<Invalid>> {
        match self.wrong.is_empty() {
            true => Ok(()),
            false => Err(self.wrong.clone()),
        }
    }

    /// Returns the note, of a request whose body may have one too, in the field `note`.
    ///
    /// Errors: the note of the body is none, or another than that of the header.
    pub fn note_beside(&self, body: Option<&str>) -> Result<Option<ChangeNote>, Invalid> {
        let own = ChangeNote::parse(body.unwrap_or_default());
        match own.map_err(|reason| Invalid::new("note", reason))? {
            None => Ok(self.note.clone()),
            Some(own) if self.note.as_ref().is_none_or(|note| *note == own) => Ok(Some(own)),
            Some(_) => {
                let reason = message::text::differs_from("note");
                Err(Invalid::new(NOTE_HEADER_FIELD, reason))
            }
        }
    }

    /// Returns the attempt with this note, which may be that of the body.
    #[must_use]
    pub fn with_note(&self, note: Option<ChangeNote>) -> Self {
        Self {
            note,
            ..self.clone()
        }
    }

    /// Returns the attempt of what is saved although the gate of the store does not let it through, as `field` says.
    #[must_use]
    pub fn forced(&self, field: &'static str) -> Self {
        Self {
            force: Some(field),
            ..self.clone()
        }
    }

    /// Returns whether the impact of a ranking write is computed.
    pub fn wants_impact(&self) -> bool {
        self.impact.unwrap_or(self.dry_run)
    }

    /// Leaves the report for the response.
    pub fn report(&self, report: WriteReport) {
        *self.report.lock().unwrap_or_else(PoisonError::into_inner) = Some(report);
    }

    /// Takes the report, if there is one.
    pub fn take_report(&self) -> Option<WriteReport> {
        self.report
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }
}

impl WriteReport {
    /// Returns the keys that the response carries beside `data`.
    pub fn keys(self) -> Map<String, Value> {
        let mut keys = Map::new();
        if self.tried.is_some() {
            keys.insert("dryRun".to_owned(), json!(true));
        }
        let mut listed = self.tried;
        if let Some(Proposed::Proposal { brief, changes, .. }) = self.proposed {
            listed = Some(changes);
            keys.insert("proposal".to_owned(), brief);
        }
        if let Some(mut changes) = listed {
            let more = changes.len().saturating_sub(REPORTED_CHANGES_MAX);
            changes.truncate(REPORTED_CHANGES_MAX);
            keys.insert("changes".to_owned(), json!(changes));
            if more > 0 {
                keys.insert("changesMore".to_owned(), json!(more));
            }
        }
        if let Some(impact) = self.impact {
            keys.insert("impact".to_owned(), impact);
        }
        if let Some(gate) = self.gate {
            keys.insert("gate".to_owned(), json!(gate));
        }
        keys
    }
}

#[cfg(test)]
mod tests {
    //! 1. A dry run wants an impact unless it says no, a write only if it says so.
    //! 2. The notes of header and body are one: either of them, or both alike.
    //! 3. Of many changes the first are listed and the others counted; what was saved lists none.

    use super::*;

    #[test]
    fn dry_runs_want_an_impact() {
        let wants = |dry_run, impact| WriteAttempt::new(dry_run, impact).wants_impact();
        assert!(wants(true, None) && wants(false, Some(true)));
        assert!(!wants(false, None) && !wants(true, Some(false)));
    }

    #[test]
    fn notes_of_header_and_body_are_one() {
        let of = |header: &str, body: Option<&str>| {
            let note = ChangeNote::parse(header).expect("a note");
            let both = WriteAttempt::default().noted(Ok(note)).note_beside(body);
            both.map(|note| note.map(|note| note.as_str().to_owned()))
        };
        assert_eq!(of("", None), Ok(None));
        assert_eq!(of("a", Some(" ")), Ok(Some("a".to_owned())));
        assert_eq!(of("", Some(" b ")), Ok(Some("b".to_owned())));
        assert_eq!(of("b", Some("b ")), Ok(Some("b".to_owned())));
        let field = |result: Result<_, Invalid>| result.map_err(|wrong| wrong.field);
        assert_eq!(field(of("a", Some("b"))), Err(NOTE_HEADER_FIELD.to_owned()));
        assert_eq!(field(of("a", Some("b\0"))), Err("note".to_owned()));
    }

    #[test]
    fn many_changes_are_counted() {
        let change = |n: usize| FieldChange {
            path: format!("rules/{n}.name"),
            before: None,
            after: None,
        };
        let report = WriteReport {
            tried: Some((0..203).map(change).collect()),
            ..WriteReport::default()
        };
        let attempt = WriteAttempt::new(true, None);
        attempt.clone().report(report);
        let keys = attempt.take_report().expect("a report").keys();
        assert_eq!(keys["changes"].as_array().map(Vec::len), Some(200));
        assert_eq!(keys["changesMore"], 3);
        assert!(attempt.take_report().is_none());
        assert!(WriteReport::default().keys().is_empty());
    }
}
