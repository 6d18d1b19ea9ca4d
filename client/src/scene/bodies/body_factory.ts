import type { Seat } from "../../world/world";
import type { Palette } from "../palette";
import type { Body } from "./body";
import { HumanBody } from "./human";
import { RobotBody } from "./robot";

export function makeBody({ kind, carry, look }: Seat, palette: Palette): Body {
  return kind === "robot" ? new RobotBody(carry, look, palette) : new HumanBody(carry, look, palette);
}
