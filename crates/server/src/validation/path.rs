//! Paths of values in a request, such as `actions.boost[2].weight`, and their order.

use serde_json::Value;

/// A path, step by step; its order puts `[2]` before `[10]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path(Vec<OwnedStep>);

/// One step down into a value that is being looked at.
#[derive(Clone, Copy, Debug)]
pub(super) enum PathStep<'v> {
    /// Into a list.
    Index(usize),
    /// Into an object.
    Key(&'v str),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum OwnedStep {
    Index(usize),
    Key(String),
}

impl Path {
    /// The path of these steps.
    pub(super) fn of(trail: &[PathStep<'_>]) -> Self {
        let steps = trail.iter().map(|step| match *step {
            PathStep::Index(index) => OwnedStep::Index(index),
            PathStep::Key(name) => OwnedStep::Key(name.to_owned()),
        });
        Self(steps.collect())
    }

    /// The path of the key `name` below this one.
    #[must_use]
    pub fn key(mut self, name: &str) -> Self {
        self.0.push(OwnedStep::Key(name.to_owned()));
        self
    }

    /// Removes from `value` what stands here. Of a list nothing is removed, because its other places would move: then
    /// the key that holds the list goes.
    pub fn remove_from(&self, value: &mut Value) {
        let Some(last) = self
            .0
            .iter()
            .rposition(|step| matches!(step, OwnedStep::Key(_)))
        else {
            return;
        };
        let holder = self.0[..last]
            .iter()
            .try_fold(value, |value, step| match step {
                OwnedStep::Index(index) => value.get_mut(index),
                OwnedStep::Key(name) => value.get_mut(name),
            });
        if let (Some(Value::Object(object)), OwnedStep::Key(name)) = (holder, &self.0[last]) {
            object.shift_remove(name);
        }
    }

    /// The path in the words of the request; `place` stands for the whole value.
    pub fn text(&self, place: &str) -> String {
        let mut text = String::new();
        for step in &self.0 {
            match step {
                OwnedStep::Index(index) => text.push_str(&format!("[{index}]")),
                OwnedStep::Key(name) => {
                    if !text.is_empty() {
                        text.push('.');
                    }
                    text.extend(name.chars().take(LETTERS_SHOWN_MAX));
                }
            }
        }
        if text.is_empty() {
            place.to_owned()
        } else {
            text
        }
    }
}

/// Letters of one key that are repeated in an answer.
const LETTERS_SHOWN_MAX: usize = 80;
