import { encode } from "@msgpack/msgpack";
import { describe, expect, test } from "vitest";

import { codecOf, decodeMessage, encodeMessage, subprotocol } from "../../src/net/codec";
import { writeFrame } from "../../src/wire/generated";

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
