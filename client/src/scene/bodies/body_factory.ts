import type { SeatKind } from "../../world/world";
import type { Palette } from "../palette";
import type { Body } from "./body";
import { HumanBody } from "./human";
import { RobotBody } from "./robot";

/** Make the body of a seat; `carry` is where it holds things, in its own frame (m). */
export function makeBody(kind: SeatKind, carry: readonly [number, number, number], palette: Palette): Body {
  return kind === "robot" ? new RobotBody(carry, palette) : new HumanBody(carry, palette);
}
