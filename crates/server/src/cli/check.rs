//! `findwell check`: prints the defects of database and indexes, and optionally repairs them.

use super::args::{Check, Common};
use super::outcome::{CommandError, ExitStatus};
use super::output;
use crate::admin::{AdminRequest, DataAccess};
use operations::check::Finding;

/// Runs the check and prints a line per finding.
pub async fn run(common: &Common, check: Check) -> Result<ExitStatus, CommandError> {
    let outcome = if check.repair {
        let mut access = DataAccess::open(&common.data, &common.locations.read()?, false).await?;
        let outcome = access.execute(AdminRequest::Check { repair: true }).await;
        access.close().await;
        outcome
    } else {
        DataAccess::check(&common.data, &common.locations.read()?).await?
    };
    let findings: Vec<Finding> = serde_json::from_value(outcome?).map_err(|error| {
        CommandError::failed(format!("cannot parse the server's response: {error}"))
    })?;
    if common.json {
        output::json(&findings)?;
    } else {
        for finding in &findings {
            output::result(line(finding))?;
        }
    }
    if findings.iter().all(|finding| finding.repaired) {
        Ok(ExitStatus::Done)
    } else {
        Ok(ExitStatus::Incomplete)
    }
}

fn line(finding: &Finding) -> String {
    let mut line = match &finding.index {
        Some(index) => format!(
            "index {} ({} in {} of {}): {}",
            index.id,
            index.doc_type.as_str(),
            index.language,
            index.store_id,
            finding.text
        ),
        None => format!("database: {}", finding.text),
    };
    if !finding.documents.is_empty() {
        line.push_str(&format!(": {}", finding.documents.join(", ")));
    }
    if finding.documents.len() < finding.count {
        line.push_str(", …");
    }
    if finding.repaired {
        line.push_str(" (repaired)");
    }
    line
}
