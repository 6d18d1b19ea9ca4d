// Which of several doors and drawers is meant, in words of somebody who stands before them.

/** A part of furniture: its name in the catalogue, and the middle of what is drawn of it, in the furniture's frame (m). */
export interface PlacedPart {
  name: string;
  x: number;
  y: number;
}

const SAME_M = 0.08;
const ROWS: Record<number, readonly string[]> = { 2: ["upper", "lower"], 3: ["top", "middle", "bottom"] };
const COLUMNS: Record<number, readonly string[]> = { 2: ["left", "right"], 3: ["left", "middle", "right"] };
const ORDINALS = ["top", "second", "third", "fourth", "fifth", "sixth", "seventh"];

/** Return what a part is called: `top drawer`, `left door`; empty where there is only one thing to open. */
export function partWords(parts: readonly PlacedPart[], part: number): string {
  const chosen = parts[part];
  if (!chosen || parts.length < 2) return "";
  const kind = kindOf(chosen.name);
  const alike = parts.filter(({ name }) => kindOf(name) === kind);
  const rows = distinct(alike.map(({ y }) => -y));
  // Furniture faces -z: who stands before it has its +x at the left.
  const columns = distinct(alike.map(({ x }) => -x));
  const row = rows.length > 1 ? (ROWS[rows.length] ?? ORDINALS)[indexOf(rows, -chosen.y)] : "";
  const column = columns.length > 1 ? COLUMNS[columns.length]?.[indexOf(columns, -chosen.x)] : "";
  return [row, column, kind].filter(Boolean).join(" ");
}

function kindOf(name: string): string {
  return name.replace(/_?(left|right|\d+)/g, "").replaceAll("_", " ").trim();
}

function distinct(values: readonly number[]): number[] {
  const found: number[] = [];
  for (const value of [...values].sort((a, b) => a - b)) {
    if (found.length === 0 || value - (found.at(-1) as number) > SAME_M) found.push(value);
  }
  return found;
}

function indexOf(values: readonly number[], value: number): number {
  return values.findIndex((other) => Math.abs(other - value) <= SAME_M);
}
