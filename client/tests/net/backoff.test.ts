import { describe, expect, test } from "vitest";

import { retryDelay } from "../../src/net/backoff";

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
