// The refreshing of a page: a part of it is replaced with what the server would show there now.

const EVERY_MS = 4000;
const GIVE_UP_MS = 10_000;
/** Tells the server that nobody did anything: such a look keeps no sign-in from growing idle. */
const RENEWAL = { "cohabit-renewal": "1" };

/** Replace `part` every few seconds with the element of the same id; show `stale` while that is not possible. */
export function refreshPeriodically(part: HTMLElement, stale: HTMLElement): void {
  let shownAt = new Date();

  const look = async (): Promise<void> => {
    const html = await fetchPage();
    stale.hidden = html !== null;
    if (html === null) {
      stale.textContent = `The server does not answer. This is how things stood at ${shownAt.toLocaleTimeString()}.`;
      return;
    }
    shownAt = new Date();
    const next = new DOMParser().parseFromString(html, "text/html").getElementById(part.id);
    // Who marks something to copy it must not lose it.
    if (next && next.innerHTML !== part.innerHTML && !isMarked(part)) replace(part, next);
  };

  const again = (): void => {
    window.setTimeout(() => {
      void (document.hidden ? Promise.resolve() : look()).finally(again);
    }, EVERY_MS);
  };
  again();
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) void look();
  });
}

/** Fetch the page as it is now; null when there is none. Somebody who may no longer see it is shown why. */
async function fetchPage(): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(GIVE_UP_MS);
    const answer = await fetch(location.href, { cache: "no-store", headers: RENEWAL, signal });
    if (answer.status === 403) location.reload();
    return answer.ok ? await answer.text() : null;
  } catch {
    return null;
  }
}

function replace(part: HTMLElement, next: HTMLElement): void {
  const focused = document.activeElement;
  const name = focused instanceof HTMLElement && part.contains(focused) ? focused.dataset.testid : undefined;
  part.replaceChildren(...next.childNodes);
  if (name === undefined) return;
  const same = part.querySelector<HTMLElement>(`[data-testid="${CSS.escape(name)}"]`);
  same?.focus({ preventScroll: true });
}

function isMarked(part: HTMLElement): boolean {
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && part.contains(selection.anchorNode);
}
