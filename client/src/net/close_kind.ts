// What the server's close codes mean for a page.
import { CloseCode } from "../wire/generated";

/** Why there is no connection, as a page tells it. */
export type CloseKind =
  | "lost"
  | "restarting"
  | "left"
  | "broken"
  | "refused"
  | "over_limit"
  | "other_tab"
  | "not_you"
  | "no_session"
  | "version"
  | "ended";

/** The close code of a websocket that ended as it should. */
const NORMAL = 1000;

const KINDS: Record<CloseCode | typeof NORMAL, CloseKind> = {
  [NORMAL]: "ended",
  [CloseCode.DONE]: "left",
  [CloseCode.GOING_AWAY]: "restarting",
  [CloseCode.MALFORMED]: "broken",
  [CloseCode.REFUSED]: "refused",
  [CloseCode.OVER_LIMIT]: "over_limit",
  [CloseCode.OTHER_TAB]: "other_tab",
  [CloseCode.TRY_AGAIN]: "lost",
  [CloseCode.UNAUTHENTICATED]: "not_you",
  [CloseCode.NO_SESSION]: "no_session",
  [CloseCode.VERSION]: "version",
  // Only the lobby closes so, with a text of its own.
  [CloseCode.UNAVAILABLE]: "lost",
};

/** Return what a close code means; a code that is not ours means a lost connection. */
export function closeKind(code: number): CloseKind {
  return (KINDS as Partial<Record<number, CloseKind>>)[code] ?? "lost";
}

/** Tell whether to come back without being asked. */
export function comesBack(kind: CloseKind): boolean {
  return kind === "lost" || kind === "restarting";
}
