//! Paths of values in a request, such as `actions.boost[2].weight`.

use domain::first_characters;
use domain::limits::SHOWN_CHARACTERS_MAX;
use serde_json::Value;

/// A path as a list of steps; it orders `[2]` before `[10]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path(Vec<OwnedStep>);

/// One step of a path into a borrowed value.
#[derive(Clone, Copy, Debug)]
pub(super) enum PathStep<'v> {
    /// A list index.
    Index(usize),
    /// An object key.
    Key(&'v str),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum OwnedStep {
    Index(usize),
    Key(String),
}

impl Path {
    /// Creates the path of these steps.
    pub(super) fn of(trail: &[PathStep<'_>]) -> Self {
        let steps = trail.iter().map(|step| match *step {
            PathStep::Index(index) => OwnedStep::Index(index),
            PathStep::Key(name) => OwnedStep::Key(name.to_owned()),
        });
        Self(steps.collect())
    }

    /// Returns the path of the key `name` below this one.
    #[must_use]
    pub fn key(mut self, name: &str) -> Self {
        self.0.push(OwnedStep::Key(name.to_owned()));
        self
    }

    /// Removes the value at this path from `value`. For a list item, the key that contains the list is removed instead,
    /// because the indexes of the other items would change.
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

    /// Puts `replacement` in place of the value at this path.
    pub fn replace_in(&self, value: &mut Value, replacement: &Value) {
        let found = self.0.iter().try_fold(value, |value, step| match step {
            OwnedStep::Index(index) => value.get_mut(index),
            OwnedStep::Key(name) => value.get_mut(name),
        });
        if let Some(found) = found {
            *found = replacement.clone();
        }
    }

    /// Formats the path; `place` stands for the whole value.
    pub fn text(&self, place: &str) -> String {
        let mut text = String::new();
        for step in &self.0 {
            match step {
                OwnedStep::Index(index) => text.push_str(&format!("[{index}]")),
                OwnedStep::Key(name) => {
                    if !text.is_empty() {
                        text.push('.');
                    }
                    text.push_str(first_characters(name, SHOWN_CHARACTERS_MAX));
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
