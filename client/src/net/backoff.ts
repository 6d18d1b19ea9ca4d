const FIRST_MS = 100;
const LONGEST_MS = 5000;

/** Return the milliseconds to wait before the next attempt (the first is 0).

    They double up to a limit, with jitter, so that the clients of a server that was away do not all
    come back at once. */
export function retryDelay(attempt: number, random: () => number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 16));
  return Math.round(full * (0.5 + random() / 2));
}
