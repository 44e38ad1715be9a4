// The texts in English of the configuration as one file.

export const enConfiguration = {
  "configurationAsFile": "Configuration as a file",
  "configurationAbout":
    "Relevance, synonyms, rules, filters and the widget: for another store, or to keep former states.",
  "downloadConfiguration": "Download configuration",
  "importConfiguration": "Import",
  "copyConfiguration": "Copy from another store",
  "configurationFile": "Configuration file",
  "storeToCopy": "Store to copy",
  "importMode": "What is here and not there",
  "importMode.replace": "is deleted",
  "importMode.merge": "stays",
  "tryImport": "Check",
  "chooseFile": "Choose a file.",
  "fileTooLarge": "The file has more than 20 MiB.",
  "noConfigurationFile": "This is not a configuration file.",
  "importCounts": "{part}: {created} created, {updated} updated, {deleted} deleted, {unchanged} unchanged",
  "importImpact":
    "Of {measured} queries that matter, {changed} change their first ten results, and {lost} lose all results.",
  "importChanges": "{n} change|{n} changes",
  "importChangesMore": "{n} more change.|{n} more changes.",
  "importNothing": "Nothing would change.",
  "saveImport": "Save these changes",
  "configurationImported": "Configuration imported.",
  "filePart.store": "Name of the store",
  "filePart.relevance": "Relevance",
  "filePart.synonyms": "Synonyms",
  "filePart.rules": "Rules",
  "filePart.filters": "Filters",
  "filePart.widget": "Search widget",
};
