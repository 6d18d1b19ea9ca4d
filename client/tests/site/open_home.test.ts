import { expect, test } from "vitest";

import { closingWords, keptFor } from "../../src/site/open_home";

test("how long an empty home is kept", () => {
  expect(closingWords(30)).toBe("With nobody in it, it is closed in 30 seconds.");
  expect(closingWords(1)).toContain("in 1 second.");
  expect(closingWords(0)).toContain("being closed");
});

test("what the start page says of an open home", () => {
  expect(keptFor('<main></main>')).toBeUndefined();
  expect(keptFor('<div class="notice" data-testid="open-home">')).toBeNull();
  expect(keptFor('<div class="notice" data-testid="open-home" data-closes-after="172">')).toBe(172);
});
