import { expect, test } from "vitest";

import { secretOf } from "../../src/operator/entrance_link";

test("the secret of a link is found", () => {
  expect(secretOf("#once=abcdefghijklmnop_-0")).toBe("abcdefghijklmnop_-0");
});

test("anything else holds none", () => {
  for (const fragment of ["", "#", "#once=", "#once=short", "#main", "#once=<script>aaaaaaaaaaaaaaaa", "#twice=abcdefghijklmnop"]) {
    expect(secretOf(fragment)).toBeNull();
  }
});
