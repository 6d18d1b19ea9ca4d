import { readLobbyServerMessage } from "../wire/generated";
import type { LobbyServerMessage } from "../wire/generated";

/** Read a message of the server; null for what is none that this page knows. */
export function readLobbyMessage(data: unknown): LobbyServerMessage | null {
  if (typeof data !== "string") return null;
  try {
    return readLobbyServerMessage(JSON.parse(data));
  } catch {
    return null;
  }
}
