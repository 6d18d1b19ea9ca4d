// The two codecs of one set of messages; the websocket subprotocol says which of them is used.
import { decode, encode } from "@msgpack/msgpack";

import { COMPRESSED, SUBPROTOCOLS, readServerMessage, writeClientMessage } from "../wire/generated";
import type { ClientMessage, ServerMessage } from "../wire/generated";

export type CodecName = "msgpack" | "json";

/** Return the name by which a codec is asked for. */
export function subprotocol(codec: CodecName): string {
  return SUBPROTOCOLS.find((name) => name.endsWith(codec)) ?? SUBPROTOCOLS[0];
}

/** Return the codec of the subprotocol that the server has chosen. */
export function codecOf(protocol: string): CodecName {
  return protocol.endsWith(".json") ? "json" : "msgpack";
}

export function encodeMessage(message: ClientMessage, codec: CodecName): string | Uint8Array<ArrayBuffer> {
  const fields = writeClientMessage(message);
  return codec === "json" ? JSON.stringify(fields) : encode(fields);
}

/** Read a message; null for one that this version does not know. Throws for what is no message at all. */
export function decodeMessage(data: string | Uint8Array, codec: CodecName): ServerMessage | null {
  if (codec === "msgpack" && typeof data !== "string") return readServerMessage(decode(data));
  const text = typeof data === "string" ? data : new TextDecoder().decode(data);
  return readServerMessage(JSON.parse(text));
}

/** Tell whether a binary message has to be inflated first. */
export function isCompressed(data: Uint8Array): boolean {
  return data[0] === COMPRESSED;
}

export async function inflate(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
