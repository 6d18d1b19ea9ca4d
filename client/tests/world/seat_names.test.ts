// Names and addresses, as the server has them: `tests/data/seat_names.json` holds both to the same.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { addressed, namesOf, unknownName } from "../../src/world/seat_names";
import type { NamedSeat } from "../../src/world/seat_names";

interface Golden {
  names: { seats: string[]; names: Record<string, string> }[];
  lines: { seats: string[]; text: string; to: string[]; rest: string }[];
}

const GOLDEN = JSON.parse(readFileSync(join(import.meta.dirname, "../../../tests/data/seat_names.json"), "utf8")) as Golden;

function seatsOf(seatIds: readonly string[]): NamedSeat[] {
  return seatIds.map((seatId) => ({ seatId, kind: seatId.startsWith("robot") ? "robot" : "human" }));
}

test.each(GOLDEN.names)("the names of $seats", ({ seats, names }) => {
  expect(Object.fromEntries(namesOf(seatsOf(seats)))).toEqual(names);
});

describe("a line", () => {
  test.each(GOLDEN.lines)("$text", ({ seats, text, to, rest }) => {
    expect(addressed(text, namesOf(seatsOf(seats)))).toEqual({ seats: to, rest });
  });
});

test.each([
  ["@nobody hello", "nobody"],
  ["@robot 9 bring it", "robot 9"],
  ["@robot 1 @nobody hello", "nobody"],
  ["@robot 1 hello", ""],
  ["hello @nobody", ""],
  ["@ hello", ""],
])("whom %s calls that is not there", (text, name) => {
  expect(unknownName(text, namesOf(seatsOf(["robot_0", "robot_1", "human_0"])))).toBe(name);
});
