import { describe, expect, it } from "vitest";

import { PageStatus } from "../../src/play/page_status";
import { frame, teamOfFive } from "../fixtures";

const ALL = [0, 1, 2, 3, 4];

describe("the line across the top of a team's page", () => {
  it("goes on counting down for another when the own seat is told of", () => {
    const world = teamOfFive();
    const status = new PageStatus();
    status.noteSeats(world, ALL, 0);
    const told = world.apply(frame({ tick: 110, seats: [{ seat: 4, presence: "away", finished: false, secondsLeft: 90, doing: "" }] }));
    status.noteSeats(world, told.seats, 1000);
    expect(status.banner(world, 1000)).toContain("(90 s left)");
    const mine = world.apply(frame({ tick: 120, seats: [{ seat: 3, presence: "connected", finished: false, secondsLeft: -1, doing: "" }] }));
    status.noteSeats(world, mine.seats, 47_000);
    expect(status.banner(world, 47_000)).toContain("(44 s left)");
  });

  it("counts all anew from a snapshot, which says what is left", () => {
    const world = teamOfFive();
    const status = new PageStatus();
    world.apply(frame({ tick: 110, seats: [{ seat: 4, presence: "away", finished: false, secondsLeft: 30, doing: "" }] }));
    status.noteSeats(world, ALL, 5000);
    expect(status.banner(world, 6000)).toContain("(29 s left)");
  });

  it("says where the thing lies that one held who leaves", () => {
    const world = teamOfFive({ features: ["chat", "map", "partner_status"], holders: [{ index: 2, seat: 4 }] });
    const status = new PageStatus();
    const gone = { presence: "gone", finished: false, secondsLeft: -1, doing: "" } as const;
    const now = performance.now();
    expect(status.banner(world, now)).toBe("");
    const left = world.apply(frame({ tick: 110, holders: [{ index: 2, seat: -1 }], seats: [{ seat: 4, ...gone }] }));
    status.noteSeats(world, left.seats, now + 100);
    expect(status.banner(world, now + 100)).toBe("Person 2 has left. The tea cup 2 that they held lies on the floor where they stood.");
  });

  it("does not say that of a thing put down long before", () => {
    const world = teamOfFive({ features: ["chat", "map", "partner_status"], holders: [{ index: 2, seat: 4 }] });
    const status = new PageStatus();
    const now = performance.now();
    status.banner(world, now);
    world.apply(frame({ tick: 105, holders: [{ index: 2, seat: -1 }] }));
    status.banner(world, now + 1000);
    world.apply(frame({ tick: 110, seats: [{ seat: 4, presence: "gone", finished: false, secondsLeft: -1, doing: "" }] }));
    status.noteSeats(world, [4], now + 3000);
    expect(status.banner(world, now + 3000)).toBe("Person 2 has left.");
  });

  it("says that something broke until it goes on, whatever that takes", () => {
    const world = teamOfFive();
    const status = new PageStatus();
    status.tell("Something broke.", Infinity);
    expect(status.banner(world, 600_000)).toBe("Something broke.");
    status.goesOn();
    expect(status.banner(world, 600_000)).toBe("");
    status.tell("Some seconds are lost.", 15_000);
    status.goesOn();
    expect(status.banner(world, performance.now())).toBe("Some seconds are lost.");
  });
});
