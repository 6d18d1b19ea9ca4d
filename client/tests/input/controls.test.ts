import { describe, expect, test } from "vitest";

import { DEFAULT_BINDINGS, commandOf, hintFor, keyWord, rebind, verbsOf } from "../../src/input/bindings";
import { defaultSettings, parseSettings } from "../../src/input/settings";
import { Placing } from "../../src/play/placement";
import { Selecting } from "../../src/play/selection";
import { QUALITIES, QualityGovernor, firstLevel, isSoftware } from "../../src/scene/quality";
import type { ClientMessage } from "../../src/wire/generated";
import { world } from "../fixtures";

describe("keys", () => {
  test("no key does two things", () => {
    const codes = Object.values(DEFAULT_BINDINGS).flat();
    expect(new Set(codes).size).toBe(codes.length);
  });

  test("a key that is bound again leaves its old command", () => {
    const bindings = rebind(DEFAULT_BINDINGS, "pick", "KeyF");
    expect(commandOf(bindings, "KeyF")).toBe("pick");
    expect(commandOf(bindings, "KeyE")).toBeNull();
    expect(bindings.openClose).toEqual([]);
    expect(hintFor(bindings, "open")).toBe("");
  });

  test("hints", () => {
    expect(hintFor(DEFAULT_BINDINGS, "pick")).toBe("E");
    expect(hintFor(DEFAULT_BINDINGS, "close")).toBe("F");
    expect(keyWord("ArrowUp")).toBe("↑");
    expect(verbsOf("power")).toEqual(["power_on", "power_off"]);
  });
});

describe("settings", () => {
  test("survive storage", () => {
    const changed = { ...defaultSettings(), sensitivity: 1.7, invertY: true };
    expect(parseSettings(JSON.stringify(changed))).toEqual(changed);
  });

  test("that are damaged are as usual", () => {
    for (const text of [null, "", "{", "3", "null", '{"sensitivity":"fast","bindings":{"pick":7}}']) {
      expect(parseSettings(text)).toEqual(defaultSettings());
    }
  });
});

describe("selecting", () => {
  function made(): { sent: ClientMessage[]; selecting: Selecting } {
    const sent: ClientMessage[] = [];
    const send = (message: ClientMessage): boolean => sent.push(message) > 0;
    return { sent, selecting: new Selecting(send, () => undefined) };
  }

  test("tells the server once, and believes only answers to it", () => {
    const { sent, selecting } = made();
    selecting.select(2);
    selecting.select(2);
    expect(sent).toEqual([{ tag: "s", target: 2, part: -1 }]);
    selecting.offered(1, -1, []);
    expect(selecting.selected?.actions).toBeNull();
    selecting.offered(2, -1, [{ verb: "pick", possible: true, reason: "" }]);
    expect(selecting.selected?.actions).toHaveLength(1);
  });

  test("an act is answered", async () => {
    const { sent, selecting } = made();
    const done = selecting.act("pick", 2);
    const again = selecting.act("open", 1, 0);
    selecting.answered(2, "Too far away: walk closer");
    selecting.answered(1, null);
    expect(await done).toBeNull();
    expect(await again).toBe("Too far away: walk closer");
    expect(sent[1]).toMatchObject({ tag: "a", verb: "open", target: 1, part: 0, intentId: 2 });
  });

  test("a double click means what can be done", () => {
    const { selecting } = made();
    const home = world();
    const [table, cabinet, cup] = home.entities;
    if (!table || !cabinet || !cup) throw new Error("missing");
    expect(selecting.mainVerb(cup, -1)).toBe("pick");
    expect(selecting.mainVerb(cabinet, 0)).toBe("close");
    expect(selecting.mainVerb(cabinet, 1)).toBe("open");
    expect(selecting.mainVerb(table, -1)).toBeNull();
    selecting.select(cabinet.index, 1);
    selecting.offered(cabinet.index, 1, [{ verb: "close", possible: true, reason: "" }]);
    expect(selecting.mainVerb(cabinet, 1)).toBe("close");
  });

  test("the same thing is selected again after a reconnection", () => {
    const { sent, selecting } = made();
    selecting.reset(world(), "cup_1_:0003", -1);
    expect(sent).toEqual([{ tag: "s", target: 2, part: -1 }]);
    selecting.reset(world(), "gone_:0000", -1);
    expect(selecting.selected).toBeNull();
  });
});

describe("placing", () => {
  const pick = (x: number): Parameters<Placing["point"]>[0] => ({
    entity: 0,
    part: -1,
    point: { x, y: 0.75, z: 0 } as never,
    normal: { x: 0, y: 1, z: 0 } as never,
    distance: 1,
  });

  test("asks at most twelve times a second and shows the answer", () => {
    const sent: ClientMessage[] = [];
    const placing = new Placing((message) => sent.push(message) > 0);
    placing.start();
    for (let ms = 0; ms <= 1000; ms += 10) placing.point(pick(1 + ms / 1000), 0, ms);
    expect(sent.length).toBeGreaterThan(8);
    expect(sent.length).toBeLessThanOrEqual(13);
    placing.point(pick(2), 0, 2000);
    const last = sent[sent.length - 1];
    if (last?.tag !== "v") throw new Error("no question");
    expect(placing.shown?.fit).toBe("unknown");
    placing.answered({ tag: "preview", previewId: last.previewId, fits: false, reason: "No room", position: [2000, 752, 0], rotation: [0, 0, 0] });
    expect(placing.shown).toMatchObject({ fit: "no", reason: "No room", position: [2, 0.752, 0] });
  });

  test("old answers are forgotten", () => {
    const sent: ClientMessage[] = [];
    const placing = new Placing((message) => sent.push(message) > 0);
    placing.start();
    placing.point(pick(1), 0, 0);
    placing.answered({ tag: "preview", previewId: 99, fits: true, reason: "", position: [0, 0, 0], rotation: [0, 0, 0] });
    expect(placing.shown?.fit).toBe("unknown");
  });

  test("things are put down squarely, and turned by the wheel", () => {
    const placing = new Placing(() => true);
    expect(placing.yawFor(0.3)).toBe(0);
    placing.turn(1);
    expect(placing.yawFor(1.5)).toBeCloseTo(Math.PI / 2 + Math.PI / 12, 9);
  });
});

describe("quality", () => {
  const drawFor = (governor: QualityGovernor, fps: number, seconds: number): void => {
    for (let t = 0; t < seconds; t += 1 / fps) governor.drew(1 / fps);
  };

  test("starts low without a graphics card", () => {
    expect(isSoftware("ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader driver)")).toBe(true);
    expect(firstLevel("llvmpipe (LLVM 15)")).toBeLessThan(firstLevel("ANGLE (Apple, Apple M1 Pro, OpenGL 4.1)"));
  });

  test("goes down while it is too slow, and stays where it is fast enough", () => {
    const governor = new QualityGovernor(4);
    drawFor(governor, 60, 20);
    expect(governor.level).toBe(4);
    drawFor(governor, 20, 6);
    expect(governor.level).toBeLessThan(4);
    drawFor(governor, 8, 60);
    expect(governor.level).toBe(0);
    expect(QUALITIES[0]?.shadowSize).toBe(0);
  });

  test("the first seconds and single hiccups do not count", () => {
    const governor = new QualityGovernor(3);
    drawFor(governor, 5, 2);
    for (let i = 0; i < 100; i++) {
      drawFor(governor, 60, 0.5);
      governor.drew(0.7);
    }
    expect(governor.level).toBe(3);
  });
});
