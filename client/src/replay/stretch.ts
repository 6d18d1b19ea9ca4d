// A stretch of the film that is marked for a clip, and whether it is being recorded.

export type Stretch =
  | { kind: "none" }
  /** Its beginning is marked. */
  | { kind: "begun"; first: number }
  | { kind: "recording"; first: number; last: number };

const NONE: Stretch = { kind: "none" };

/** Return what a press of the clip's button makes of a stretch, at a tick. */
export function pressed(stretch: Stretch, tick: number): Stretch {
  switch (stretch.kind) {
    case "none":
      return { kind: "begun", first: tick };
    case "begun":
      // What is marked backwards is a stretch too; a single moment is none.
      if (Math.abs(tick - stretch.first) < 1) return NONE;
      return { kind: "recording", first: Math.min(tick, stretch.first), last: Math.max(tick, stretch.first) };
    case "recording":
      return NONE;
  }
}

/** Return the words on the button; `clock` writes a tick as a time. */
export function buttonWords(stretch: Stretch, clock: (tick: number) => string): string {
  switch (stretch.kind) {
    case "none":
      return "Clip from here";
    case "begun":
      return `Clip ${clock(stretch.first)} to here`;
    case "recording":
      return "Stop recording";
  }
}
