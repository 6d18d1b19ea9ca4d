import { describe, expect, test } from "vitest";

import { defaultSettings, parseSettings } from "../../src/input/settings";

describe("settings", () => {
  test("survive storage", () => {
    const changed = { ...defaultSettings(), sensitivity: 1.7, invertY: true };
    expect(parseSettings(JSON.stringify(changed))).toEqual(changed);
  });

  test("that are damaged are as usual", () => {
    for (const text of [null, "", "{", "3", "null", '{"sensitivity":"fast","bindings":{"pick":7}}']) {
      expect(parseSettings(text)).toEqual(defaultSettings());
    }
  });
});
