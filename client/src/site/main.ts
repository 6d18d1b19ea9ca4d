// The look of every page that is not the play page; behaviour that a page cannot do without lives
// in forms, so nothing here is needed for the site to work.
import { countDown } from "./open_home";
import { IN_BROWSER, followPictures } from "./report_pictures";
import "../styles/tokens.css";
import "../styles/looks.css";
import "../styles/site.css";
import "../styles/report.css";
import "../styles/operator.css";
import "../styles/visit.css";

for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener("click", () => {
    const source = document.getElementById(button.dataset.copy ?? "");
    if (!(source instanceof HTMLInputElement)) return;
    const say = (text: string): void => {
      button.textContent = text;
      window.setTimeout(() => (button.textContent = label), 2500);
    };
    source.select();
    // Without a secure context there is no clipboard; the text is selected for Ctrl+C.
    if (!navigator.clipboard) return say("Press Ctrl+C");
    navigator.clipboard.writeText(source.value).then(
      () => say("Copied"),
      () => say("Press Ctrl+C"),
    );
  });
}

for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

// Two clicks on a button must not send a form twice.
for (const form of document.querySelectorAll("form")) {
  form.addEventListener("submit", () => {
    window.setTimeout(() => {
      for (const button of form.querySelectorAll("button")) button.disabled = true;
    });
  });
}

const openHome = document.querySelector<HTMLElement>("[data-testid='open-home']");
if (openHome) countDown(openHome);

const pictures = document.querySelector<HTMLElement>("[data-pictures]");
if (pictures) void followPictures(pictures, IN_BROWSER);

// A page that comes back from the history must have its buttons again.
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  for (const button of document.querySelectorAll<HTMLButtonElement>("form button")) {
    button.disabled = false;
  }
});
