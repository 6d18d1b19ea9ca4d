// The pictures of a report that are still being drawn: the page asks now and then whether they are there, and shows them.

/** The statuses with which the server says that they are drawn, that they are being drawn, and that there are none. */
const DRAWN = 204;
const NONE = 410;
const NO_PICTURES = "The plan and the timeline of this task could not be drawn.";
const FIRST_S = 1;
const LONGEST_S = 10;
/** Tries after which the page asks no more: some minutes. Its link stays. */
export const MOST_TRIES = 24;

/** Return the seconds before a try (the first is 0). */
export function waitS(attempt: number): number {
  return Math.min(LONGEST_S, FIRST_S * 1.5 ** attempt);
}

/** What of the browser this needs. */
export interface PictureEnvironment {
  /** Ask the server; resolves with its status. */
  ask(path: string): Promise<number>;
  rest(seconds: number): Promise<void>;
  /** Load the page anew. */
  show(): void;
}

/** Show the pictures that the card stands for once they are there, or say that there will be none. */
export async function followPictures(card: HTMLElement, browser: PictureEnvironment): Promise<void> {
  const path = card.dataset.pictures ?? "";
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    await browser.rest(waitS(attempt));
    // Without a connection nobody knows.
    const status = await browser.ask(path).catch(() => 0);
    if (status === DRAWN) return browser.show();
    if (status === NONE) {
      card.textContent = NO_PICTURES;
      return;
    }
  }
}

export const IN_BROWSER: PictureEnvironment = {
  ask: async (path) => (await fetch(path, { cache: "no-store" })).status,
  rest: (seconds) => new Promise((done) => window.setTimeout(done, seconds * 1000)),
  show: () => window.location.reload(),
};
