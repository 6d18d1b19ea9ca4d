import type { DraftCopy, Field } from "./draft_copy";

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

/** Keep what is filled in: at once in this tab, where a reload finds it, and a little later at the server, where another
    browser does. */
export function keepDraft(form: HTMLFormElement, copy: DraftCopy): void {
  let timer = 0;
  let changed = false;
  const send = (): void => {
    window.clearTimeout(timer);
    if (!changed) return;
    changed = false;
    // The tab has a copy: a draft that is lost costs only another browser its last answers.
    void fetch(form.action, { method: "POST", body: draftBody(form), keepalive: true }).catch(() => undefined);
  };
  const sendSoon = (): void => {
    changed = true;
    window.clearTimeout(timer);
    timer = window.setTimeout(send, PAUSE_MS);
  };
  if (copy.bringBack(pathOf(form), fieldsOf(form))) sendSoon();
  form.addEventListener("input", () => {
    copy.keep(pathOf(form), fieldsOf(form));
    sendSoon();
  });
  // The copy stays: should the form not arrive, the page comes back as it was.
  form.addEventListener("submit", () => {
    changed = false;
    window.clearTimeout(timer);
  });
  window.addEventListener("pagehide", send);
  // A phone that puts the browser away may never tell of the page's end.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") send();
  });
}

/** Keep what is filled in in this tab only, until it is sent. */
export function keepInTab(form: HTMLFormElement, copy: DraftCopy): void {
  copy.bringBack(pathOf(form), fieldsOf(form));
  form.addEventListener("input", () => copy.keep(pathOf(form), fieldsOf(form)));
  form.addEventListener("submit", () => copy.forget(pathOf(form)));
}

function pathOf(form: HTMLFormElement): string {
  return new URL(form.action).pathname;
}

function fieldsOf(form: HTMLFormElement): Field[] {
  return [...form.elements].filter(
    (field): field is HTMLInputElement | HTMLTextAreaElement =>
      field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement,
  );
}
