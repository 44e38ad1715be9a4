// The user's own profile: name, password, accounts and sessions.

import { get, post, put, remove } from "./call.js";
import { el, fill } from "./element.js";
import { button, field, form, input, table } from "./form.js";
import { page, report } from "./frame.js";
import { say, time, zone } from "./words.js";

const secret = (name, label, kind, hint) =>
  field(name, label, input({ type: "password", autocomplete: kind, required: true }), hint);

function profile(me) {
  return el(
    "section",
    { className: "card" },
    el("h2", {}, say("profile")),
    el("p", {}, me.user.email),
    form({
      fields: [field("name", say("yourName"), input({ value: me.user.name, autocomplete: "name", maxLength: 255 }))],
      button: say("save"),
      send: async (values) => {
        await put("/me", { name: values.name });
        report(say("saved"));
      },
    }),
  );
}

function password(me) {
  const demo = me.user.email.endsWith(".invalid");
  const change = form({
    fields: [
      input({ type: "email", autocomplete: "username", value: me.user.email, readOnly: true, hidden: true }),
      secret("current", say("currentPassword"), "current-password"),
      secret("new", say("newPassword"), "new-password", say("passwordRules")),
    ],
    button: say("changePassword"),
    send: async (values, whole) => {
      await post("/password", { current: values.current, new: values.new });
      whole.reset();
      report(say("passwordChanged"));
    },
  });
  return el(
    "section",
    { className: "card" },
    el("h2", {}, say("password")),
    demo ? el("p", {}, say("demoNoPassword")) : change,
  );
}

function accounts(me) {
  const rows = me.accounts.map((account) => [account.name, say(`role.${account.role}`)]);
  return el(
    "section",
    { className: "card" },
    el("h2", {}, say("accounts")),
    table(say("accounts"), [say("account"), say("role")], rows),
  );
}

function sessions(list, redraw) {
  const heads = [say("session"), say("address"), say("signedInAt"), say("lastUse"), say("actions")];
  const rows = list.map((session) => [
    session.browser,
    session.address,
    time(session.signedInAt),
    time(session.usedAt),
    session.current
      ? say("current")
      : button(
          say("endSession"),
          async () => {
            await remove(`/sessions/${session.id}`);
            report(say("sessionEnded"));
            await redraw();
          },
          report,
          "button slim",
        ),
  ]);
  const all = button(
    say("signOutEverywhere"),
    async () => {
      await post("/sign-out", { everywhere: true });
      location.assign("/panel/sign-in");
    },
    report,
  );
  return el(
    "section",
    { className: "card" },
    el("h2", {}, say("sessions")),
    el("p", {}, say("sessionsAbout")),
    table(say("sessions"), heads, rows),
    el("div", { className: "row" }, all),
    el("p", { className: "hint" }, say("timesIn", { zone: zone() })),
  );
}

page(async (main, me) => {
  const redraw = async () => {
    const list = await get("/sessions");
    fill(main, el("h1", {}, me.user.name), profile(me), password(me), accounts(me), sessions(list, redraw));
  };
  await redraw();
});
