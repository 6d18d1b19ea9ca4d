import { expect, test } from "vitest";

import { closingWords } from "../../src/site/open_home";

test("how long an empty home is kept", () => {
  expect(closingWords(30)).toBe("With nobody in it, it is closed in 30 seconds.");
  expect(closingWords(1)).toContain("in 1 second.");
  expect(closingWords(0)).toContain("being closed");
});
