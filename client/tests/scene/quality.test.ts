import { describe, expect, test } from "vitest";

import { QUALITIES, QualityGovernor, firstLevel, isSoftware } from "../../src/scene/quality";

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
