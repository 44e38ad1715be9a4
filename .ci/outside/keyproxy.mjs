// Adds the key to requests that carry none, because the conformance runner cannot: keyproxy.mjs PORT TARGET KEY
import http from "node:http";
const [port, target, key] = process.argv.slice(2);
const to = new URL(target);
const proxy = http
  .createServer((request, response) => {
    // Host and Origin are forwarded unchanged, because the test of DNS rebinding depends on them.
    const headers = { ...request.headers };
    if (!headers["x-api-key"] && !headers.authorization) headers["x-api-key"] = key;
    const { method, url: path } = request;
    const up = http.request({ host: to.hostname, port: to.port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    up.on("error", (error) => {
      response.writeHead(502);
      response.end(String(error));
    });
    response.on("close", () => up.destroy());
    request.pipe(up);
  })
  .listen(Number(port), "127.0.0.1", () => console.log(`http://127.0.0.1:${proxy.address().port}`));
