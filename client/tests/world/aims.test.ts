import { describe, expect, it } from "vitest";

import { destination } from "../../src/world/destinations";
import { frame, world } from "../fixtures";

const AIM = { tag: "aim", tick: 101, seat: 0, verb: "place", text: "taking the cup to the table", target: 2, place: 0, room: -1, why: "it belongs there" } as const;

describe("what a robot is about to do", () => {
  it("is known from its event until it shows nothing any more", () => {
    const made = world();
    expect(made.seats[0]?.aim).toBeNull();
    made.apply(frame({ tick: 101, events: [AIM] }));
    expect(made.seats[0]?.aim).toEqual({ verb: "place", text: "taking the cup to the table", why: "it belongs there", place: 0, room: -1 });
    made.apply(frame({ tick: 102, events: [{ ...AIM, verb: "" }] }));
    expect(made.seats[0]?.aim).toBeNull();
  });

  it("leads to a place on the floor, as wide as what stands there", () => {
    const made = world();
    expect(destination(made, 0)).toBeNull();
    made.apply(frame({ tick: 101, events: [AIM] }));
    const to = destination(made, 0);
    expect(to?.position).toEqual([1, 0, 0]);
    expect(to?.radius).toBeCloseTo(Math.SQRT1_2);
    expect(to?.height).toBeCloseTo(0.75);
  });

  it("leads to the middle of a room, and nowhere where nothing is named or in sight", () => {
    const made = world();
    made.apply(frame({ tick: 101, events: [{ ...AIM, place: -1, room: 0 }] }));
    expect(destination(made, 0)?.position).toEqual([0, 0, 0]);
    made.apply(frame({ tick: 102, events: [{ ...AIM, place: 3 }] }));
    expect(destination(made, 0)).toBeNull();
  });
});
