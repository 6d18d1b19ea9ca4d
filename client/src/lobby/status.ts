import { type LobbyServerMessage, readLobbyServerMessage } from "../wire/generated";

/** A message of the server; null for what is none that this page knows. */
export function readLobbyMessage(data: unknown): LobbyServerMessage | null {
  if (typeof data !== "string") return null;
  try {
    return readLobbyServerMessage(JSON.parse(data));
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
