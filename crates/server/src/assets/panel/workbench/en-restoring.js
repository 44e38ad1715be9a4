// The English texts of trying and restoring a former revision.

export const en = {
  "triesRevision": "You see what revision {n} would find, beside what is saved. Shoppers see nothing of it.",
  "backToDraft": "Back to the draft",
  "restoreTitle": "Restore this state",
  "restoreAbout": "What is ticked becomes what it was then, in one new revision. Nothing else changes.",
  "restoreChanges": "{n} change|{n} changes",
  "restoreMore": "{n} more change|{n} more changes",
  "restoreParts": "Restore {n} part|Restore {n} parts",
  "restoreNothing": "It is the state that is saved now.",
  "restoreNothingElse":
    "Apart from custom code, which is compared when it is ticked, it is the state that is saved now.",
  "restoreSameCode": "Custom code is the same now.",
  "restored": "Revision {n} is restored, as revision {revision}. Every shopper gets it now.",
};
