import { describe, expect, test } from "vitest";

import { DEFAULT_BINDINGS, commandOf, hintFor, keyWord, rebind, verbsOf } from "../../src/input/bindings";
import { defaultSettings, parseSettings } from "../../src/input/settings";
import { Placement } from "../../src/play/placement";
import { EntitySelection } from "../../src/play/selection";
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
  function made(): { sent: ClientMessage[]; selection: EntitySelection } {
    const sent: ClientMessage[] = [];
    const send = (message: ClientMessage): boolean => sent.push(message) > 0;
    return { sent, selection: new EntitySelection(send, () => undefined) };
  }

  test("tells the server once, and believes only answers to it", () => {
    const { sent, selection } = made();
    selection.select(2);
    selection.select(2);
    expect(sent).toEqual([{ tag: "s", target: 2, part: -1 }]);
    selection.offered(1, -1, []);
    expect(selection.selected?.actions).toBeNull();
    selection.offered(2, -1, [{ verb: "pick", possible: true, reason: "" }]);
    expect(selection.selected?.actions).toHaveLength(1);
  });

  test("an act is answered", async () => {
    const { sent, selection } = made();
    const done = selection.act("pick", 2);
    const again = selection.act("open", 1, 0);
    selection.answered(2, "Too far away: walk closer");
    selection.answered(1, null);
    expect(await done).toBeNull();
    expect(await again).toBe("Too far away: walk closer");
    expect(sent[1]).toMatchObject({ tag: "a", verb: "open", target: 1, part: 0, intentId: 2 });
  });

  test("a double click means what can be done", () => {
    const { selection } = made();
    const home = world();
    const [table, cabinet, cup] = home.entities;
    if (!table || !cabinet || !cup) throw new Error("missing");
    expect(selection.mainVerb(cup, -1)).toBe("pick");
    expect(selection.mainVerb(cabinet, 0)).toBe("close");
    expect(selection.mainVerb(cabinet, 1)).toBe("open");
    expect(selection.mainVerb(table, -1)).toBeNull();
    selection.select(cabinet.index, 1);
    selection.offered(cabinet.index, 1, [{ verb: "close", possible: true, reason: "" }]);
    expect(selection.mainVerb(cabinet, 1)).toBe("close");
  });

  test("the same thing is selected again after a reconnection", () => {
    const { sent, selection } = made();
    selection.reset(world(), "cup_1_:0003", -1);
    expect(sent).toEqual([{ tag: "s", target: 2, part: -1 }]);
    selection.reset(world(), "gone_:0000", -1);
    expect(selection.selected).toBeNull();
  });
});

describe("placing", () => {
  const pick = (x: number): Parameters<Placement["point"]>[0] => ({
    entity: 0,
    part: -1,
    point: { x, y: 0.75, z: 0 } as never,
    normal: { x: 0, y: 1, z: 0 } as never,
    distance: 1,
  });

  test("asks at most twelve times a second and shows the answer", () => {
    const sent: ClientMessage[] = [];
    const placement = new Placement((message) => sent.push(message) > 0);
    placement.start();
    for (let ms = 0; ms <= 1000; ms += 10) placement.point(pick(1 + ms / 1000), 0, ms);
    expect(sent.length).toBeGreaterThan(8);
    expect(sent.length).toBeLessThanOrEqual(13);
    placement.point(pick(2), 0, 2000);
    const last = sent[sent.length - 1];
    if (last?.tag !== "v") throw new Error("no question");
    expect(placement.shown?.fit).toBe("unknown");
    placement.answered({ tag: "preview", previewId: last.previewId, fits: false, reason: "No room", position: [2000, 752, 0], rotation: [0, 0, 0] });
    expect(placement.shown).toMatchObject({ fit: "no", reason: "No room", position: [2, 0.752, 0] });
  });

  test("old answers are forgotten", () => {
    const sent: ClientMessage[] = [];
    const placement = new Placement((message) => sent.push(message) > 0);
    placement.start();
    placement.point(pick(1), 0, 0);
    placement.answered({ tag: "preview", previewId: 99, fits: true, reason: "", position: [0, 0, 0], rotation: [0, 0, 0] });
    expect(placement.shown?.fit).toBe("unknown");
  });

  test("things are put down squarely, and turned by the wheel", () => {
    const placement = new Placement(() => true);
    expect(placement.yawFor(0.3)).toBe(0);
    placement.turn(1);
    expect(placement.yawFor(1.5)).toBeCloseTo(Math.PI / 2 + Math.PI / 12, 9);
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
