import { expect, test } from "vitest";

import { Stage } from "../../src/replay/stage";
import type { Frame } from "../../src/wire/generated";
import { readFrame } from "../../src/wire/generated";
import { snapshot } from "../fixtures";

const frame = (tick: number, x: number): Frame => readFrame(["f", tick, [[0, x, 0, 0, 0, 0]]]);

test("frames are applied up to the tick that is shown, once, over the end of a reel", () => {
  const stage = new Stage({ number: 0, snapshot: snapshot({ tick: 0 }), frames: [frame(1, 1000), frame(2, 2000), frame(5, 3000)] }, -1);
  expect(stage.advance(2).map((made) => made.frame.tick)).toEqual([1, 2]);
  expect(stage.world.agents[0]?.position[0]).toBe(2);
  expect(stage.advance(4)).toEqual([]);
  expect(stage.tick).toBe(4);
  expect(stage.advance(9).length).toBe(1);
  stage.follow({ number: 1, snapshot: snapshot({ tick: 5 }), frames: [frame(10, 4000)] });
  expect(stage.reelNumber).toBe(1);
  stage.advance(10);
  expect(stage.world.agents[0]?.position[0]).toBe(4);
});
