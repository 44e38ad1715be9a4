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

function invitation(redraw) {
  const about = el("p", { className: "hint" }, say("roleAbout.viewer"));
  const role = select(roles(), "viewer");
  role.addEventListener("change", () => {
    about.textContent = say(`roleAbout.${role.value}`);
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
      ],
      button: say("makeLink"),
      send: async (values) =>
        showLink(
          await confirmed(() => post(`${base}/invitations`, { email: values.email, role: values.role })),
          redraw,
        ),
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

function row(member, me, owner, redraw) {
  const isMe = member.userId === me.user.id;
  const name = el(
    "span",
    {},
    member.name,
    isMe ? ` (${say("you")})` : "",
    member.deactivatedAt ? ` · ${say("inactive")}` : "",
  );
  if (!owner) return [name, say(`role.${member.role}`), reach(member.stores)];
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
    reach(member.stores),
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
    const [members, open] = await Promise.all([get(`${base}/members`), owner ? get(`${base}/links`) : []]);
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
        members.map((member) => row(member, me, owner, redraw)),
      ),
      owner ? [invitation(redraw), links(open, redraw)] : null,
      el("p", { className: "hint" }, say("timesIn", { zone: zone() })),
    );
  };
  await redraw();
});
