// Calls of the panel's own interface, with its errors as one kind of exception.

const API = "/panel/api";

// An error response, or no response at all (status 0).
export class CallError extends Error {
  constructor(status, body) {
    super(body.message ?? "");
    this.status = status;
    this.translatable = body.translatable;
    this.code = body.code ?? "unreachable";
    this.errors = body.errors ?? [];
    this.details = body.details;
    this.retryAfter = body.retryAfter ?? 0;
    this.requestId = body.requestId;
  }
}

// The files of a server's panel are in a folder of their own; responses name that of the server that sends them.
const FOLDER = /\/assets\/([^/]+)\//.exec(import.meta.url)?.[1];
let onUpdate = () => {};

// Sets what happens when a response comes from another version of the panel.
export function whenUpdated(action) {
  onUpdate = action;
}

let onSessionOver = null;
let asking = null;

// Asks once, however many calls of the page are waiting.
function renewed() {
  asking ??= onSessionOver().finally(() => {
    asking = null;
  });
  return asking;
}

// Sets what happens when the session is over: a function that returns whether somebody signed in again.
export function whenSessionIsOver(action) {
  onSessionOver = action;
}

async function send(method, path, body, ifMatch, more) {
  /** @type {any} */
  const request = { method, headers: { Accept: "application/json", ...more }, credentials: "same-origin" };
  if (body !== undefined) {
    request.body = JSON.stringify(body);
    request.headers["Content-Type"] = "application/json";
  }
  if (ifMatch) request.headers["If-Match"] = ifMatch;
  let response;
  try {
    response = await fetch(API + path, request);
  } catch {
    throw new CallError(0, {});
  }
  const folder = response.headers.get("Findwell-Panel");
  if (folder !== null && folder !== FOLDER) onUpdate();
  const json = await response.json().catch(() => ({}));
  if (!response.ok) throw new CallError(response.status, json);
  return { ...json, etag: response.headers.get("ETag") };
}

// Returns the whole response of a call with its entity tag. With `ifMatch`, a write fails if somebody else was first.
// A session that is over is replaced on the spot, if the page knows how; what the gate rejects is saved if the user insists.
export async function call(method, path, body, ifMatch) {
  try {
    return await send(method, path, body, ifMatch);
  } catch (error) {
    if (error.code === "impact_exceeded")
      return (await import("./gate-dialog.js")).insisted(error, send, method, path, body, ifMatch);
    if (error.code !== "session_missing" || onSessionOver === null) throw error;
    // Another tab may have replaced the session between two requests.
    try {
      return await send(method, path, body, ifMatch);
    } catch (again) {
      if (again.code !== "session_missing" || !(await renewed())) throw again;
      return send(method, path, body, ifMatch);
    }
  }
}

export const get = async (path) => (await call("GET", path)).data;
export const post = async (path, body = undefined) => (await call("POST", path, body)).data;
export const put = async (path, body) => (await call("PUT", path, body)).data;
export const remove = async (path) => (await call("DELETE", path)).data;
