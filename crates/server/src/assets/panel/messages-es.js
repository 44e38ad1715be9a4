// What the service says, in Spanish, by the keys of its messages; a value stands in braces.

import { esMessagesOfAudit } from "./messages-es-audit.js";
import { esMessagesOfOperations } from "./messages-es-operations.js";
import { esMessagesOfServer } from "./messages-es-server.js";
import { esMessagesOfValues } from "./messages-es-values.js";

export const messages = {
  ...esMessagesOfValues,
  ...esMessagesOfOperations,
  ...esMessagesOfAudit,
  ...esMessagesOfServer,
};
