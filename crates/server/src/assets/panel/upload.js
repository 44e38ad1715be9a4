// Sends a file to the service, with its progress.

import { CallError } from "./call.js";

// Sends `file` as a new import of a store; `progress` hears of the share that is sent. Returns the response as a promise,
// and what stops it.
export function upload(store, file, progress) {
  const request = new XMLHttpRequest();
  const sent = new Promise((resolve, reject) => {
    request.open("POST", `/panel/api/stores/${store}/imports?name=${encodeURIComponent(file.name.slice(0, 255))}`);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.setRequestHeader("Accept", "application/json");
    request.responseType = "json";
    request.upload.addEventListener("progress", (event) => progress(event.loaded, event.total || file.size));
    request.addEventListener("load", () => {
      if (request.status < 300) resolve(request.response.data);
      else reject(new CallError(request.status, request.response ?? {}));
    });
    for (const end of ["error", "abort", "timeout"])
      request.addEventListener(end, () => reject(new CallError(0, { code: end === "abort" ? "aborted" : undefined })));
    request.send(file);
  });
  return { sent, stop: () => request.abort() };
}
