// The texts in English of deleted stores, synonyms, rules, filters, the widget and rejected documents.

export const enPages = {
  "deleteStore": "Delete store",
  "deleteAbout": "Its keys, its search, the feed and the configuration end at once. After seven days everything is removed for good: products, configuration, history, keys and statistics. The audit trail stays with the account.",
  "deleteUndo": "Within seven days, whoever runs the server can open it again: {command}",
  "deleteName": "Type the name of the store to delete it: {name}",
  "closedStores": "Deleted stores",
  "closedAt": "Deleted",
  "removedFrom": "Closed. It is removed from {time} on; until then it can be opened again with {command}",
  "beingRemoved": "Being removed. {share}.",
};
