// The partner's view: the house from the partner's eyes, in a corner, with one's own body in it.
import type * as THREE from "three";

import type { Rectangle } from "../dom/pixels";
import type { Seat, World } from "../world/world";
import type { House } from "./house";
import type { Viewport } from "./viewport";

/** Where on the page the partner's view is, and whose eyes it looks through. */
export interface PartnerViewFrame {
  at: Rectangle;
  seat: Seat;
}

/** What the partner's view is drawn of; `marks` are seen by the player alone. */
interface Drawn {
  viewport: Viewport;
  house: House;
  world: World;
  marks: readonly (THREE.Object3D | undefined)[];
}

/** Draw the partner's view if it is due; return false if it has to be drawn later. */
export function drawPartnerView(drawn: Drawn, { at, seat }: PartnerViewFrame, nowMs: number): boolean {
  const { viewport, house, world, marks } = drawn;
  const partner = house.bodies[seat.index];
  const own = house.bodies[world.me]?.body.root;
  if (!partner) return true;
  return viewport.drawInset(at, seat.index, nowMs, (draw) => {
    const { position, yaw, pitch } = partner.pose ?? { position: [0, 0, 0], yaw: 0, pitch: 0 };
    const camera = viewport.insetCamera;
    const s = Math.sin(yaw);
    const c = Math.cos(yaw);
    const [x, y, z] = seat.eye;
    camera.position.set(position[0] + x * c + z * s, position[1] + y, position[2] - x * s + z * c);
    camera.rotation.set(pitch, yaw, 0);
    const shown = marks.map((mark) => mark?.visible ?? false);
    for (const mark of marks) if (mark) mark.visible = false;
    const putBack = house.showInBodysHand(world.me);
    partner.body.root.visible = false;
    if (own) own.visible = true;
    draw();
    partner.body.root.visible = true;
    if (own) own.visible = false;
    putBack();
    marks.forEach((mark, i) => {
      if (mark) mark.visible = shown[i] ?? false;
    });
  });
}
