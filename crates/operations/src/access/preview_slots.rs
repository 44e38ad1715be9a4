//! `PreviewSlots`: how many previews each session runs at the same time.

use crate::OperationError;
use crate::message;
use domain::limits::PREVIEWS_AT_ONCE;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

/// The previews that run, by session; as many entries as there are requests at most.
#[derive(Clone, Default)]
pub(crate) struct PreviewSlots(Arc<Mutex<HashMap<String, u32>>>);

/// A preview that runs, until it is dropped.
pub struct PreviewSlot {
    slots: PreviewSlots,
    session: String,
}

impl PreviewSlots {
    /// Takes a place of `session`.
    ///
    /// Errors: `TooMany` if the session runs as many previews as it may.
    pub fn take(&self, session: &str) -> Result<PreviewSlot, OperationError> {
        let mut running = self.0.lock();
        let count = running.entry(session.to_owned()).or_default();
        if *count >= PREVIEWS_AT_ONCE {
            return Err(OperationError::TooMany {
                reason: message::rate::previews_at_once(PREVIEWS_AT_ONCE),
                retry_after_s: 1,
            });
        }
        *count += 1;
        drop(running);
        Ok(PreviewSlot {
            slots: self.clone(),
            session: session.to_owned(),
        })
    }
}

impl Drop for PreviewSlot {
    fn drop(&mut self) {
        let mut running = self.slots.0.lock();
        if let Some(count) = running.get_mut(&self.session) {
            *count -= 1;
            if *count == 0 {
                running.remove(&self.session);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    //! 1. A session runs two previews at once, whatever others run; a place is free again when one ends.

    use super::*;

    #[test]
    fn a_session_has_two_places() {
        let slots = PreviewSlots::default();
        let first = slots.take("a").expect("a place");
        let _second = slots.take("a").expect("a place");
        assert!(matches!(
            slots.take("a"),
            Err(OperationError::TooMany { .. })
        ));
        assert!(slots.take("b").is_ok());
        drop(first);
        assert!(slots.take("a").is_ok());
        assert_eq!(slots.0.lock().len(), 1);
    }
}
