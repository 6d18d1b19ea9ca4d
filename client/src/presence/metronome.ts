// A clock in a thread of its own (a web worker), which is told its period: browsers slow down the timers of
// a hidden page, to one turn a minute, and not those of its workers.
// A page that is so busy that it has not heard the last beat is there nevertheless: then the worker tells the server itself.

/** What the page sends: how often to beat and what to ask the server for, or that it has heard a beat. */
export type ToMetronome = { everyMs: number; path: string } | "heard";

let hasHeard = true;

addEventListener("message", ({ data }: MessageEvent<ToMetronome>) => {
  if (data === "heard") {
    hasHeard = true;
    return;
  }
  setInterval(() => {
    if (!hasHeard) void fetch(data.path, { cache: "no-store" }).catch(() => undefined);
    hasHeard = false;
    postMessage(null);
  }, data.everyMs);
});
