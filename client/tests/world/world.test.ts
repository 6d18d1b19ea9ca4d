import { describe, expect, test } from "vitest";

import { frame, teamOfFive, world } from "../fixtures";

describe("a snapshot", () => {
  test("names things and puts them where they are, in metres", () => {
    const cup = world().byHandle("cup_1_:0003");
    expect(cup?.label).toBe("tea cup 2");
    expect(cup?.position).toEqual([1, 0.75, 0]);
    expect(cup?.rotation[1]).toBeCloseTo(Math.sin(0.25), 6);
    expect(cup?.states).toEqual({ is_clean: true, is_filled: false });
  });

  test("knows assets, rooms, parts and what is out of sight", () => {
    const seen = world();
    expect(seen.templates.map((t) => t.asset)).toEqual(["catalogue/table_1.glb", "catalogue/cabinet_1.glb", "special/cup.glb"]);
    expect(seen.roomAt(1, 1)?.label).toBe("kitchen");
    expect(seen.roomAt(5, 1)).toBeNull();
    expect(seen.entities[1]?.parts).toEqual([0.4, 0]);
    expect(seen.entities[3]).toBeNull();
  });

  test("of somebody without a partner", () => {
    const seen = world();
    expect(seen.others.map(({ kind }) => kind)).toEqual(["robot"]);
    seen.apply(frame({ tick: 101, seats: [{ seat: 0, presence: "empty", finished: false, secondsLeft: -1, doing: "" }] }));
    expect(seen.others).toEqual([]);
    expect(seen.isPair).toBe(true);
  });

  test("of somebody among five: everybody else, told apart by name, label and shape", () => {
    const seen = teamOfFive();
    expect(seen.isPair).toBe(false);
    expect(seen.mySeat?.name).toBe("person 1");
    expect(seen.others.map(({ name, look }) => [name, look.label])).toEqual([
      ["robot 1", "R1"],
      ["robot 2", "R2"],
      ["robot 3", "R3"],
      ["person 2", "P2"],
    ]);
    // Who has left keeps their name, and leaves everybody else's as it is.
    seen.apply(frame({ tick: 101, seats: [{ seat: 0, presence: "gone", finished: false, secondsLeft: -1, doing: "" }] }));
    expect(seen.others.map(({ name }) => name)).toEqual(["robot 1", "robot 2", "robot 3", "person 2"]);
  });
});

describe("a frame", () => {
  test("moves what it names and nothing else", () => {
    const seen = world();
    const changes = seen.apply(
      frame({ tick: 103, objects: [{ index: 2, position: [0, 0, 500], rotation: [0, 0, 0] }], agents: [{ seat: 0, x: 0, y: 0, z: 1000, yaw: -3000, pitch: 0 }] }),
    );
    expect(seen.tick).toBe(103);
    expect(seen.entities[2]?.position).toEqual([0, 0, 0.5]);
    expect(seen.agents[0]?.yaw).toBe(-3);
    expect(seen.agents[1]?.yaw).toBe(1.571);
    expect(changes.moved).toEqual([2]);
    expect(changes.agents).toEqual([0]);
  });

  test("lets a held thing follow its carrier", () => {
    const seen = world();
    seen.apply(frame({ tick: 101, holders: [{ index: 2, seat: 1 }] }));
    const cup = seen.entities[2];
    expect(seen.heldBy(1)?.handle).toBe("cup_1_:0003");
    // The body faces -X (yaw a quarter turn): forward is -X, right is -Z.
    const { position } = seen.pose(cup as NonNullable<typeof cup>);
    expect(position[0]).toBeCloseTo(-0.45, 3);
    expect(position[1]).toBeCloseTo(1.08, 6);
    expect(position[2]).toBeCloseTo(-0.16, 3);
  });

  test("brings new templates, things that come to light, and takes others away", () => {
    const seen = world();
    seen.apply(
      frame({
        tick: 101,
        templates: [{ name: "book_1", className: "book", kind: "object", low: [0, 0, 0], high: [100, 30, 150], parts: [], affords: [], asset: "" }],
        appeared: [{ index: 3, entity: { template: 3, instance: 0, number: 1, room: -1, position: [-1000, 400, 0], rotation: [0, 0, 0], label: "" } }],
        vanished: [2],
        flags: [{ index: 2, state: "is_clean", value: false }],
      }),
    );
    expect(seen.byHandle("book_1_:0000")?.label).toBe("book");
    expect(seen.entities[2]).toBeNull();
  });

  test("starts the clock and ends the episode", () => {
    const seen = world({ phase: "gathering", startedTick: -1 });
    seen.apply(frame({ tick: 120, events: [{ tag: "phase", tick: 118, phase: "running", reason: "" }] }));
    expect([seen.phase, seen.startedTick]).toEqual(["running", 118]);
    seen.apply(frame({ tick: 130, events: [{ tag: "phase", tick: 130, phase: "ended", reason: "finished" }] }));
    expect([seen.phase, seen.startedTick]).toEqual(["ended", 118]);
  });
});

test("a pause and a partner who has finished move the limit, not the start", () => {
  const made = world({ timeLimitTicks: 900 });
  made.apply(frame({ tick: 200, events: [{ tag: "phase", tick: 200, phase: "paused", reason: "" }] }));
  expect(made.phase).toBe("paused");
  made.apply(
    frame({
      tick: 300,
      events: [
        { tag: "limit", tick: 300, timeLimitTicks: 1000, finishing: false },
        { tag: "phase", tick: 300, phase: "running", reason: "" },
        { tag: "limit", tick: 300, timeLimitTicks: 500, finishing: true },
      ],
    }),
  );
  expect([made.phase, made.startedTick, made.timeLimitTicks, made.finishing]).toEqual(["running", 10, 500, true]);
});
