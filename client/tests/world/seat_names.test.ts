import { describe, expect, test } from "vitest";

import { addressed, namesOf } from "../../src/world/seat_names";
import type { NamedSeat } from "../../src/world/seat_names";

const NAMES = new Map([
  ["robot_0", "robot 1"],
  ["robot_1", "robot 2"],
  ["human_0", "person"],
]);

function seats(...seatIds: string[]): NamedSeat[] {
  return seatIds.map((seatId) => ({ seatId, kind: seatId.startsWith("robot") ? "robot" : "human" }));
}

test("numbers only where a kind occurs twice, then for all of it", () => {
  expect([...namesOf(seats("robot_0", "human_0")).values()]).toEqual(["robot", "person"]);
  expect(namesOf(seats("robot_0", "robot_1", "human_0"))).toEqual(NAMES);
});

describe("a line", () => {
  test.each([
    ["bring the cup", [], "bring the cup"],
    ["@robot 2 bring the cup", ["robot_1"], "bring the cup"],
    ["  @Robot 2: bring the cup ", ["robot_1"], "bring the cup"],
    ["@robot 1, @person wait", ["robot_0", "human_0"], "wait"],
    ["@robot 1 @robot 1 wait", ["robot_0"], "wait"],
    ["@robot 12 wait", [], "@robot 12 wait"],
    ["@robot wait", [], "@robot wait"],
    ["@personal things", [], "@personal things"],
    ["ask @robot 2", [], "ask @robot 2"],
    ["@robot 2", ["robot_1"], ""],
  ])("%s", (text, to, rest) => {
    expect(addressed(text, NAMES)).toEqual({ seats: to, rest });
  });
});
