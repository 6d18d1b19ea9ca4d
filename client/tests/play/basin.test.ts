// A thing that is aimed into a basin: the ghost stands where the server sets it. The cases are the server's own.
import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { Placement, saysInside } from "../../src/play/placement";
import type { ClientMessage } from "../../src/wire/generated";
import { metres3, millimetres3, quaternion } from "../../src/world/units";
import type { Vec3 } from "../../src/world/units";

type Stands = [position: Vec3, rotation: Vec3];

interface Case {
  aim: Vec3;
  yaw: number;
  preview: Stands;
  set: Stands;
}

const path = new URL("../../../tests/data/basin_vectors.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(path, "utf8")) as { cases: Case[] };
const WHERE = "in the basin of the sink";
const MM = 2;

test("the ghost stands in the basin where the thing is set, and that is what is asked for", () => {
  expect(cases.length).toBeGreaterThan(10);
  for (const { aim, yaw, preview, set } of cases) {
    const sent: ClientMessage[] = [];
    const placement = new Placement((message) => sent.push(message) > 0);
    const [x, y, z] = metres3(aim);
    placement.start();
    placement.point({ point: { x, y, z }, entity: 3, behind: -1 }, yaw / 1000, 0);
    expect(sent[0]).toMatchObject({ tag: "v", point: aim, yaw, target: 3, inside: false });
    // Until the server has spoken, it stands where the pointer is.
    expect(placement.shown).toMatchObject({ fit: "unknown", position: [x, y, z] });
    const [position, rotation] = preview;
    placement.answered({ tag: "preview", previewId: 1, fits: true, reason: "", position, rotation, where: WHERE });
    const { shown, goal } = placement;
    const message = JSON.stringify({ aim, yaw });
    expect(shown, message).toMatchObject({ fit: "fits", where: WHERE });
    const apart = millimetres3(shown!.position).map((length, i) => Math.abs(length - set[0][i]!));
    expect(Math.max(...apart), message).toBeLessThan(MM);
    expect(shown!.rotation, message).toEqual(quaternion(set[1]));
    // Letting go puts it down there, and in no cupboard below.
    expect(goal, message).toMatchObject({ settled: true, behind: -1, where: WHERE });
    expect(millimetres3(goal!.point), message).toEqual(position);
    expect(saysInside(goal!.where)).toBe(false);
  }
});
