// The card of an open home on the start page: it counts down, and goes when the home is closed.

const CLOSED = "It is closed by now. What you did is stored, and the tutorial goes on where you were.";
const KEPT = "Somebody is in it, so it stays open.";
/** Seconds that a home may take to close. */
const GRACE_S = 3;

/** Say how long an empty home is still kept. */
export function closingWords(seconds: number): string {
  if (seconds <= 0) return "With nobody in it, it is being closed now.";
  return `With nobody in it, it is closed in ${seconds} second${seconds === 1 ? "" : "s"}.`;
}

/** Count down on a card until its home is closed, then ask the server whether it is. */
export function countDown(card: HTMLElement, page = window.location.pathname): void {
  const words = card.querySelector<HTMLElement>("[data-closing]");
  if (!words) return;
  const endsMs = Date.now() + Number(card.dataset.closesAfter) * 1000;
  const timer = window.setInterval(() => {
    const left = Math.ceil((endsMs - Date.now()) / 1000);
    words.textContent = closingWords(left);
    if (left > -GRACE_S) return;
    window.clearInterval(timer);
    void isOpen(page).then((open) => {
      words.textContent = open ? KEPT : CLOSED;
      if (open) return;
      delete card.dataset.closesAfter;
      card.replaceChildren(Object.assign(document.createElement("p"), { textContent: CLOSED }));
    });
  }, 1000);
}

/** Ask the start page whether the card is still on it. */
async function isOpen(page: string): Promise<boolean> {
  try {
    const answer = await fetch(page, { cache: "no-store" });
    return (await answer.text()).includes('data-testid="open-home"');
  } catch {
    // Without a connection nobody knows: the way back in says so itself.
    return true;
  }
}
