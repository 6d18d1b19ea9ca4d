// A clock in a thread of its own (a web worker), which is told its period: browsers slow down the timers of
// a hidden page, to one turn a minute, and not those of its workers.
addEventListener("message", ({ data }: MessageEvent<number>) => {
  setInterval(() => postMessage(null), data);
});
