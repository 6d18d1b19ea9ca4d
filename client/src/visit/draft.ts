/** Milliseconds after a change before it is sent: a few changes travel together. */
const PAUSE_MS = 1500;

/** The body of a draft: all that the form has now, with a mark that it is not sent yet. */
export function draftBody(form: HTMLFormElement): URLSearchParams {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string") body.append(name, value);
  }
  body.set("draft", "1");
  return body;
}

/** Send the fields of a form to the server as they are filled in. */
export function keepDraft(form: HTMLFormElement): void {
  let timer = 0;
  let changed = false;
  const send = (): void => {
    window.clearTimeout(timer);
    if (!changed) return;
    changed = false;
    // A draft that is lost costs a reload its last answers, and nothing else.
    void fetch(form.action, { method: "POST", body: draftBody(form), keepalive: true }).catch(() => undefined);
  };
  form.addEventListener("input", () => {
    changed = true;
    window.clearTimeout(timer);
    timer = window.setTimeout(send, PAUSE_MS);
  });
  form.addEventListener("submit", () => {
    changed = false;
    window.clearTimeout(timer);
  });
  window.addEventListener("pagehide", send);
}
