// What a browser remembers of a tutorial: the steps that were passed, and whether it came to its end.
import type { SeatKind } from "../world/world";

const KEY = "cohabit.tutorial";

/** What is remembered of a tutorial: the steps that were passed, and whether it came to its end. */
export interface Kept {
  session: string;
  kind: SeatKind;
  passed: string[];
  ended: boolean;
  /** Whether the player has put it away. */
  left: boolean;
}

/** Keep what is to be remembered. */
export function remember(kept: Kept): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // It is then remembered as long as the page is open.
  }
}

/** Return the steps that are done already: of this session or, where nobody counts them, of one that was left on
    the way, in the same body. */
export function passedBefore(kept: Kept | null, sessionId: string, kind: SeatKind, isCounted: boolean): string[] {
  if (kept?.kind !== kind) return [];
  return kept.session === sessionId || (!kept.ended && !isCounted) ? kept.passed : [];
}

/** Return what is kept of the last tutorial in this browser; null for nothing. */
export function recall(): Kept | null {
  try {
    const { session, kind, passed, ended, left } = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Record<keyof Kept, unknown>>;
    if (typeof session !== "string" || !Array.isArray(passed)) return null;
    return {
      session,
      kind: kind === "robot" ? "robot" : "human",
      passed: passed.filter((id): id is string => typeof id === "string"),
      ended: ended === true,
      left: left === true,
    };
  } catch {
    return null;
  }
}
