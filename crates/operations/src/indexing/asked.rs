//! Rebuilds that one node of a database asks all for, so that each builds its own indexes anew.
//!
//! They are rows of the database: a node that is away does them when it is back, and whoever asked reads how far all are.

use super::Rebuild;
use crate::{OperationError, Service};
use domain::IndexId;
use std::collections::HashMap;
use std::time::Duration;
use storage::{NodeRebuild, NodeRebuildState};

/// A node that was seen within this time is asked, and does it once it is back.
const ASKED_WITHIN: Duration = Duration::from_secs(24 * 3_600);
/// Nobody waits for a node that was not seen for this long.
const AWAITED_WITHIN: Duration = Duration::from_secs(30);
/// Rebuilds that a node looks at at once.
const AT_ONCE: u32 = 500;

/// Returns whether the nodes of the database have indexes of their own, which they rebuild one by one.
pub(super) fn is_shared(service: &Service) -> bool {
    service.storage.is_on_server() && service.indexing.has_files()
}

/// Asks all nodes for rebuilds of these indexes, and begins those of this one.
pub(super) async fn ask(service: &Service, indexes: &[IndexId]) -> Result<(), OperationError> {
    let storage = &service.storage;
    storage.note_node(service.nodes.name(), &[]).await?;
    storage.ask_for_rebuilds(indexes, ASKED_WITHIN).await?;
    rebuild_as_asked(service).await
}

/// Begins the rebuilds that this node was asked for, and stores how far they are.
pub(crate) async fn rebuild_as_asked(service: &Service) -> Result<(), OperationError> {
    if !is_shared(service) {
        return Ok(());
    }
    let (storage, node) = (&service.storage, service.nodes.name());
    let asked = storage.rebuilds_to_do(node, AT_ONCE).await?;
    let mut changed = Vec::new();
    for asked in asked {
        let now = of_this_node(service, asked).await?;
        changed.extend((now != asked).then_some(now));
    }
    if !changed.is_empty() {
        storage.note_rebuilds(node, &changed).await?;
    }
    Ok(())
}

/// Returns how far a rebuild is on this node, which begins it unless it is at it.
async fn of_this_node(
    service: &Service,
    asked: NodeRebuild,
) -> Result<NodeRebuild, OperationError> {
    let last = service.indexing.last_rebuild(asked.index);
    // What was in progress before this process began is begun anew, and so is what was asked for after the last one.
    let is_at_it = match (&last, asked.state) {
        (Some(Rebuild::UnderWay { .. }), _) => true,
        (last, NodeRebuildState::Building) => last.is_some(),
        _ => false,
    };
    if is_at_it {
        return Ok(last.map_or(asked, |last| noted(asked, &last)));
    }
    let Some(row) = service.storage.index(asked.index).await? else {
        return Ok(asked);
    };
    let begun = service.indexing.rebuild(&row).borrow().clone();
    Ok(noted(asked, &begun))
}

fn noted(asked: NodeRebuild, rebuild: &Rebuild) -> NodeRebuild {
    let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let (state, documents, total) = match rebuild {
        Rebuild::UnderWay { documents, of } => {
            (NodeRebuildState::Building, signed(*documents), signed(*of))
        }
        Rebuild::Done => (NodeRebuildState::Done, asked.total, asked.total),
        Rebuild::Failed(_) => (NodeRebuildState::Failed, 0, asked.total),
    };
    NodeRebuild {
        state,
        documents,
        total,
        ..asked
    }
}

/// Returns how far all nodes are together with the rebuilds of these indexes.
pub(super) async fn progress(
    service: &Service,
    indexes: &[IndexId],
) -> Result<HashMap<IndexId, Rebuild>, OperationError> {
    rebuild_as_asked(service).await?;
    let rows = service.storage.rebuilds_of(indexes, AWAITED_WITHIN).await?;
    let mut by_index: HashMap<IndexId, Vec<NodeRebuild>> = HashMap::new();
    for row in rows {
        by_index.entry(row.index).or_default().push(row);
    }
    let together = by_index
        .into_iter()
        .map(|(index, nodes)| (index, together(&nodes)));
    Ok(together.collect())
}

/// Returns how far several nodes are: it is over once it is over on all, and failed if it failed on one.
fn together(nodes: &[NodeRebuild]) -> Rebuild {
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
    fn nodes_are_counted_together() {
        use NodeRebuildState::{Building, Done, Failed, Waiting};
        let of = |states: &[NodeRebuildState]| {
            let node = |state: &NodeRebuildState| NodeRebuild {
                index: IndexId(1),
                state: *state,
                documents: 2,
                total: 5,
            };
            together(&states.iter().map(node).collect::<Vec<_>>())
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
