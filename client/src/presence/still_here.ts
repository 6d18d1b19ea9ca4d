// The sign of life of a page without a socket: without one from any of its pages a session is closed, and
// who loads the home on a slow line, or reads a report, wants to play.

export const STILL_HERE_MS = 10_000;

/** Tell the server, at the path that `element` names, at once, now and then, and when the page is looked at
    again, that it is open; until `element` names none any more. */
export function keepSession(element: HTMLElement): void {
  const tell = (): void => {
    const path = element.dataset.stillHere;
    if (path === undefined) window.clearInterval(timer);
    else void fetch(path, { cache: "no-store" }).catch(() => undefined);
  };
  const timer = window.setInterval(tell, STILL_HERE_MS);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) tell();
  });
  tell();
}
