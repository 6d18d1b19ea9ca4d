// Pages of a visit. All of them work as plain forms, but for the device check, which has to measure; this
// also keeps what somebody has filled in, so that a reload brings it back.
import { keepDraft, keepInTab } from "./draft";
import { DraftCopy } from "./draft_copy";
import { checkDevice } from "./device_check";
import { Presses, tellUse } from "./page_use";
import { tellReading } from "./reading";

const presses = new Presses();
document.addEventListener("keydown", ({ timeStamp, repeat }) => presses.note(timeStamp, repeat));
document.addEventListener("pointerdown", ({ timeStamp }) => presses.note(timeStamp));
// Made on each page, with a form or without: it drops what was kept at another step.
const copy = new DraftCopy(document.querySelector<HTMLElement>("[data-visit-step]")?.dataset.visitStep ?? "");
for (const form of document.querySelectorAll<HTMLFormElement>("form.visit-form")) {
  if (form.querySelector('[name="step"]')) {
    keepDraft(form, copy);
    tellUse(form, presses);
  } else {
    keepInTab(form, copy);
  }
}
const explanation = document.querySelector<HTMLElement>("[data-reading]");
const way = document.querySelector<HTMLFormElement>("[data-after] form");
if (explanation && way) tellReading(explanation, way);
const check = document.getElementById("device-check");
if (check) void checkDevice(check);

// A page that says what is wrong is the answer to a form. Loaded again, or come back to, it is asked for as a page:
// the form is not sent once more, and the server brings back what was filled in.
history.replaceState(history.state, "", location.href);

// What the history brings back may be a page that the visit has left.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) window.location.reload();
});
