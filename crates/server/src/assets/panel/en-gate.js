// The texts in English of the gate.

export const enGate = {
  "gate": "Gate",
  "gateAbout":
    "Rejects saves of relevance, synonyms and rules that change too much of what this store watches, by keys and in the panel. Who may save here can save all the same, with a reason.",
  "gateOn": "Reject what moves too much, or empties a watched query",
  "gateShare": "Watched queries whose first three results may change, in percent",
  "gateKeys": "Keys may save all the same, with a reason",
  "gateTitle": "This moves more than the gate lets through",
  "gateTop3": "its first three results change",
  "gateLost": "it loses all results",
  "gateMore": "{n} more watched query changes.|{n} more watched queries change.",
  "gateForce": "Save all the same",
  "gateReason": "Why?",
};
