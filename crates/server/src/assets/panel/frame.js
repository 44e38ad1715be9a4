// The frame of every page: head, menu, content and notices; loads who is signed in first.

import { CallError, get, post, put, whenSessionIsOver, whenUpdated } from "./call.js";
import { signInAgain } from "./confirm.js";
import { el, fill } from "./element.js";
import { messageOf, select } from "./form.js";
import { menu, unfolding } from "./menu.js";
import { storePicker } from "./picker.js";
import { LANGUAGES, choose, initialLanguage, prepare, say, speak, spoken } from "./words.js";

const notice = el("p", { className: "notice", role: "status" });

// Shows a short message; the next one replaces it.
export function report(text, wrong = false) {
  notice.textContent = text;
  notice.classList.toggle("bad", wrong);
}

// Says that the server has another version of this page. Drafts of the workbench are kept by the tab.
const update = el("div", { className: "update", role: "status" });
whenUpdated(() => {
  if (update.childNodes.length > 0) return;
  fill(
    update,
    el("span", {}, say("panelUpdated")),
    el("button", { className: "button slim", type: "button", onclick: () => location.reload() }, say("reloadPage")),
  );
});

// The parts of the path: of /panel/stores/x/keys they are "stores", "x" and "keys".
export const parts = location.pathname.split("/").slice(2).map(decodeURIComponent);

function languages(chosen) {
  const control = select(Object.entries(LANGUAGES), spoken());
  control.setAttribute("aria-label", say("language"));
  control.addEventListener("change", () => chosen(control.value));
  return control;
}

function titled(title) {
  document.title = `${title} · Findwell`;
}

function shell(head, main) {
  const skip = el("a", { className: "skip", href: "#main" }, say("skip"));
  const brand = el("a", { className: "brand", href: "/panel" }, "Findwell");
  fill(document.body, skip, el("header", { className: "top" }, brand, head), update, main, notice);
}

// A page for somebody who has not signed in.
export function openPage(render) {
  speak(initialLanguage());
  const main = el("main", { id: "main", className: "narrow", tabIndex: -1 });
  const draw = async () => {
    await prepare();
    titled(say(document.body.dataset.title));
    shell(
      languages((code) => {
        choose(code);
        draw();
      }),
      main,
    );
    await render(main);
  };
  draw();
}

async function signOut() {
  await post("/sign-out", {});
  // Drafts of the workbench belong to who signed in.
  sessionStorage.clear();
  location.assign("/panel/sign-in");
}

function head(me) {
  const control = languages(async (code) => {
    choose(code);
    await put("/me", { language: code });
    location.reload();
  });
  const out = el(
    "button",
    { className: "link", type: "button", onclick: () => signOut().catch((error) => report(messageOf(error), true)) },
    say("signOut"),
  );
  const [kind, id] = parts;
  const profile = el("a", { href: "/panel/me" }, say("title.me"));
  return [
    menu(me, kind === "stores" ? id : null),
    storePicker(),
    unfolding(me.user.name, [profile, control, out], "unfolding user"),
  ];
}

// Shows that something went wrong, and how to go on.
export function failed(main, error, again) {
  const out = error instanceof CallError && error.status === 404;
  const next = out
    ? el("a", { className: "button", href: "/panel" }, say("backHome"))
    : el("button", { className: "button", type: "button", onclick: again }, say("tryAgain"));
  const id = error.requestId ? el("p", { className: "hint" }, say("requestId", { id: error.requestId })) : null;
  fill(main, el("h1", {}, out ? say("outOfReach") : messageOf(error)), id, next);
}

// A page for a signed-in user: `render` fills `main` and gets who is signed in.
export async function page(render) {
  speak(initialLanguage());
  const main = el("main", { id: "main", tabIndex: -1, "aria-busy": "true" });
  shell(null, main);
  // A page that has begun to draw itself may still wait for a part.
  const slow = setTimeout(
    () => main.hasChildNodes() || fill(main, el("p", { className: "quiet" }, say("loading"))),
    150,
  );
  let me = null;
  const load = async () => {
    try {
      me ??= await get("/me");
      choose(me.user.language);
      await prepare();
      whenSessionIsOver(() => signInAgain(me.user.email));
      titled(say(document.body.dataset.title));
      shell(head(me), main);
      await render(main, me);
    } catch (error) {
      if (error.code === "session_missing") {
        const next = encodeURIComponent(location.pathname + location.search);
        location.assign(`/panel/sign-in?next=${next}`);
        return;
      }
      await prepare();
      failed(main, error, load);
    } finally {
      clearTimeout(slow);
      main.removeAttribute("aria-busy");
    }
  };
  await load();
}

// Says why controls are off: the role, and who can change it.
export async function roleNotice(account) {
  const members = await get(`/accounts/${account.id}/members`);
  const owners = members.filter((member) => member.role === "owner" && !member.deactivatedAt);
  const role = say(`role.${account.role}`);
  if (owners.length === 0) return el("p", { className: "hint" }, say("yourRoleAlone", { role }));
  const [first, ...others] = owners;
  const who = others.length > 0 ? say("andOthers", { name: first.name, n: others.length }) : first.name;
  return el("p", { className: "hint" }, say("yourRole", { role, who }));
}
