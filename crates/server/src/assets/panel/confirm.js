// Asks for the password in place: when a session is over, and before what needs it again. What was typed stays.

import { CallError, call, post } from "./call.js";
import { el } from "./element.js";
import { dialog, field, form, input } from "./form.js";
import { say } from "./words.js";

// Opens a dialog with one form; resolves to whether its call succeeded.
function openPrompt(title, about, fields, send) {
  return new Promise((resolve) => {
    let done = false;
    const whole = dialog(
      title,
      el("p", {}, about),
      form({
        fields,
        button: say("confirm"),
        send: async (values) => {
          await send(values);
          done = true;
          whole.close();
        },
      }),
    );
    whole.addEventListener("close", () => resolve(done));
    whole.querySelector('[type="password"]').focus();
  });
}

const passwordField = () =>
  field("password", say("password"), input({ type: "password", autocomplete: "current-password", required: true }));

// Signs in on the spot; the user stays the same, or the page is loaded again.
export function signInAgain(email) {
  const address = field("email", say("email"), input({ type: "email", autocomplete: "username", value: email }));
  return openPrompt(say("signIn"), say("sessionOver"), [address, passwordField()], async (values) => {
    await post("/sign-in", values);
    if (values.email.trim().toLowerCase() !== email) location.reload();
  });
}

// Runs `action`; if it needs the password again, asks for it once and repeats it.
export async function confirmed(action) {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== "password_needed") throw error;
    const given = await openPrompt(say("confirmTitle"), say("confirmAbout"), [passwordField()], (values) =>
      call("POST", "/confirm", values),
    );
    if (!given) throw error;
    return action();
  }
}
