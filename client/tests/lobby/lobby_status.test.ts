import { describe, expect, test } from "vitest";

import { clockText, ownPath, readLobbyMessage } from "../../src/lobby/status";
import { retryDelay } from "../../src/net/backoff";

test("messages that are not ours are ignored", () => {
  expect(readLobbyMessage("{")).toBeNull();
  expect(readLobbyMessage('["other"]')).toBeNull();
  expect(readLobbyMessage('["matched","/play/ses_1"]')).toEqual({
    tag: "matched",
    playUrl: "/play/ses_1",
  });
});

test("a page goes to its own site only", () => {
  expect(ownPath("/play/ses_1")).toBe("/play/ses_1");
  expect(ownPath("//elsewhere.example/")).toBe("/");
  expect(ownPath("https://elsewhere.example/")).toBe("/");
  expect(ownPath("javascript:alert(1)")).toBe("/");
});

test("waited time", () => {
  expect(clockText(75.9)).toBe("1:15");
  expect(clockText(-3)).toBe("0:00");
});

describe("retry", () => {
  test("doubles from 100 ms to 5 s", () => {
    expect([0, 1, 2, 3, 9, 99].map((n) => retryDelay(n, () => 1))).toEqual([
      100, 200, 400, 800, 5000, 5000,
    ]);
  });

  test("jitter takes up to half", () => {
    expect(retryDelay(2, () => 0)).toBe(200);
  });
});
