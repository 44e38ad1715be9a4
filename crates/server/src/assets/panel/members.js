// Members of an account: roles, invitations, links for a new password, removal.

import { CallError, get, post, put, remove } from "./call.js";
import { confirmed } from "./confirm.js";
import { el, fill } from "./element.js";
import { ask, button, copyable, dialog, field, form, input, select, table } from "./form.js";
import { page, parts, report, roleNotice } from "./frame.js";
import { say, time, zone } from "./words.js";

const base = `/accounts/${parts[1]}`;
const roles = () => ["viewer", "editor", "owner"].map((role) => [role, say(`role.${role}`)]);

function showLink(made, redraw) {
  dialog(say("linkMade"), el("p", {}, say("linkOnce")), copyable(say("linkText"), made.link)).addEventListener(
    "close",
    redraw,
  );
}

// Which stores a member reaches: all, or those that are ticked. Owners reach all. `read` returns what the calls take.
function reachFields(stores, chosen) {
  const all = el("input", { type: "checkbox", checked: chosen === "all" });
  const boxes = stores.map((store) =>
    el("input", { type: "checkbox", value: store.id, checked: chosen !== "all" && chosen.includes(store.id) }),
  );
  const list = el(
    "div",
    { hidden: all.checked },
    boxes.map((box, at) => el("label", { className: "check" }, box, stores[at].name)),
  );
  all.addEventListener("change", () => {
    list.hidden = all.checked;
  });
  return {
    element: el(
      "fieldset",
      { "data-field": "stores" },
      el("legend", {}, say("reach")),
      el("label", { className: "check" }, all, say("reachAll")),
      list,
      el("p", { className: "wrong", hidden: true }),
    ),
    read: () => {
      const ticked = boxes.filter((box) => box.checked).map((box) => box.value);
      if (!all.checked && ticked.length === 0)
        throw new CallError(0, { errors: [{ field: "stores", reason: say("reachNone") }] });
      return all.checked ? {} : { stores: ticked };
    },
  };
}

// Changes which stores a member reaches.
function reachDialog(member, stores, redraw) {
  const reached = reachFields(stores, member.stores);
  const whole = dialog(
    say("reachOf", { name: member.name }),
    form({
      fields: [reached.element],
      button: say("save"),
      send: async () => {
        const change = { role: member.role, ...reached.read() };
        await confirmed(() => put(`${base}/members/${member.userId}`, change));
        whole.close();
        report(say("saved"));
        await redraw();
      },
    }),
  );
}

function invitation(stores, redraw) {
  const about = el("p", { className: "hint" }, say("roleAbout.viewer"));
  const role = select(roles(), "viewer");
  const reached = reachFields(stores, "all");
  role.addEventListener("change", () => {
    about.textContent = say(`roleAbout.${role.value}`);
    reached.element.hidden = role.value === "owner";
  });
  return el(
    "section",
    { className: "card" },
    el("h2", {}, say("invite")),
    el("p", {}, say("inviteAbout")),
    form({
      fields: [
        field("email", say("email"), input({ type: "email", autocomplete: "off", required: true })),
        field("role", say("role"), role),
        about,
        reached.element,
      ],
      button: say("makeLink"),
      send: async ({ email, role }) => {
        const invited = { email, role, ...(role === "owner" ? {} : reached.read()) };
        showLink(await confirmed(() => post(`${base}/invitations`, invited)), redraw);
      },
    }),
  );
}

function reach(stores) {
  return stores === "all" ? say("reachAll") : say("reachSome", { n: stores.length });
}

async function removeMember(member, redraw) {
  const keys = (await get(`${base}/keys`)).filter(
    (key) => key.createdBy?.userId === member.userId && !key.deactivatedAt,
  );
  const named =
    keys.length > 0
      ? [
          el("p", {}, say("removeKeys", { n: keys.length })),
          el(
            "ul",
            {},
            keys.map((key) => el("li", {}, `${key.name} (…${key.lastFour})`)),
          ),
        ]
      : [el("p", {}, say("removeNoKeys"))];
  if (!(await ask(say("removeAsk", { name: member.name }), named, say("removeMember")))) return;
  await confirmed(() => remove(`${base}/members/${member.userId}`));
  report(say("memberRemoved", { name: member.name }));
  await redraw();
}

