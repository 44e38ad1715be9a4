//! Rebuilds that one node of a database requests of all, so that each builds its own indexes anew.
//!
//! They are rows of the database: a node that is away does them when it is back, and whoever requested them reads how far all are.

use super::Rebuild;
use crate::{OperationError, Service};
use domain::IndexId;
use std::collections::HashMap;
use std::time::Duration;
use storage::{NodeRebuild, NodeRebuildState};

/// A node that was seen within this time is one of them, and does it once it is back.
const REQUESTED_WITHIN: Duration = Duration::from_secs(24 * 3_600);
/// Nobody waits for a node that was not seen for this long.
const AWAITED_WITHIN: Duration = Duration::from_secs(30);
/// Rebuilds that a node looks at at once.
const AT_ONCE: u32 = 500;

/// Returns whether the nodes of the database have indexes of their own, which they rebuild one by one.
pub(super) fn is_shared(service: &Service) -> bool {
    service.storage.is_on_server() && service.indexing.has_files()
}

/// Requests rebuilds of these indexes of all nodes, and begins those of this one.
pub(super) async fn request(service: &Service, indexes: &[IndexId]) -> Result<(), OperationError> {
    let storage = &service.storage;
    storage
        .note_node(service.nodes.name(), service.indexing.shared_format(), &[])
        .await?;
    storage.request_rebuilds(indexes, REQUESTED_WITHIN).await?;
    rebuild_as_requested(service).await
}

/// Begins the rebuilds that are requested of this node, and stores how far they are.
pub(crate) async fn rebuild_as_requested(service: &Service) -> Result<(), OperationError> {
    if !is_shared(service) {
        return Ok(());
    }
    let (storage, node) = (&service.storage, service.nodes.name());
    let requested = storage.rebuilds_to_do(node, AT_ONCE).await?;
    let mut changed = Vec::new();
    for row in requested {
        let now = of_this_node(service, row).await?;
        changed.extend((now != row).then_some(now));
    }
    if !changed.is_empty() {
        storage.note_rebuilds(node, &changed).await?;
    }
    Ok(())
}

/// Returns how far a rebuild is on this node, which begins it unless it is at it.
async fn of_this_node(service: &Service, row: NodeRebuild) -> Result<NodeRebuild, OperationError> {
    let last = service.indexing.last_rebuild(row.index);
    // What was in progress before this process began is begun anew, and so is what was requested after the last one.
    let is_at_it = match (&last, row.state) {
        (Some(Rebuild::UnderWay { .. }), _) => true,
        (last, NodeRebuildState::Building) => last.is_some(),
        _ => false,
    };
    if is_at_it {
        return Ok(last.map_or(row, |last| noted(row, &last)));
    }
    let Some(index) = service.storage.index(row.index).await? else {
        return Ok(row);
    };
    let begun = service.indexing.rebuild(&index).borrow().clone();
    Ok(noted(row, &begun))
}

fn noted(row: NodeRebuild, rebuild: &Rebuild) -> NodeRebuild {
    let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let (state, documents, total) = match rebuild {
        Rebuild::UnderWay { documents, of } => {
            (NodeRebuildState::Building, signed(*documents), signed(*of))
        }
        Rebuild::Done => (NodeRebuildState::Done, row.total, row.total),
        Rebuild::Failed(_) => (NodeRebuildState::Failed, 0, row.total),
    };
    NodeRebuild {
        state,
        documents,
        total,
        ..row
    }
}

/// Returns how far all nodes are together with the rebuilds of these indexes.
pub(super) async fn progress(
    service: &Service,
    indexes: &[IndexId],
) -> Result<HashMap<IndexId, Rebuild>, OperationError> {
    rebuild_as_requested(service).await?;
    let rows = service.storage.rebuilds_of(indexes, AWAITED_WITHIN).await?;
    let mut by_index: HashMap<IndexId, Vec<NodeRebuild>> = HashMap::new();
    for row in rows {
        by_index.entry(row.index).or_default().push(row);
    }
    let combined = by_index
        .into_iter()
        .map(|(index, nodes)| (index, combine(&nodes)));
    Ok(combined.collect())
}

/// Returns how far several nodes are: it is over once it is over on all, and failed if it failed on one.
fn combine(nodes: &[NodeRebuild]) -> Rebuild {
    let is = |state: NodeRebuildState| nodes.iter().any(|node| node.state == state);
    let sum = |of: fn(&NodeRebuild) -> i64| nodes.iter().map(|node| of(node).unsigned_abs()).sum();
    if is(NodeRebuildState::Waiting) || is(NodeRebuildState::Building) {
        Rebuild::UnderWay {
            documents: sum(|node| node.documents),
            of: sum(|node| node.total),
        }
    } else if is(NodeRebuildState::Failed) {
        Rebuild::Failed("it failed on a node, whose log says why".to_owned())
    } else {
        Rebuild::Done
    }
}

#[cfg(test)]
mod tests {
    //! A rebuild is over once it is over on all nodes, and failed if it failed on one.

    use super::*;

    #[test]
    fn nodes_are_combined() {
        use NodeRebuildState::{Building, Done, Failed, Waiting};
        let of = |states: &[NodeRebuildState]| {
            let node = |state: &NodeRebuildState| NodeRebuild {
                index: IndexId(1),
                state: *state,
                documents: 2,
                total: 5,
            };
            combine(&states.iter().map(node).collect::<Vec<_>>())
        };
        let under_way = |nodes: u64| Rebuild::UnderWay {
            documents: 2 * nodes,
            of: 5 * nodes,
        };
        assert_eq!(of(&[Done, Done]), Rebuild::Done);
        assert_eq!(of(&[Done, Waiting]), under_way(2));
        assert_eq!(of(&[Failed, Building, Done]), under_way(3));
        assert!(matches!(of(&[Failed, Done]), Rebuild::Failed(_)));
    }
}
