//! `findwell audit list`: who wrote what, and when.

use super::administer::{execute, print_list};
use super::args::{AuditList, Common};
use super::outcome::{Ending, ExitStatus};
use crate::admin::AdminRequest;
use domain::audit::AuditFilter;

/// The columns of a record, without its changes.
const COLUMNS: [&str; 8] = [
    "/at",
    "/actor/name",
    "/actor/keyId",
    "/operation",
    "/resource",
    "/storeId",
    "/revision",
    "/summary",
];

/// Prints the records that the arguments ask for, the newest first.
pub async fn list(common: &Common, wanted: AuditList) -> Result<ExitStatus, Ending> {
    let filter = AuditFilter {
        store: wanted.store,
        key: wanted.key,
        since: wanted.since,
        limit: wanted.limit,
    };
    let records = execute(common, AdminRequest::ListAudit(filter)).await?;
    print_list(common, &records, &COLUMNS)
}
