// The look of every seat: a colour, a shape and a short label, by kind and by number among its kind. Shape
// and label alone tell two seats apart. What pages draw with style sheets is in `styles/looks.css`.
import type { NamedSeat, SeatKind } from "./seat_names";

export interface SeatLook {
  /** The name of the look in style sheets: `robot-2`. */
  key: string;
  /** What is written in its mark: `R2`; only the letter where the kind occurs once. */
  label: string;
  /** The number on the body; 0 for none. */
  number: number;
  /** Whether its mark and label stand beside it: one of several. */
  marked: boolean;
  /** Its colour on dark panels and over the scene. */
  bright: string;
  /** Its colour on the body in the scene, and a darker one beside it. */
  body: number;
  bodyDark: number;
  /** The outline of its mark, within -1 to 1: round ones for people, cornered ones for robots. */
  outline: Outline;
}

type Outline = readonly (readonly [number, number])[];

type Hues = Pick<SeatLook, "bright" | "body" | "bodyDark">;

const HUES: Record<SeatKind, readonly Hues[]> = {
  human: [
    { bright: "#3fd0bf", body: 0x1f9c8f, bodyDark: 0x14776d },
    { bright: "#86c1ff", body: 0x3a78c2, bodyDark: 0x28588f },
    { bright: "#a9dc6e", body: 0x6f9c38, bodyDark: 0x4f7226 },
    { bright: "#c9b5ff", body: 0x7d62c2, bodyDark: 0x5b4691 },
    { bright: "#c6d3d9", body: 0x66767f, bodyDark: 0x48555c },
  ],
  robot: [
    { bright: "#ff9f5a", body: 0xf08a3c, bodyDark: 0xb4602a },
    { bright: "#f5d547", body: 0xe6bd32, bodyDark: 0xa98716 },
    { bright: "#ff9ccb", body: 0xe07ab0, bodyDark: 0xa24f7c },
    { bright: "#ff8b80", body: 0xcc4a40, bodyDark: 0x96302a },
    { bright: "#dcb88e", body: 0x9c7650, bodyDark: 0x6f5236 },
  ],
};

const CORNERS = 16;

/** Return the outline that a function gives for angles from the top clockwise, where `y` points down. */
function round(at: (x: number, y: number) => [number, number]): Outline {
  return Array.from({ length: CORNERS }, (_, i) => {
    const angle = (i / CORNERS) * 2 * Math.PI;
    return at(Math.sin(angle), -Math.cos(angle));
  });
}

const STAR: Outline = Array.from({ length: 10 }, (_, i) => {
  const away = i % 2 === 0 ? 1 : 0.42;
  const angle = (i / 10) * 2 * Math.PI;
  return [away * Math.sin(angle), -away * Math.cos(angle)];
});

const OUTLINES: Record<SeatKind, readonly Outline[]> = {
  // Circle, drop, pill, dome, lens.
  human: [
    round((x, y) => [x, y]),
    round((x, y) => (y < 0 ? [x * 0.82 * (1 + y), y] : [x * 0.82, y])),
    round((x, y) => [x, y * 0.5]),
    round((x, y) => [x, y < 0 ? y * 1.3 + 0.5 : 0.5]),
    round((x, y) => [x * 0.5, y]),
  ],
  // Square, diamond, triangle, cross, star.
  robot: [
    [[-0.84, -0.84], [0.84, -0.84], [0.84, 0.84], [-0.84, 0.84]],
    [[0, -1], [1, 0], [0, 1], [-1, 0]],
    [[0, -1], [1, 0.84], [-1, 0.84]],
    [[-0.36, -1], [0.36, -1], [0.36, -0.36], [1, -0.36], [1, 0.36], [0.36, 0.36], [0.36, 1], [-0.36, 1], [-0.36, 0.36], [-1, 0.36], [-1, -0.36], [-0.36, -0.36]],
    STAR,
  ],
};

const LETTERS: Record<SeatKind, string> = { human: "P", robot: "R" };

/** How many looks of a kind there are: as many as a team has bodies at most. */
export const MOST_OF_A_KIND = HUES.human.length;

/** Return the looks of a session's seats, in their order. */
export function looksOf(seats: readonly NamedSeat[]): SeatLook[] {
  return seats.map(({ kind }, i) => {
    const same = seats.filter((seat) => seat.kind === kind);
    const before = seats.slice(0, i).filter((seat) => seat.kind === kind).length;
    return lookOf(kind, before, same.length > 1, same.length > 1 || seats.length > 2);
  });
}

/** Return the look of the seat with this index among its kind. */
export function lookOf(kind: SeatKind, index: number, numbered: boolean, marked = numbered): SeatLook {
  const i = index % MOST_OF_A_KIND;
  return {
    ...(HUES[kind][i] as Hues),
    key: `${kind}-${i + 1}`,
    label: numbered ? `${LETTERS[kind]}${index + 1}` : LETTERS[kind],
    number: numbered ? index + 1 : 0,
    marked,
    outline: OUTLINES[kind][i] as Outline,
  };
}
