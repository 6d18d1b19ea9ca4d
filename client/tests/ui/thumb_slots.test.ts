import { expect, test } from "vitest";

import { VERBS } from "../../src/world/words";
import { slotOf } from "../../src/ui/thumb_slots";

/** What may be offered at once: of a thing, of furniture, of one of its fronts, and for the hand. */
const HAND = ["place", "aim", "put_inside"];
const TOGETHER = [
  ["approach", "pick", "clean", "fill", "pour", "power_on", ...HAND],
  ["approach", "open", "close", "clean", "fill", "pour", "power_off", ...HAND],
];

/** The cells that a button covers. */
function cells(action: string): string[] {
  const { row, column, columns } = slotOf(action);
  return Array.from({ length: columns }, (_, i) => `${row} ${column + i}`);
}

test("no two buttons that are there at once share a place, and all lie in four columns", () => {
  for (const actions of TOGETHER) {
    const covered = actions.flatMap(cells);
    expect(new Set(covered).size).toBe(covered.length);
    expect(covered.every((cell) => /[1-4]$/.test(cell))).toBe(true);
  }
});

test("what comes by an action comes elsewhere: a second tap picks nothing up and shuts nothing", () => {
  expect(cells("close")).not.toEqual(cells("open"));
  for (const action of HAND) expect(cells(action)).not.toContain(cells("pick")[0]);
});

test("every verb has a place of its own row, and an action that is not known takes none of them", () => {
  const known = [...Object.keys(VERBS), "approach", ...HAND];
  const unknown = cells("sing");
  for (const verb of known) expect(cells(verb)).not.toEqual(unknown);
});

test("a second tap where one began to aim puts nothing down, and one where it was put down begins nothing", () => {
  const others = [...Object.keys(VERBS), "approach", ...HAND, "aim_keep", "aim_turn"].flatMap(cells);
  expect(others).not.toContain(cells("aim_put")[0]);
  for (const action of ["aim_put", "aim_keep", "aim_turn"]) {
    for (const hand of HAND) expect(cells(hand)).not.toContain(cells(action)[0]);
  }
});
