// What the close codes of the server mean for the page.

/** Why there is no connection, as the page tells it. */
export type CloseKind =
  | "lost"
  | "restarting"
  | "left"
  | "broken"
  | "too_late"
  | "policy"
  | "other_tab"
  | "not_you"
  | "no_session"
  | "version"
  | "ended";

const KINDS: Record<number, CloseKind> = {
  1000: "ended",
  4000: "left",
  4001: "restarting",
  4002: "broken",
  4003: "too_late",
  4008: "policy",
  4009: "other_tab",
  4010: "lost",
  4401: "not_you",
  4404: "no_session",
  4426: "version",
};

export function closeKind(code: number): CloseKind {
  return KINDS[code] ?? "lost";
}

/** Whether to come back without being asked. */
export function comesBack(kind: CloseKind): boolean {
  return kind === "lost" || kind === "restarting";
}
