// Who is who at a glance: every seat of a team has a colour, a shape and a label of its own, and style
// sheets and canvases agree on them.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { MOST_OF_A_KIND, lookOf, looksOf } from "../../src/world/seat_looks";
import { SOURCES } from "../imports";

const TOKENS = readFileSync(join(SOURCES, "styles/tokens.css"), "utf8");
const LOOKS = readFileSync(join(SOURCES, "styles/looks.css"), "utf8");
const ALL = (["human", "robot"] as const).flatMap((kind) => Array.from({ length: MOST_OF_A_KIND }, (_, i) => lookOf(kind, i, true)));

/** Return what a look has in the style sheet. */
function inStyles(key: string, property: string): string {
  const rule = new RegExp(`\\[data-look="${key}"\\] \\{([^}]*)\\}`).exec(LOOKS)?.[1] ?? "";
  const value = new RegExp(`--${property}: ([^;]+);`).exec(rule)?.[1] ?? "";
  return token(value);
}

function token(value: string): string {
  const name = /^var\(--([\w-]+)\)$/.exec(value)?.[1];
  return name ? (new RegExp(`--${name}: ([^;]+);`).exec(TOKENS)?.[1] ?? "") : value;
}

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

describe.each(ALL.map((look) => [look.key, look] as const))("%s", (key, look) => {
  test("is the same in style sheets and on canvases", () => {
    expect(inStyles(key, "look-bright")).toBe(look.bright);
    if (key === "human-1") expect(inStyles(key, "look-shape")).toBe("circle(50%)");
    else {
      const percent = (value: number): string => `${Math.round((value + 1) * 50)}%`;
      expect(inStyles(key, "look-shape")).toBe(`polygon(${look.outline.map(([x, y]) => `${percent(x)} ${percent(y)}`).join(", ")})`);
    }
  });

  test("can be read on dark panels and on light pages", () => {
    expect(contrast(look.bright, token("var(--panel-solid)"))).toBeGreaterThan(4.5);
    for (const page of ["paper", "surface", "sunken"]) {
      expect(contrast(inStyles(key, "look"), token(`var(--${page})`)), page).toBeGreaterThan(4.5);
    }
  });
});

/** Draw an outline as a grid of dots that lie within it. */
function dots(outline: readonly (readonly [number, number])[]): boolean[] {
  const cells = 12;
  return Array.from({ length: cells * cells }, (_, i) => {
    const x = ((i % cells) + 0.5) / (cells / 2) - 1;
    const y = (Math.floor(i / cells) + 0.5) / (cells / 2) - 1;
    let inside = false;
    outline.forEach(([x1, y1], k) => {
      const [x2, y2] = outline[(k + 1) % outline.length] as readonly [number, number];
      if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
    });
    return inside;
  });
}

test("without colour any two marks differ, in shape and in label", () => {
  expect(new Set(ALL.map(({ label }) => label)).size).toBe(ALL.length);
  for (const [i, a] of ALL.entries()) {
    for (const b of ALL.slice(i + 1)) {
      const [one, other] = [dots(a.outline), dots(b.outline)];
      const differing = one.filter((inside, at) => inside !== other[at]).length;
      expect(differing, `${a.key} and ${b.key}`).toBeGreaterThan(0.1 * one.length);
    }
  }
});

test("a kind that occurs once has no number; one that occurs twice has numbers throughout", () => {
  const looks = looksOf([
    { seatId: "robot_0", kind: "robot" },
    { seatId: "robot_1", kind: "robot" },
    { seatId: "human_0", kind: "human" },
  ]);
  expect(looks.map(({ key, label, number }) => [key, label, number])).toEqual([
    ["robot-1", "R1", 1],
    ["robot-2", "R2", 2],
    ["human-1", "P", 0],
  ]);
});

test("among several all have a mark and a label beside them, of a pair only two of a kind", () => {
  const marked = (...kinds: ("human" | "robot")[]): boolean[] => looksOf(kinds.map((kind, i) => ({ seatId: `s_${i}`, kind }))).map((look) => look.marked);
  expect(marked("robot", "human", "human")).toEqual([true, true, true]);
  expect(marked("robot", "human")).toEqual([false, false]);
  expect(marked("human", "human")).toEqual([true, true]);
});
