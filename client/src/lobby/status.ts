/** What the server says about a stay in the lobby. */
export type LobbyMessage =
  | { type: "status"; text?: string; position?: number; waiting?: number; waited_s?: number }
  | { type: "matched"; play_url: string }
  | { type: "closed"; code?: number; text: string; home?: string };

export function readLobbyMessage(data: unknown): LobbyMessage | null {
  if (typeof data !== "string") return null;
  try {
    const value = JSON.parse(data) as { type?: unknown };
    const known = value.type === "status" || value.type === "matched" || value.type === "closed";
    return known ? (value as LobbyMessage) : null;
  } catch {
    return null;
  }
}

/** `75` is `1:15`. */
export function clockText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** Where a page may go: a path of this site, nothing else. */
export function ownPath(url: unknown, missing = "/"): string {
  return typeof url === "string" && /^\/(?![/\\])/.test(url) ? url : missing;
}
