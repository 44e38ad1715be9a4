//! Reads a file twice: first for what it proves as a whole, then for its documents, which go into temporary files. Only
//! when both are done does a caller get the first document.

use crate::bounds::{PREVIEW_BYTES_MAX, PREVIEW_ROWS_MAX, ROWS_MAX};
use crate::column_counts::ColumnCounts;
use crate::documents::columns_taken::ColumnsTaken;
use crate::documents::evidence::Evidence;
use crate::documents::merge::MergeRules;
use crate::documents::partitions::{MergedFile, Partitions};
use crate::documents::row_builder::{BuiltRow, RowBuilder};
use crate::documents::spool::{Spool, SpoolReader};
use crate::error::{FileError, FileErrorCode, ReadError};
use crate::mapping::column_use::ColumnNaming;
use crate::mapping::profile::ColumnProfile;
use crate::mapping::target::Target;
use crate::mapping::target_name::nearest_target;
use crate::opened::OpenedFile;
use crate::report::codes;
use crate::report::findings::Findings;
use crate::report::result::ImportResult;
use crate::rows::columns::FileColumns;
use crate::rows::{Row, RowItem};
use crate::settings::ReadSettings;
use crate::statistics::DocumentStatistics;
use domain::DocType;
use std::path::Path;

/// Rows between two reports of progress.
const PROGRESS_ROWS: u64 = 1_000;
/// FileColumns that an error names.
const NAMED_COLUMNS: usize = 100;

/// The documents of a file, and what was found while it was read.
#[derive(Debug)]
pub struct Catalogue {
    /// The result so far, without what the store makes of the documents.
    pub result: ImportResult,
    /// The documents, in the order of the file.
    pub documents: MergedFile,
    /// Ids of rejected rows, whose stored documents stay.
    pub kept: SpoolReader<String>,
    /// The currency that the file names most, where neither store nor user names one.
    pub new_currency: Option<String>,
}

/// Reports the number of rows read so far; returns whether to go on.
pub type ReadProgress<'a> = &'a mut dyn FnMut(u64) -> bool;

/// Reads a file; its temporary files are in `folder`.
///
/// Errors: the file as a whole is no catalogue; then nothing of it counts.
pub fn read(
    opened: &OpenedFile,
    settings: &ReadSettings,
    folder: &Path,
    progress: ReadProgress<'_>,
) -> Result<Catalogue, ReadError> {
    let naming = ColumnNaming {
        profile: opened.profile,
        doc_type: settings.doc_type,
        options: &settings.mapping,
    };
    let mut reader = CatalogueReader {
        opened,
        settings: settings.clone(),
        taken: ColumnsTaken::new(naming),
        columns: FileColumns::default(),
        findings: Findings::default(),
        counts: ColumnCounts::default(),
        kept: Spool::new(folder)?,
        is_sampled: false,
    };
    let evidence = reader.prove(progress)?;
    reader.require_columns()?;
    let new_currency = reader.choose_currency(&evidence);
    let partitions = Partitions::new(folder, opened.bytes)?;
    let partitions = reader.divide(&evidence, partitions, progress)?;
    reader.finish(partitions, new_currency)
}

/// A file on its way to documents.
struct CatalogueReader<'a> {
    opened: &'a OpenedFile,
    settings: ReadSettings,
    taken: ColumnsTaken<'a>,
    columns: FileColumns,
    findings: Findings,
    counts: ColumnCounts,
    kept: Spool<String>,
    is_sampled: bool,
}

