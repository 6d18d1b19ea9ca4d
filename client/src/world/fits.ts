// Whether a thing fits behind a door or into a drawer, by its box: as the rules have it, the height decides.
import type { Entity } from "./world";

/** Free width and depth that a thing needs beside it (m). */
const BESIDE_M = 0.02;

/** Tell whether a thing fits into furniture, behind one of its doors or into one of its drawers. */
export function fitsInside(thing: Entity, furniture: Entity): boolean {
  const { low, high } = thing.template;
  const width = high[0] - low[0] + BESIDE_M;
  const depth = high[2] - low[2] + BESIDE_M;
  return furniture.template.parts.some(({ space: [wide, tall, deep] }) => {
    const lies = (width <= wide && depth <= deep) || (depth <= wide && width <= deep);
    return high[1] <= tall && lies;
  });
}
