import { expect, test } from "vitest";

import { PressGuard } from "../../src/dom/press_guard";

/** A button of these pieces. */
const button = (...pieces: string[]) => ({ contains: (other: unknown) => pieces.includes(other as string) });

test("a tap that began on the scene presses no button that has come under the finger", () => {
  const guard = new PressGuard();
  guard.down(2, "scene");
  expect(guard.counts(2, button("put inside", "its key"))).toBe(false);
  guard.down(2, "its key");
  expect(guard.counts(2, button("put inside", "its key"))).toBe(true);
});

test("a press that slid from one button to another counts for neither", () => {
  const guard = new PressGuard();
  guard.down(2, "open");
  expect(guard.counts(2, button("close"))).toBe(false);
});

test("each finger is told apart, and what no pointer began counts", () => {
  const guard = new PressGuard();
  guard.down(2, "scene");
  guard.down(3, "open");
  expect(guard.counts(3, button("open"))).toBe(true);
  expect(guard.counts(-1, button("open"))).toBe(true);
});
