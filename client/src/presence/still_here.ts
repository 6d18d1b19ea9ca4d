// The sign of life of a page without a socket: without one from any of its pages a session is closed, and
// who loads the home on a slow line, or reads a report, wants to play.

import type { ToMetronome } from "./metronome";

export const STILL_HERE_MS = 10_000;
/** The same on a page that is told when others go on: they wait. */
export const WAITED_FOR_MS = 4_000;
/** The status with which the server says that the session is closed. */
const GONE = 410;
/** The status with which it tells something. */
const TOLD = 200;

/** Tell the server, at the path that `element` names, at once, now and then, and when somebody comes back to
    the page, that it is open; until `element` names none any more, or the session is closed. What the server
    has to tell meanwhile goes to `onTold`. */
export function keepSession(element: HTMLElement, onClosed: () => void, onTold: (words: string) => void = () => undefined): void {
  const over = new AbortController();
  const { signal } = over;
  const ask = async (): Promise<void> => {
    const path = element.dataset.stillHere;
    if (path === undefined) return over.abort();
    const answer = await fetch(path, { cache: "no-store" });
    if (answer.status === TOLD) onTold(await answer.text());
    if (answer.status !== GONE || signal.aborted || element.dataset.stillHere === undefined) return;
    over.abort();
    onClosed();
  };
  // A server that cannot be reached is asked again.
  const tell = (): void => void ask().catch(() => undefined);
  onReturn(tell, signal);
  const isTold = element.dataset.stillHere?.includes("after=") ?? false;
  repeat(tell, signal, isTold ? WAITED_FOR_MS : STILL_HERE_MS, element.dataset.stillHere ?? "");
  tell();
}

/** Call `action` whenever somebody, or the network, comes back to the page. */
function onReturn(action: () => void, signal: AbortSignal): void {
  document.addEventListener("visibilitychange", () => void (document.hidden || action()), { signal });
  document.addEventListener("resume", action, { signal });
  window.addEventListener("focus", action, { signal });
  window.addEventListener("online", action, { signal });
  window.addEventListener("pageshow", ({ persisted }) => void (persisted && action()), { signal });
}

/** Call `action` every so many milliseconds, in a hidden tab too: a worker beats the time. Until it has come, and where there
    is none, a timer of the page does. While the page is too busy to hear it, the worker asks for `path` itself. */
function repeat(action: () => void, signal: AbortSignal, everyMs: number, path: string): void {
  const timer = window.setInterval(action, everyMs);
  signal.addEventListener("abort", () => window.clearInterval(timer));
  if (typeof Worker === "undefined") return;
  try {
    const worker = new Worker(new URL("./metronome.ts", import.meta.url));
    worker.addEventListener("message", () => {
      window.clearInterval(timer);
      worker.postMessage("heard" satisfies ToMetronome);
      action();
    });
    signal.addEventListener("abort", () => worker.terminate());
    worker.postMessage({ everyMs, path } satisfies ToMetronome);
  } catch (error) {
    console.warn("no worker beats the time", error);
  }
}
