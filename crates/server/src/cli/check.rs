//! `findwell check`: prints what is wrong with database and indexes, and has it repaired where that is wanted.

use super::args::{Check, Common};
use super::outcome::{Ending, ExitStatus};
use super::output;
use crate::admin::{AdminRequest, DataAccess};
use operations::check::Finding;

/// Checks, and prints a line for each finding.
pub async fn run(common: &Common, check: Check) -> Result<ExitStatus, Ending> {
    let mut access = DataAccess::open(&common.data, false).await?;
    let request = AdminRequest::Check {
        repair: check.repair,
    };
    let outcome = access.execute(request).await;
    access.close().await;
    let findings: Vec<Finding> = serde_json::from_value(outcome?).map_err(|error| {
        Ending::failed(format!("the server's answer is not understood: {error}"))
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