impl CatalogueReader<'_> {
    /// Reads all rows for what they prove.
    fn prove(&mut self, progress: ReadProgress<'_>) -> Result<Evidence, ReadError> {
        let mut evidence = Evidence::default();
        let mut file = self.opened.rows()?;
        let mut limit = RowLimit::new(self.settings.is_preview);
        while let Some(item) = file.rows.next_row(&mut file.columns)? {
            if let RowItem::Row(mut row) = item {
                self.taken.expand(&mut row, &mut file.columns)?;
                if limit.is_reached(Some(&row), progress)? {
                    break;
                }
                evidence.add(&row, &self.taken, &file.columns);
            } else if limit.is_reached(None, progress)? {
                break;
            }
        }
        self.taken.update(&file.columns);
        self.columns = file.columns;
        Ok(evidence)
    }

    /// Makes facts of all rows, and divides them by document.
    fn divide(
        &mut self,
        evidence: &Evidence,
        mut partitions: Partitions,
        progress: ReadProgress<'_>,
    ) -> Result<Partitions, ReadError> {
        let id_column = match self.opened.profile {
            ColumnProfile::Plain => evidence.id_column(&self.taken, &self.columns),
            _ => None,
        };
        let mut file = self.opened.rows()?;
        let mut limit = RowLimit::new(self.settings.is_preview);
        while let Some(item) = file.rows.next_row(&mut file.columns)? {
            let row = match item {
                RowItem::Row(mut row) => {
                    self.taken.expand(&mut row, &mut file.columns)?;
                    Ok(row)
                }
                RowItem::Unreadable(row) => Err(row),
            };
            if limit.is_reached(row.as_ref().ok(), progress)? {
                self.is_sampled = true;
                break;
            }
            self.findings.received += 1;
            let row = match row {
                Ok(row) => row,
                Err(unreadable) => {
                    self.findings.unreadable(unreadable);
                    continue;
                }
            };
            self.counts.add(&row);
            let builder = RowBuilder {
                settings: &self.settings,
                evidence,
                columns: &file.columns,
                taken: &self.taken,
                id_column,
            };
            match builder.build(&row, &mut self.findings) {
                BuiltRow::Facts(facts) => partitions.add(&facts)?,
                BuiltRow::Skipped(code) => self.findings.skip(code),
                BuiltRow::Rejected(row) => {
                    if let Some(id) = &row.id {
                        self.kept.write(id)?;
                    }
                    self.findings.reject(row);
                }
            }
        }
        self.findings.add_text_problems(&file.problems.borrow());
        self.columns = file.columns;
        Ok(partitions)
    }

    /// Fails without columns for an id and a name.
    fn require_columns(&self) -> Result<(), ReadError> {
        let profile = self.opened.profile;
        if profile == ColumnProfile::Findwell || self.columns.names().is_empty() {
            return Ok(());
        }
        let missing = [Target::Id, Target::Name]
            .map(|target| (!self.taken.has(std::slice::from_ref(&target))).then_some(target));
        let missing: Vec<&str> = missing.iter().flatten().map(Target::name).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let columns = self
            .columns
            .names()
            .iter()
            .map(|column| match nearest_target(column) {
                Some(target) => format!("{column} (near {target})"),
                None => column.clone(),
            });
        let columns: Vec<String> = columns.take(NAMED_COLUMNS).collect();
        let message = format!(
            "no column for {}; the columns are: {}",
            missing.join(" and "),
            columns.join(", ")
        );
        let names = self.columns.names().iter();
        let names = names.take(NAMED_COLUMNS).cloned().collect();
        let error = FileError::new(FileErrorCode::NoColumns, message);
        Err(error.of_columns(names).into())
    }

    /// Takes the currency that most prices name, where neither store nor user names one.
    fn choose_currency(&mut self, evidence: &Evidence) -> Option<String> {
        if self.settings.base_currency.is_some() {
            return None;
        }
        let code = evidence.commonest_currency()?;
        self.settings.base_currency = Some(code.to_owned());
        Some(code.to_owned())
    }

    fn finish(
        mut self,
        partitions: Partitions,
        new_currency: Option<String>,
    ) -> Result<Catalogue, ReadError> {
        let is_product = self.settings.doc_type == DocType::Products;
        let is_mapped = is_product && self.opened.profile != ColumnProfile::Findwell;
        let rules = MergeRules {
            doc_type: self.settings.doc_type,
            currency: self.settings.base_currency.clone(),
            is_stock_assumed: is_mapped && !self.taken.has(&stock_targets()),
            is_first_parent: self.opened.profile == ColumnProfile::Shopify,
        };
        let mut statistics = DocumentStatistics::default();
        let findings = &mut self.findings;
        let documents = partitions.merge(&rules, findings, &mut statistics, &mut self.kept)?;
        let is_empty = findings.rejected_count() == 0 && findings.skipped.is_empty();
        if statistics.documents == 0 && is_empty {
            let message = "the file has no products";
            return Err(FileError::new(FileErrorCode::NoDocuments, message).into());
        }
        if is_mapped {
            self.add_notices(new_currency.as_deref(), rules.is_stock_assumed);
        }
        let result = self.result(&statistics, rules.is_stock_assumed);
        Ok(Catalogue {
            result,
            documents,
            kept: self.kept.finish()?,
            new_currency: new_currency.filter(|_| is_mapped),
        })
    }

    fn add_notices(&mut self, new_currency: Option<&str>, is_stock_assumed: bool) {
        if is_stock_assumed {
            let message = "no column says what is in stock; every product counts as in stock";
            self.findings
                .notice(codes::STOCK_ASSUMED, message.to_owned());
        }
        match new_currency {
            Some(code) => {
                let message = format!("{code} is the currency of the store from now on");
                self.findings.notice(codes::CURRENCY_DECLARED, message);
            }
            None if self.settings.base_currency.is_none() && self.taken.has(&[Target::Price]) => {
                let message = "the prices have no currency; --currency names it";
                self.findings
                    .notice(codes::CURRENCY_MISSING, message.to_owned());
            }
            None => {}
        }
        let unused: Vec<String> = self
            .taken
            .naming
            .unused(self.columns.names())
            .map(str::to_owned)
            .collect();
        for source in unused {
            let message = format!("{source} is mapped, and no column has this name");
            self.findings.notice(codes::MAP_UNUSED, message);
        }
    }

    fn result(&mut self, statistics: &DocumentStatistics, is_stock_assumed: bool) -> ImportResult {
        let settings = &self.settings;
        let findings = &mut self.findings;
        let mut rejected = std::mem::take(&mut findings.rejected);
        rejected.sort_by_key(|row| row.row);
        let mut result = ImportResult {
            received: findings.received,
            rejected,
            rejected_more: findings.rejected_more,
            documents: statistics.documents,
            skipped: std::mem::take(&mut findings.skipped),
            warnings: findings.warnings(),
            notices: findings.notices(),
            file: self.opened.facts(&settings.name),
            doc_type: settings.doc_type.as_str(),
            language: settings.language.clone(),
            fields: statistics.fields(),
            missing_fields: statistics.missing(settings.doc_type, is_stock_assumed),
            currency: settings.base_currency.clone(),
            next_sale_change: findings.next_sale_change,
            sampled: self.is_sampled,
            ..ImportResult::default()
        };
        self.counts
            .describe(&self.taken, &self.columns, &mut result);
        result
    }
}

