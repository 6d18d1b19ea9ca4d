import { expect, test } from "vitest";

import { readMoment, writeMoment } from "../../src/replay/moment_link";

test("a link leads back to the moment that it was made of", () => {
  for (const view of ["eyes", "behind", "fly"] as const) {
    const moment = { seconds: 83.2, seat: "robot_1", view };
    expect(readMoment(writeMoment(moment))).toEqual(moment);
  }
  expect(readMoment(writeMoment({ seconds: -1.5, seat: "", view: "eyes" })).seconds).toBe(-1.5);
});

test("what makes no sense in a link counts as not said", () => {
  expect(readMoment("")).toEqual({ seconds: null, seat: "", view: "eyes" });
  for (const hash of ["#t=abc&view=hack", "#t=1e9", "#t=NaN", "#t=", "#%%%"]) {
    expect(readMoment(hash)).toMatchObject({ seconds: null, view: "eyes" });
  }
});
