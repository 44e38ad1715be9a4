// When a rule applies, in words.

import { time } from "./words.js";

// Returns from when until when a rule applies; empty if it always does.
export function ruleWindow({ startDate, endDate }) {
  if (!startDate && !endDate) return "";
  return `${startDate ? time(startDate) : "…"} – ${endDate ? time(endDate) : "…"}`;
}
