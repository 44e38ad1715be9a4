//! What a snapshot says to a visitor about itself: fields and hidden documents, computed once for each access.

use crate::columns::{Columns, FieldNumber, View};
use crate::embedded::memo::{Memo, MemoBudget};
use crate::{FieldUse, FilterFieldUse};
use domain::visitor::{DocumentAccess, Visitor};
use std::sync::Arc;

/// The memos of one snapshot.
pub struct AccessMemos {
    fields: Memo<DocumentAccess, Arc<FieldUse>>,
    hidden: Memo<DocumentAccess, Arc<[String]>>,
}

impl AccessMemos {
    /// Empty memos within the budget `memos`.
    pub fn new(memos: &Arc<MemoBudget>) -> Self {
        Self {
            fields: Memo::new(memos),
            hidden: Memo::new(memos),
        }
    }

    /// The fields of `columns`, which these memos belong to, in which a document that `visitor` may see has a value.
    pub fn fields(&self, columns: &Columns, visitor: &Visitor) -> Arc<FieldUse> {
        if let Some(fields) = self.fields.get(&(), &visitor.access) {
            return fields;
        }
        let fields = Arc::new(fields(columns, visitor));
        let bytes = fields.all().iter().map(|of| {
            let group = of.field.group().map_or(0, str::len);
            size_of::<FilterFieldUse>() + group + of.group.len()
        });
        let bytes = bytes.sum::<usize>() + visitor.bytes();
        let (key, value) = (visitor.access.clone(), Arc::clone(&fields));
        self.fields.put(&(), key, value, bytes);
        fields
    }

    /// Ids of the documents of `columns`, which these memos belong to, that `visitor` may not see.
    pub fn hidden(&self, columns: &Columns, visitor: &Visitor) -> Arc<[String]> {
        if let Some(hidden) = self.hidden.get(&(), &visitor.access) {
            return hidden;
        }
        let view = View::new(columns, visitor);
        let ids = view.hidden().map(|at| columns.id(at).to_owned());
        let hidden: Arc<[String]> = ids.collect();
        let bytes = hidden.iter().map(|id| size_of::<String>() + id.len());
        let bytes = bytes.sum::<usize>() + visitor.bytes();
        let (key, value) = (visitor.access.clone(), Arc::clone(&hidden));
        self.hidden.put(&(), key, value, bytes);
        hidden
    }
}

fn fields(columns: &Columns, visitor: &Visitor) -> FieldUse {
    let carriers = View::new(columns, visitor).all_carriers();
    let documents = |number: FieldNumber| carriers.get(number as usize).copied();
    let entries = columns.dictionary().read();
    let uses = entries
        .fields()
        .map(|(number, field, group)| FilterFieldUse {
            field: field.clone(),
            group: group.to_owned(),
            documents: u64::from(documents(number).unwrap_or(0)),
        });
    FieldUse::new(uses.filter(|of| of.documents > 0).collect())
}
