// The places of the buttons for thumbs: a fixed one for each action, so that none comes under a finger that was meant for
// another, whatever else is offered, said or held.

export type ThumbRow = "water" | "usual" | "hand";

export interface ThumbSlot {
  /** Rows from the top down; the last two are kept free where there is nothing in them. */
  row: ThumbRow;
  /** The first column of four, and how many it takes. */
  column: number;
  columns: number;
}

const ROWS: readonly ThumbRow[] = ["water", "usual", "hand"];

const SLOTS: Record<string, readonly [ThumbRow, number, number?]> = {
  clean: ["water", 4],
  fill: ["water", 3],
  pour: ["water", 2],
  pick: ["usual", 4],
  open: ["usual", 4],
  close: ["usual", 3],
  power_on: ["usual", 2],
  power_off: ["usual", 2],
  approach: ["usual", 1],
  put_inside: ["hand", 1],
  aim: ["hand", 2],
  place: ["hand", 3, 2],
  // While one aims the others are away; and yet what ends that lies where none of them was.
  aim_put: ["water", 1],
  aim_keep: ["water", 2],
  aim_turn: ["water", 3, 2],
};

/** Return the place of an action's button; one that is not known has a place that no other takes. */
export function slotOf(action: string): ThumbSlot {
  const [row, column, columns = 1] = SLOTS[action] ?? ["water", 1];
  return { row, column, columns };
}

/** Give a button the place of its action, for wherever such places count. */
export function putInSlot(button: HTMLElement, action: string): void {
  const { row, column, columns } = slotOf(action);
  button.dataset.row = row;
  button.style.gridArea = `${ROWS.indexOf(row) + 1} / ${column} / auto / span ${columns}`;
}
