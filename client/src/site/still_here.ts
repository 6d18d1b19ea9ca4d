// The sign of life of a report: without one from any of its pages a session is closed, and who reads a
// report wants the next task.

export const STILL_HERE_MS = 10_000;

/** Tell the server at `path` now and then, and when the page is looked at again, that it is still open. */
export function keepSession(path: string): void {
  const tell = (): void => void fetch(path, { cache: "no-store" }).catch(() => undefined);
  window.setInterval(tell, STILL_HERE_MS);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) tell();
  });
}