fn stock_targets() -> [Target; 3] {
    let field = |name: &str| Target::Field(name.to_owned());
    [Target::Availability, Target::Quantity, field("outOfStock")]
}

/// Counts rows, and ends a preview.
struct RowLimit {
    rows: u64,
    bytes: u64,
    is_preview: bool,
}

impl RowLimit {
    fn new(is_preview: bool) -> Self {
        Self {
            rows: 0,
            bytes: 0,
            is_preview,
        }
    }

    /// Counts a row; returns whether it is beyond what a preview reads.
    ///
    /// Errors: there are too many rows, or the caller cancelled.
    fn is_reached(
        &mut self,
        row: Option<&Row>,
        progress: ReadProgress<'_>,
    ) -> Result<bool, ReadError> {
        if self.is_preview {
            let is_full = self.rows == PREVIEW_ROWS_MAX || self.bytes > PREVIEW_BYTES_MAX;
            if is_full {
                return Ok(true);
            }
            let cells = row.iter().flat_map(|row| &row.cells);
            self.bytes += cells
                .map(|(_, value)| value.to_string().len() as u64)
                .sum::<u64>();
        }
        self.rows += 1;
        if self.rows > ROWS_MAX {
            let message = format!("more than {ROWS_MAX} rows");
            return Err(FileError::new(FileErrorCode::TooManyRows, message).into());
        }
        if self.rows.is_multiple_of(PROGRESS_ROWS) && !progress(self.rows) {
            return Err(ReadError::Cancelled);
        }
        Ok(false)
    }
}
