// Whether a thing fits behind a door or into a drawer, by its box: as the rules have it, the height decides.
import type { Vec3 } from "./units";
import type { Entity } from "./world";

/** Free width and depth that a thing needs beside it where it is shut (m). */
const BESIDE_M = 0.02;
/** So much lower (m) than a thing an open place may be. */
const HEIGHT_SLACK_M = 0.005;

/** Tell whether a thing fits into furniture, behind one of its doors or into one of its drawers. */
export function fitsInside(thing: Entity, furniture: Entity): boolean {
  return furniture.template.parts.some(({ space }) => fits(thing, space));
}

/** Tell whether a thing fits wherever furniture stands open now; where all is shut, behind each of its parts. */
export function fitsWhatOpens(thing: Entity, furniture: Entity): boolean {
  const { parts } = furniture.template;
  const open = parts.filter((_, index) => (furniture.parts[index] ?? 0) !== 0);
  return parts.length > 0 && (open.length > 0 ? open : parts).every(({ space }) => fits(thing, space));
}

/** Say why a thing goes nowhere into furniture, behind one of its parts or (-1) behind any; empty: it may. */
export function whyNotInside(thing: Entity, furniture: Entity, part: number): string {
  const { parts } = furniture.template;
  const goesBehind = (index: number): boolean => {
    const space = parts[index]?.space ?? [0, 0, 0];
    // What is open already is judged by the server where the thing would stand: it may jut out.
    return (furniture.parts[index] ?? 0) !== 0 ? space[1] > 0 && thing.template.high[1] <= space[1] + HEIGHT_SLACK_M : fits(thing, space);
  };
  const behind = partBehind(thing, furniture, part);
  if (behind < 0) return `Nothing can be put into the ${furniture.label}`;
  if (goesBehind(behind)) return "";
  const where = fitsInside(thing, furniture) ? `that part of the ${furniture.label}` : `the ${furniture.label}`;
  return `The ${thing.label} is too large for ${where}`;
}

/** Return the part that has to be open for something to go behind part `part` of furniture, or (-1) behind any of them
    that `held` fits; of a pair of doors only one may have the room behind them as its own. -1: there is none. */
export function partBehind(held: Entity, furniture: Entity, part: number): number {
  const { parts } = furniture.template;
  const hasRoom = ({ space }: { space: Vec3 }): boolean => space.every((length) => length > 0);
  const meant = parts[part];
  if (meant && hasRoom(meant)) return part;
  const isOpen = (index: number): boolean => (furniture.parts[index] ?? 0) !== 0;
  const roomy = parts.flatMap((one, index) => (hasRoom(one) ? [index] : []));
  const fitting = roomy.filter((index) => fits(held, parts[index]?.space ?? [0, 0, 0]));
  return [...fitting.filter(isOpen), ...fitting, ...roomy][0] ?? -1;
}

function fits(thing: Entity, [wide, tall, deep]: Vec3): boolean {
  const { low, high } = thing.template;
  const width = high[0] - low[0] + BESIDE_M;
  const depth = high[2] - low[2] + BESIDE_M;
  const lies = (width <= wide && depth <= deep) || (depth <= wide && width <= deep);
  return tall > 0 && high[1] <= tall && lies;
}
