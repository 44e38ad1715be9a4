// Calls of previews: at most two at a time, each repeated while the server is away or asks to wait.

import { CallError, post } from "../call.js";
import { base } from "./state.js";

// The server allows as many to a session.
const PLACES = 2;
const AGAIN_MS = 700;
const SLOW_MS = 700;

let busy = 0;
const waiting = [];
let listener = (state, seconds) => {};

// Sets who hears how the calls fare: "", "slow", "away", or "limited" with the seconds to wait.
export function onTrouble(action) {
  listener = action;
}

const sleep = (time) =>
  new Promise((resolve) => {
    setTimeout(resolve, time);
  });

async function place() {
  if (busy < PLACES) busy += 1;
  else
    await new Promise((resolve) => {
      waiting.push(resolve);
    });
}

function leave() {
  const next = waiting.shift();
  if (next) next();
  else busy -= 1;
}

// Returns the milliseconds after which a call is worth repeating; null if it is not.
function patience(error) {
  if (!(error instanceof CallError)) return null;
  const wanted = (error.retryAfter || 0) * 1000;
  if (error.status === 429) return Math.max(wanted, AGAIN_MS);
  if (error.status === 0 || [502, 503, 504].includes(error.status)) return Math.max(Math.min(wanted, 5000), AGAIN_MS);
  return null;
}

// Runs a preview. `body` is called for each attempt, so that a repeated call sends the newest draft.
export async function ask(path, body) {
  await place();
  const slow = setTimeout(() => listener("slow"), SLOW_MS);
  try {
    for (;;) {
      try {
        const data = await post(`${base}/${path}`, body());
        listener("");
        return data;
      } catch (error) {
        const wait = patience(error);
        if (wait === null) {
          listener("");
          throw error;
        }
        listener(error.status === 429 ? "limited" : "away", Math.ceil(wait / 1000));
        await sleep(wait);
      }
    }
  } finally {
    clearTimeout(slow);
    leave();
  }
}

// Returns a function that asks now, or once the call in flight has ended: one is in flight and the newest waits. `show`
// hears whether one does.
export function loop(path, body, show, failed) {
  let running = false;
  let again = false;
  return async () => {
    again = true;
    if (running) return;
    running = true;
    while (again) {
      again = false;
      try {
        const found = await ask(path, body);
        show(found, again);
      } catch (error) {
        failed(error);
      }
    }
    running = false;
  };
}