function roleControl(member, redraw) {
  const control = select(roles(), member.role);
  control.setAttribute("aria-label", `${say("role")}: ${member.name}`);
  control.addEventListener("change", async () => {
    const stores = control.value === "owner" || member.stores === "all" ? {} : { stores: member.stores };
    try {
      await confirmed(() => put(`${base}/members/${member.userId}`, { role: control.value, ...stores }));
      report(say("roleSaved"));
    } catch (error) {
      control.value = member.role;
      throw error;
    } finally {
      await redraw();
    }
  });
  return control;
}

function row(member, me, stores, redraw) {
  const isMe = member.userId === me.user.id;
  const name = el(
    "span",
    {},
    member.name,
    isMe ? ` (${say("you")})` : "",
    member.deactivatedAt ? ` · ${say("inactive")}` : "",
  );
  if (!stores) return [name, say(`role.${member.role}`), reach(member.stores)];
  const actions = isMe
    ? ""
    : el(
        "span",
        { className: "row" },
        button(
          say("makeReset"),
          async () => showLink(await confirmed(() => post(`${base}/members/${member.userId}/reset`)), redraw),
          report,
          "button slim",
        ),
        button(say("removeMember"), () => removeMember(member, redraw), report, "button slim"),
      );
  return [
    name,
    member.email,
    isMe ? say(`role.${member.role}`) : roleControl(member, redraw),
    isMe || member.role === "owner"
      ? reach(member.stores)
      : el(
          "button",
          { className: "link", type: "button", onclick: () => reachDialog(member, stores, redraw) },
          reach(member.stores),
          el("span", { className: "unseen" }, `: ${say("reachOf", { name: member.name })}`),
        ),
    member.lastSignInAt ? time(member.lastSignInAt) : say("never"),
    actions,
  ];
}

function links(open, redraw) {
  if (open.length === 0) return null;
  const heads = [say("linkFor"), say("keyKind"), say("role"), say("ends"), say("actions")];
  const rows = open.map((link) => [
    link.email ?? "",
    say(`linkKind.${link.kind}`),
    link.role ? say(`role.${link.role}`) : "",
    time(link.expiresAt),
    button(
      say("revoke"),
      async () => {
        await remove(`${base}/links/${link.id}`);
        report(say("linkRevoked"));
        await redraw();
      },
      report,
      "button slim",
    ),
  ]);
  return el("section", { className: "card" }, el("h2", {}, say("openLinks")), table(say("openLinks"), heads, rows));
}

page(async (main, me) => {
  const account = me.accounts.find((one) => one.id === parts[1]);
  if (!account) throw new CallError(404, {});
  const owner = account.role === "owner";
  const redraw = async () => {
    const [members, open, stores] = await Promise.all([
      get(`${base}/members`),
      owner ? get(`${base}/links`) : [],
      owner ? get(`/stores?${new URLSearchParams({ account: parts[1], limit: "100" })}`) : null,
    ]);
    const owners = members.filter((member) => member.role === "owner");
    const heads = owner
      ? [say("name"), say("email"), say("role"), say("reach"), say("lastSignIn"), say("actions")]
      : [say("name"), say("role"), say("reach")];
    fill(
      main,
      el("h1", {}, say("membersOf", { name: account.name })),
      owner && owners.length === 1 ? el("p", { className: "hint" }, say("onlyYou")) : null,
      owner ? null : await roleNotice(account),
      table(
        say("members"),
        heads,
        members.map((member) => row(member, me, stores, redraw)),
      ),
      owner ? [invitation(stores, redraw), links(open, redraw)] : null,
      el("p", { className: "hint" }, say("timesIn", { zone: zone() })),
    );
  };
  await redraw();
});
