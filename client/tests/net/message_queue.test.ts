import { deflateSync } from "node:zlib";

import { encode } from "@msgpack/msgpack";
import { describe, expect, test } from "vitest";

import { MessageQueue } from "../../src/net/message_queue";
import { writeFrame, writeSnapshot } from "../../src/wire/generated";
import type { ServerMessage, Snapshot } from "../../src/wire/generated";
import { snapshot } from "../fixtures";

function bytes(data: Uint8Array): ArrayBuffer {
  return data.slice().buffer;
}

describe("what arrives", () => {
  test("is delivered in order, although inflating takes a while", async () => {
    const got: ServerMessage[] = [];
    const queue = new MessageQueue("msgpack", (m) => got.push(m), () => undefined);
    const packed = deflateSync(encode(writeSnapshot(snapshot() as Omit<Snapshot, "tag">)));
    queue.push(bytes(packed));
    queue.push(bytes(encode(writeFrame({ tick: 101 }))));
    queue.push(bytes(encode(writeFrame({ tick: 102 }))));
    expect(got).toEqual([]);
    await queue.settled();
    queue.push(bytes(encode(writeFrame({ tick: 103 }))));
    expect(got.map((m) => (m.tag === "f" || m.tag === "snapshot" ? m.tick : -1))).toEqual([100, 101, 102, 103]);
  });

  test("may be damaged without harm to the rest", async () => {
    const got: ServerMessage[] = [];
    const damage: unknown[] = [];
    const queue = new MessageQueue("msgpack", (m) => got.push(m), (error) => damage.push(error));
    queue.push(bytes(new Uint8Array([0x78, 1, 2, 3])));
    queue.push(bytes(encode(writeFrame({ tick: 5 }))));
    await queue.settled();
    expect(damage).toHaveLength(1);
    expect(got).toHaveLength(1);
  });

  test("is dropped after the end", () => {
    const got: ServerMessage[] = [];
    const queue = new MessageQueue("json", (m) => got.push(m), () => undefined);
    queue.close();
    queue.push('["f",3]');
    expect(got).toEqual([]);
  });
});
