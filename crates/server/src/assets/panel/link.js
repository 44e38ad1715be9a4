// A one-time link: shows what it is for, and uses it. Opening the page changes nothing.

import { get, post } from "./call.js";
import { el, fill } from "./element.js";
import { field, form, input, messageOf } from "./form.js";
import { openPage } from "./frame.js";
import { say, spoken, time, zone } from "./words.js";

const token = location.hash.slice(1);

const text = (name, label, attributes) => field(name, label, input({ required: true, ...attributes }));
const newPassword = () =>
  field(
    "password",
    say("newPassword"),
    input({ type: "password", autocomplete: "new-password", required: true }),
    say("passwordRules"),
  );
const userName = () => text("name", say("yourName"), { autocomplete: "name" });

// Title, explanation, fields and button of each kind.
const KINDS = {
  owner: (link) => ({
    title: say("link.owner"),
    about: [link.account ? say("link.ownerAbout", { account: link.account }) : say("link.ownerNew")],
    fields: [
      userName(),
      text("email", say("email"), { type: "email", autocomplete: "username" }),
      newPassword(),
      link.account ? null : text("accountName", say("accountName"), { autocomplete: "organization" }),
    ],
    button: say("link.create"),
  }),
  invitation: (link) => ({
    title: say("link.invitation", { account: link.account }),
    about: [
      say("link.invitationAbout", { by: link.madeBy, email: link.email, role: say(`role.${link.role}`) }),
      say(`roleAbout.${link.role}`),
      link.hasUser ? say("link.hasUser") : null,
    ],
    fields: link.hasUser
      ? [field("password", say("password"), input({ type: "password", autocomplete: "current-password" }))]
      : [userName(), newPassword()],
    button: say("link.join", { account: link.account }),
  }),
  reset: (link) => ({
    title: say("link.reset"),
    about: [say("link.resetAbout", { email: link.email })],
    fields: [newPassword()],
    button: say("link.setPassword"),
  }),
  demo: (link) => ({
    title: say("link.demo"),
    about: [say("link.demoAbout", { account: link.account })],
    fields: [],
    button: say("link.demo"),
  }),
};

let details = null;

openPage(async (main) => {
  try {
    details ??= await post("/links/look", { token });
  } catch (error) {
    const demo = "demo" in document.body.dataset;
    const next = error.code === "link_gone" && !demo ? el("p", {}, say("link.goneNext")) : null;
    const on = demo
      ? el("a", { className: "button strong", href: "/demo/enter" }, say("link.demo"))
      : el("a", { href: "/panel/sign-in" }, say("signIn"));
    fill(main, el("h1", {}, messageOf(error)), next, el("p", {}, on));
    return;
  }
  const { title, about, fields, button } = KINDS[details.kind](details);
  const user = details.email
    ? input({ type: "email", autocomplete: "username", value: details.email, readOnly: true, hidden: true })
    : null;
  const until = el("p", { className: "hint" }, say("link.until", { time: time(details.expiresAt), zone: zone() }));
  fill(
    main,
    el("h1", {}, title),
    about.filter(Boolean).map((line) => el("p", {}, line)),
    form({
      fields: [user, ...fields],
      button,
      send: async (values) => {
        await post("/links/use", {
          token,
          ...values,
          ...(details.hasUser || details.kind === "reset" ? {} : { language: spoken() }),
        });
        // Whoever enters the demo wants to try something.
        const [store] = details.kind === "demo" ? await get("/stores") : [];
        location.assign(store ? `/panel/stores/${store.id}/workbench` : "/panel");
      },
    }),
    until,
  );
});
