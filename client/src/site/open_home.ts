// The card of an open home on the start page: it counts down, and goes when the home is closed.

const CLOSED = "It is closed by now. What you did is stored, and the tutorial goes on where you were.";
const KEPT = "Somebody is in it, so it stays open.";
/** Seconds that a home may take to close. */
const GRACE_S = 3;
/** Seconds between two looks at a home that somebody is in: a page that was just left is one, for a moment. */
const LOOK_S = 4;

/** Say how long an empty home is still kept. */
export function closingWords(seconds: number): string {
  if (seconds <= 0) return "With nobody in it, it is being closed now.";
  return `With nobody in it, it is closed in ${seconds} second${seconds === 1 ? "" : "s"}.`;
}

/** Return what a start page says of an open home: the seconds for which it is kept; null: somebody is in it; undefined: there is none. */
export function keptFor(page: string): number | null | undefined {
  const card = /<div[^>]*data-testid="open-home"[^>]*>/.exec(page)?.[0];
  if (card === undefined) return undefined;
  const seconds = /data-closes-after="(\d+)"/.exec(card)?.[1];
  return seconds === undefined ? null : Number(seconds);
}

/** Show on a card for how long its home is kept, until it is closed. */
export function countDown(card: HTMLElement, page = window.location.pathname): void {
  const words = card.querySelector<HTMLElement>("[data-closing]");
  if (!words) return;
  const { closesAfter } = card.dataset;
  if (closesAfter === undefined) lookAgain(card, words, page);
  else count(card, words, page, Number(closesAfter));
}

function count(card: HTMLElement, words: HTMLElement, page: string, seconds: number): void {
  const endsMs = Date.now() + seconds * 1000;
  const timer = window.setInterval(() => {
    const left = Math.ceil((endsMs - Date.now()) / 1000);
    words.textContent = closingWords(left);
    if (left > -GRACE_S) return;
    window.clearInterval(timer);
    void look(card, words, page);
  }, 1000);
}

function lookAgain(card: HTMLElement, words: HTMLElement, page: string): void {
  window.setTimeout(() => void look(card, words, page), LOOK_S * 1000);
}

/** Ask the start page how the home is now. */
async function look(card: HTMLElement, words: HTMLElement, page: string): Promise<void> {
  let kept: number | null | undefined = null;
  try {
    kept = keptFor(await (await fetch(page, { cache: "no-store" })).text());
  } catch {
    // Without a connection nobody knows: the way back in says so itself.
  }
  if (kept === undefined) {
    card.replaceChildren(Object.assign(document.createElement("p"), { textContent: CLOSED }));
    return;
  }
  words.textContent = kept === null ? KEPT : closingWords(kept);
  if (kept === null) lookAgain(card, words, page);
  else count(card, words, page, kept);
}
