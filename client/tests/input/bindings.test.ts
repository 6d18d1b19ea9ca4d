import { describe, expect, test } from "vitest";

import { DEFAULT_BINDINGS, commandOf, hintFor, keyWord, rebind, verbsOf } from "../../src/input/bindings";

describe("keys", () => {
  test("no key does two things", () => {
    const codes = Object.values(DEFAULT_BINDINGS).flat();
    expect(new Set(codes).size).toBe(codes.length);
  });

  test("a key that is bound again leaves its old command", () => {
    const bindings = rebind(DEFAULT_BINDINGS, "pick", "KeyF");
    expect(commandOf(bindings, "KeyF")).toBe("pick");
    expect(commandOf(bindings, "KeyE")).toBeNull();
    expect(bindings.openClose).toEqual([]);
    expect(hintFor(bindings, "open")).toBe("");
  });

  test("hints", () => {
    expect(hintFor(DEFAULT_BINDINGS, "pick")).toBe("E");
    expect(hintFor(DEFAULT_BINDINGS, "close")).toBe("F");
    expect(keyWord("ArrowUp")).toBe("↑");
    expect(verbsOf("power")).toEqual(["power_on", "power_off"]);
  });
});
