//! `findwell audit list`: prints records of the audit trail.

use super::administer::{execute, print_list};
use super::args::{AuditList, Common};
use super::outcome::{CommandError, ExitStatus};
use crate::admin::AdminRequest;
use domain::audit::AuditFilter;

/// The columns of a record, without its changes.
const COLUMNS: [&str; 9] = [
    "/at",
    "/actor/name",
    "/actor/keyId",
    "/operation",
    "/resource",
    "/storeId",
    "/revision",
    "/summary",
    "/note",
];

/// Prints the matching records, newest first.
pub async fn list(common: &Common, arguments: AuditList) -> Result<ExitStatus, CommandError> {
    let filter = AuditFilter {
        store: arguments.store,
        key: arguments.key,
        since: arguments.since,
        limit: arguments.limit,
    };
    let records = execute(common, AdminRequest::ListAudit(filter)).await?;
    print_list(common, &records, &COLUMNS)
}
