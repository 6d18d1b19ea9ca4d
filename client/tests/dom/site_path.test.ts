import { expect, test } from "vitest";

import { sitePath } from "../../src/dom/site_path";

test("a page goes to its own site only", () => {
  expect(sitePath("/play/ses_1")).toBe("/play/ses_1");
  expect(sitePath("//elsewhere.example/")).toBe("/");
  expect(sitePath("https://elsewhere.example/")).toBe("/");
  expect(sitePath("javascript:alert(1)")).toBe("/");
});
