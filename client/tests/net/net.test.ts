import { deflateSync } from "node:zlib";

import { encode } from "@msgpack/msgpack";
import { describe, expect, test } from "vitest";

import { socketUrl } from "../../src/dom/socket_url";
import { closeKind, comesBack } from "../../src/net/close_kind";
import { codecOf, decodeMessage, encodeMessage, subprotocol } from "../../src/net/codec";
import { MessageQueue } from "../../src/net/message_queue";
import { writeFrame, writeSnapshot } from "../../src/wire/generated";
import type { ServerMessage, Snapshot } from "../../src/wire/generated";
import { snapshot } from "../fixtures";

function bytes(data: Uint8Array): ArrayBuffer {
  return data.slice().buffer;
}

describe("codecs", () => {
  test("are named by the subprotocol", () => {
    expect(subprotocol("msgpack")).toBe("cohabit.1.msgpack");
    expect(subprotocol("json")).toBe("cohabit.1.json");
    expect(codecOf("cohabit.1.json")).toBe("json");
    expect(codecOf("cohabit.1.msgpack")).toBe("msgpack");
  });

  test("say the same", () => {
    const hello = { tag: "hello", token: "t", tab: "a", clientVersion: "1", takeOver: true } as const;
    expect(encodeMessage(hello, "json")).toBe('["hello","t","a","1",true]');
    const fields = writeFrame({ tick: 7, vanished: [3] });
    const binary = decodeMessage(encode(fields), "msgpack");
    expect(decodeMessage(JSON.stringify(fields), "json")).toEqual(binary);
    expect(binary).toMatchObject({ tag: "f", tick: 7, vanished: [3], agents: [] });
  });

  test("ignore messages of the future", () => {
    expect(decodeMessage('["tomorrow",1]', "json")).toBeNull();
  });
});

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

test("close codes", () => {
  expect(comesBack(closeKind(1006))).toBe(true);
  expect(comesBack(closeKind(4001))).toBe(true);
  expect(comesBack(closeKind(4010))).toBe(true);
  for (const code of [1000, 4000, 4003, 4008, 4009, 4401, 4404, 4426]) {
    expect(comesBack(closeKind(code)), String(code)).toBe(false);
  }
  expect(closeKind(4009)).toBe("other_tab");
});

test("socket addresses", () => {
  expect(socketUrl("/ws/play", "https://a.example/play/ses_1#x")).toBe("wss://a.example/ws/play");
  expect(socketUrl("/ws/play", "http://localhost:8000/play/ses_1")).toBe("ws://localhost:8000/ws/play");
});
