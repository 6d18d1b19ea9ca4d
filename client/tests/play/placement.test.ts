import { describe, expect, test } from "vitest";

import { Placement, placeWords } from "../../src/play/placement";
import type { ClientMessage, Preview } from "../../src/wire/generated";

describe("placing", () => {
  const pick = (x: number): NonNullable<Parameters<Placement["point"]>[0]> => ({ entity: 0, point: { x, y: 0.75, z: 0 }, behind: -1 });
  const preview = (previewId: number, part: Partial<Preview> = {}): Preview =>
    ({ tag: "preview", previewId, fits: true, reason: "", position: [1000, 752, 0], rotation: [0, 0, 0], where: "on the chest", ...part });
  /** A placement that is aimed, and the number of the last question. */
  const aimed = (): { placement: Placement; last: () => number; sent: ClientMessage[] } => {
    const sent: ClientMessage[] = [];
    const placement = new Placement((message) => sent.push(message) > 0);
    placement.start();
    return { placement, sent, last: () => sent.findLast((message) => message.tag === "v")?.previewId ?? -1 };
  };

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

  test("a finger is told which button puts it where it fits", () => {
    const { placement, last } = aimed();
    placement.point(pick(1), 0, 0);
    placement.answered(preview(last()));
    expect(placeWords(placement.shown!, false)).toBe("on the chest");
    expect(placeWords(placement.shown!, true)).toBe("on the chest. Press Put it here");
    placement.answered(preview(last(), { fits: false, reason: "No room" }));
    expect(placeWords(placement.shown!, true)).toBe("No room");
    placement.point(pick(3), 0, 10);
    expect(placeWords(placement.shown!, true)).toBe("");
  });

  test("old answers are forgotten", () => {
    const sent: ClientMessage[] = [];
    const placement = new Placement((message) => sent.push(message) > 0);
    placement.start();
    placement.point(pick(1), 0, 0);
    placement.answered({ tag: "preview", previewId: 99, fits: true, reason: "", position: [0, 0, 0], rotation: [0, 0, 0], where: "" });
    expect(placement.shown?.fit).toBe("unknown");
  });

  test("what is said of one place is not said of another thing, nor farther on", () => {
    const { placement, last } = aimed();
    placement.point(pick(1), 0, 0);
    placement.answered(preview(last()));
    expect(placement.shown).toMatchObject({ fit: "fits", where: "on the chest" });
    // The next question is on its way.
    placement.point(pick(1.05), 0, 10);
    expect(placement.shown?.where).toBe("on the chest");
    placement.point(pick(1.3), 0, 20);
    expect(placement.shown?.where).toBe("");
    placement.point({ ...pick(1), entity: 1 }, 0, 30);
    expect(placement.shown).toMatchObject({ fit: "unknown", where: "" });
    placement.point({ ...pick(1), behind: 0 }, 0, 40);
    expect(placement.shown).toMatchObject({ fit: "unknown", where: "" });
  });

  test("who lets go before the server has spoken puts down what has not settled yet", () => {
    const { placement, last } = aimed();
    placement.point(pick(1), 0, 0);
    expect(placement.goal).toMatchObject({ settled: false, point: [1, 0.75, 0] });
    placement.answered(preview(last()));
    expect(placement.goal).toMatchObject({ settled: true, where: "on the chest", point: [1, 0.752, 0] });
    placement.point(pick(1.05), 0, 10);
    expect(placement.goal).toMatchObject({ settled: false });
  });

  test("a shut front is asked for as inside, and said to open by itself", () => {
    const { placement, sent, last } = aimed();
    placement.point({ ...pick(1), behind: 2 }, 0, 0);
    expect(sent.at(-1)).toMatchObject({ inside: true, part: 2, target: 0 });
    placement.answered(preview(last(), { where: "in the chest" }));
    expect(placement.shown).toMatchObject({ fit: "fits", where: "in the chest: it opens by itself" });
    expect(placement.goal).toMatchObject({ behind: 2, settled: true });
    placement.point({ ...pick(1.5), behind: 2 }, 0, 500);
    placement.answered(preview(last(), { fits: false, reason: "Too far away: walk closer", where: "" }));
    expect(placement.shown).toMatchObject({ fit: "no", reason: "Too far away: walk closer", where: "" });
  });

  test("things are put down squarely, and turned by the wheel", () => {
    const placement = new Placement(() => true);
    expect(placement.yawFor(0.3)).toBe(0);
    placement.turn(1);
    expect(placement.yawFor(1.5)).toBeCloseTo(Math.PI / 2 + Math.PI / 12, 9);
  });
});
