// Sign-in with e-mail address and password, and the way back to the page that asked for it.

import { post } from "./call.js";
import { el, fill } from "./element.js";
import { field, form, input } from "./form.js";
import { openPage } from "./frame.js";
import { say } from "./words.js";

// Returns where to go after sign-in: only a path of the panel, never another site or folder.
export function safeNext(text) {
  const plain = /^\/panel(?:[/?][A-Za-z0-9/\-_.~?&=%]*)?$/.test(text);
  const leaves = text.includes("//") || text.includes("..") || /%2e|%2f|%5c/i.test(text);
  return plain && !leaves ? text : "/panel";
}

openPage((main) => {
  const next = safeNext(new URLSearchParams(location.search).get("next") ?? "");
  // The owner of the demo has no password.
  const demo =
    "demo" in document.body.dataset
      ? [el("p", {}, say("demoLink")), el("a", { className: "button strong", href: "/demo/enter" }, say("link.demo"))]
      : null;
  fill(
    main,
    el("h1", {}, say("signIn")),
    demo,
    form({
      fields: [
        field("email", say("email"), input({ type: "email", autocomplete: "username", required: true })),
        field(
          "password",
          say("password"),
          input({ type: "password", autocomplete: "current-password", required: true }),
        ),
      ],
      button: say("signIn"),
      send: async (values) => {
        await post("/sign-in", values);
        location.assign(next);
      },
    }),
    el("p", { className: "hint" }, say("forgotten")),
  );
  main.querySelector("a.strong, input").focus();
});
