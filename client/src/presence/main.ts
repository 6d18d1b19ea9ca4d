// The first script of a page whose session waits for it: small, so that it comes at once where the others
// take a minute. Its own tag names the path.
import { keepSession } from "./still_here";

/** Say that the session is closed: in the words that the page has for it, or else in the server's. */
function showClosed(): void {
  const words = document.querySelector<HTMLTemplateElement>("template[data-when-closed]");
  if (!words) return window.location.reload();
  const wayBack = words.content.querySelector("a");
  const offers = [...document.querySelectorAll("[data-while-open]")];
  const hadFocus = offers.some((offer) => offer.contains(document.activeElement));
  words.replaceWith(words.content);
  for (const offer of offers) offer.remove();
  if (hadFocus) wayBack?.focus();
}

/** Say that the session has gone on to its next task; a page on which whoever comes first begins it for all goes there. */
function showNext(words: string): void {
  const onward = document.querySelector<HTMLElement>("[data-next-path]")?.dataset.nextPath;
  if (onward) return window.location.assign(onward);
  const note = document.querySelector<HTMLElement>("[data-next-note]");
  if (!note || note.textContent === words) return;
  note.textContent = words;
  note.hidden = false;
  document.querySelector("[data-until-next]")?.remove();
}

const tag = document.querySelector<HTMLElement>("script[data-still-here]");
if (tag) keepSession(tag, showClosed, showNext);
