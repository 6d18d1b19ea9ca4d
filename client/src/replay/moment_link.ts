// A moment of a film as the end of an address, which can be sent to somebody: `#t=83.2&seat=human_0&view=behind`.
import { VIEWS } from "./camera";
import type { View } from "./camera";

export interface Moment {
  /** Seconds of the task's time; they may be negative, before play began. */
  seconds: number | null;
  seat: string;
  view: View;
}

/** Read the end of an address; what makes no sense in it counts as not said. */
export function readMoment(hash: string): Moment {
  const said = new URLSearchParams(hash.replace(/^#/, ""));
  const text = said.get("t") ?? "";
  const seconds = /^-?\d{1,6}(\.\d{1,3})?$/.test(text) ? Number(text) : null;
  const view = VIEWS.find((known) => known === said.get("view")) ?? "eyes";
  return { seconds, seat: said.get("seat") ?? "", view };
}

export function writeMoment({ seconds, seat, view }: Moment): string {
  const said = new URLSearchParams();
  if (seconds !== null) said.set("t", seconds.toFixed(1));
  if (seat) said.set("seat", seat);
  if (view !== "eyes") said.set("view", view);
  return `#${said.toString()}`;
}
