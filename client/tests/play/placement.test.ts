import { describe, expect, test } from "vitest";

import { Placement } from "../../src/play/placement";
import type { ClientMessage } from "../../src/wire/generated";

describe("placing", () => {
  const pick = (x: number): Parameters<Placement["point"]>[0] => ({ entity: 0, point: { x, y: 0.75, z: 0 } });

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
    placement.answered({ tag: "preview", previewId: last.previewId, fits: false, reason: "No room", position: [2000, 752, 0], rotation: [0, 0, 0], where: "" });
    expect(placement.shown).toMatchObject({ fit: "no", reason: "No room", position: [2, 0.752, 0] });
  });

  test("old answers are forgotten", () => {
    const sent: ClientMessage[] = [];
    const placement = new Placement((message) => sent.push(message) > 0);
    placement.start();
    placement.point(pick(1), 0, 0);
    placement.answered({ tag: "preview", previewId: 99, fits: true, reason: "", position: [0, 0, 0], rotation: [0, 0, 0], where: "" });
    expect(placement.shown?.fit).toBe("unknown");
  });

  test("things are put down squarely, and turned by the wheel", () => {
    const placement = new Placement(() => true);
    expect(placement.yawFor(0.3)).toBe(0);
    placement.turn(1);
    expect(placement.yawFor(1.5)).toBeCloseTo(Math.PI / 2 + Math.PI / 12, 9);
  });
});
