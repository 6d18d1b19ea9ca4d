// The house as it is drawn: stage, things, bodies. It follows the world; it decides nothing.
import * as THREE from "three";

import { wrapAngle, yawQuaternion } from "../world/units";
import type { Quat, Vec3 } from "../world/units";
import { destination } from "../world/destinations";
import type { Agent, Changes, Entity, World } from "../world/world";
import type { Assets } from "./assets";
import type { Body } from "./bodies/body";
import { makeBody } from "./bodies/body_factory";
import { EntityView } from "./entity_view";
import { isMesh } from "./nodes";
import type { Palette } from "./palette";
import { ContactShadows } from "./shadows";

/** How far a head turns to either side. */
const MOST_HEAD_RAD = 1.0;

interface DrawnBody {
  body: Body;
  pose: Agent;
  speed: number;
}

const IDENTITY = new THREE.Quaternion();

export class House {
  readonly group = new THREE.Group();
  readonly things = new THREE.Group();
  readonly stage = new THREE.Group();
  readonly views = new Map<number, EntityView>();
  readonly bodies: (DrawnBody | null)[] = [];
  private readonly shadows = new ContactShadows();
  private readonly moving = new Set<EntityView>();
  private readonly at = new THREE.Vector3();

  constructor(
    private readonly world: World,
    private readonly assets: Assets,
    private readonly palette: Palette,
  ) {
    const stage = assets.stage(
      world.stageAsset,
      world.rooms.map(({ polygon }) => polygon),
    );
    if (stage) {
      stage.traverse((node) => {
        // Glass lets the sun in; what is outside neither gets nor gives shadows that matter.
        if (/glass|outside/.test(node.name)) node.castShadow = false;
        if (node.name.startsWith("outside")) node.renderOrder = 1;
      });
      this.stage.add(stage);
    }
    this.group.add(this.stage, this.things, this.shadows.mesh);
    for (const entity of world.entities) if (entity) this.add(entity);
    this.bodies = world.seats.map(() => null);
    this.updateSeats();
    freeze(this.stage);
  }

  /** Return the paths of all models that a world needs and that are not loaded yet. */
  static missing(world: World, assets: Assets): string[] {
    const paths = new Set([world.stageAsset]);
    for (const entity of world.entities) if (entity) paths.add(entity.template.asset);
    return [...paths].filter((path) => path && !assets.isLoaded(path));
  }

  /** Whether something is still moving. */
  get busy(): boolean {
    return this.moving.size > 0;
  }

  apply(changes: Changes): void {
    for (const index of changes.vanished) this.remove(index);
    for (const index of changes.appeared) {
      this.remove(index);
      const entity = this.world.entities[index];
      if (!entity) continue;
      const view = this.add(entity);
      const offset = this.drawerOffset(entity, changes);
      if (view && offset) {
        view.glideFrom(offset);
        this.moving.add(view);
      }
    }
    for (const { furniture, part } of changes.parts) {
      const view = this.views.get(furniture);
      if (!view) continue;
      view.openPart(part);
      this.moving.add(view);
    }
    for (const index of new Set([...changes.moved, ...changes.held])) {
      const view = this.views.get(index);
      if (!view) continue;
      // What was told about a newly appeared thing is where it is, not where it goes.
      if (changes.appeared.includes(index)) {
        const { position, rotation } = this.world.pose(view.entity);
        view.jump(position, rotation);
      } else {
        view.glide();
      }
      this.moving.add(view);
      this.updateShadow(view);
    }
    for (const index of changes.states) this.views.get(index)?.showStates();
    if (changes.seats.length > 0) this.updateSeats();
  }

  /** Bring bodies to these poses (by seat), and everything that moves a step further; return whether
      anything moved. */
  update(poses: readonly (Agent | null)[], handPose: { position: Vec3; rotation: Quat } | null, dt: number): boolean {
    let moved = this.moving.size > 0;
    for (const [seat, drawn] of this.bodies.entries()) {
      const pose = poses[seat];
      if (drawn && pose) moved = this.moveBody(seat, drawn, pose, dt) || moved;
    }
    for (const view of this.views.values()) {
      const { entity } = view;
      if (entity.holder >= 0) this.moving.add(view);
      if (!this.moving.has(view)) continue;
      const pose = this.poseOf(entity, poses, handPose);
      view.follow(pose.position, pose.rotation);
      view.update(dt);
      if (!view.moving && entity.holder < 0) {
        this.moving.delete(view);
        this.updateShadow(view);
      }
    }
    return moved;
  }

  /** Put what a seat holds into its body's hand, for a picture from somebody else's eyes; the returned
      function puts it back. */
  showInBodysHand(seat: number): () => void {
    const held = this.world.heldBy(seat);
    const view = held && this.views.get(held.index);
    const body = this.bodies[seat];
    if (!view || !body) return () => undefined;
    const position = view.root.position.clone();
    const rotation = view.root.quaternion.clone();
    const pose = this.poseOf(view.entity, this.bodies.map((drawn) => drawn?.pose ?? null), null);
    view.root.position.set(...pose.position);
    view.root.quaternion.set(...pose.rotation);
    view.root.updateMatrixWorld(true);
    return () => {
      view.root.position.copy(position);
      view.root.quaternion.copy(rotation);
      view.root.updateMatrixWorld(true);
    };
  }

  dispose(): void {
    for (const index of [...this.views.keys()]) this.remove(index);
    for (const drawn of this.bodies) drawn?.body.dispose();
    this.stage.traverse((node) => {
      if (isMesh(node)) this.palette.forget(node);
    });
    this.group.removeFromParent();
  }

  private add(entity: Entity): EntityView | null {
    if (!this.assets.isLoaded(entity.template.asset)) {
      void this.assets.load(entity.template.asset).then(() => {
        if (this.world.entities[entity.index] === entity && !this.views.has(entity.index)) this.add(entity);
      });
      return null;
    }
    const view = new EntityView(entity, this.assets.instance(entity.template));
    this.views.set(entity.index, view);
    this.things.add(view.root);
    if (entity.holder >= 0) this.moving.add(view);
    this.updateShadow(view);
    return view;
  }

  private remove(index: number): void {
    const view = this.views.get(index);
    if (!view) return;
    for (const mesh of view.meshes) this.palette.forget(mesh);
    view.root.removeFromParent();
    this.views.delete(index);
    this.moving.delete(view);
    this.shadows.remove(`e${index}`);
  }

  private updateShadow(view: EntityView): void {
    const { entity } = view;
    const key = `e${entity.index}`;
    if (entity.holder >= 0 || view.moving) this.shadows.remove(key);
    else this.shadows.putEntity(key, entity.template, view.root.position, view.root.quaternion);
  }

  private updateSeats(): void {
    this.world.seats.forEach((seat, i) => {
      const drawn = this.bodies[i];
      if (seat.occupied && !drawn) {
        const body = makeBody(seat, this.palette);
        const pose = this.world.agents[i] as Agent;
        this.bodies[i] = { body, pose, speed: 0 };
        this.group.add(body.root);
        body.root.position.set(...pose.position);
      } else if (!seat.occupied && drawn) {
        drawn.body.dispose();
        drawn.body.root.removeFromParent();
        this.bodies[i] = null;
        this.shadows.remove(`b${i}`);
      }
    });
  }

  /** Return how far a body turns its head to where it is about to go. */
  private headYaw(seat: number, pose: Agent): number {
    const to = destination(this.world, seat)?.position;
    if (!to) return 0;
    const [dx, dz] = [to[0] - pose.position[0], to[2] - pose.position[2]];
    if (Math.hypot(dx, dz) < 0.4) return 0;
    return Math.max(-MOST_HEAD_RAD, Math.min(MOST_HEAD_RAD, wrapAngle(Math.atan2(-dx, -dz) - pose.yaw)));
  }

  private moveBody(seat: number, drawn: DrawnBody, pose: Agent, dt: number): boolean {
    const { body, pose: before } = drawn;
    const dx = pose.position[0] - before.position[0];
    const dz = pose.position[2] - before.position[2];
    const ahead = -Math.sin(pose.yaw) * dx - Math.cos(pose.yaw) * dz;
    const distance = Math.hypot(dx, dz);
    // Sideways steps swing the legs too.
    const walked = distance > 1 ? 0 : distance * (ahead < -distance * 0.5 ? -1 : 1);
    const speed = dt > 0 ? walked / dt : 0;
    const settle = 1 - Math.exp(-dt * 9);
    drawn.speed += (speed - drawn.speed) * settle;
    if (Math.abs(drawn.speed) < 0.01) drawn.speed = 0;
    body.root.position.set(...pose.position);
    body.root.rotation.y = pose.yaw;
    body.animate({
      walked,
      speed: drawn.speed,
      pitch: pose.pitch,
      carrying: this.world.heldBy(seat) !== null,
      headYaw: this.headYaw(seat, pose),
      dt,
    });
    this.at.set(...pose.position);
    const size = this.world.seats[seat]?.kind === "robot" ? 0.2 : 0.1;
    this.shadows.put(`b${seat}`, this.at, IDENTITY, size, size, 0.24, body.root.visible ? 0.5 : 0);
    const turned = Math.abs(wrapAngle(pose.yaw - before.yaw)) + Math.abs(pose.pitch - before.pitch);
    drawn.pose = pose;
    return distance > 1e-5 || turned > 1e-4 || drawn.speed !== 0;
  }

  private poseOf(
    entity: Entity,
    poses: readonly (Agent | null)[],
    handPose: { position: Vec3; rotation: Quat } | null,
  ): { position: Vec3; rotation: Quat } {
    if (entity.holder < 0) return entity;
    if (entity.holder === this.world.me && handPose) return handPose;
    const agent = poses[entity.holder];
    const seat = this.world.seats[entity.holder];
    if (!agent || !seat) return entity;
    const s = Math.sin(agent.yaw);
    const c = Math.cos(agent.yaw);
    const [x, y, z] = seat.carry;
    return {
      position: [
        agent.position[0] + x * c + z * s,
        agent.position[1] + y,
        agent.position[2] - x * s + z * c,
      ],
      rotation: yawQuaternion(agent.yaw),
    };
  }

  /** Return how far back a thing was that came out with a drawer that opens in the same frame. */
  private drawerOffset(entity: Entity, changes: Changes): THREE.Vector3 | null {
    for (const { furniture, part } of changes.parts) {
      const view = this.views.get(furniture);
      const info = view?.entity.template.parts[part];
      if (!view || info?.joint !== "slide") continue;
      const { low, high } = view.entity.template;
      const local = this.at.set(...entity.position).sub(view.root.position);
      local.applyQuaternion(view.root.quaternion.clone().invert());
      const value = view.entity.parts[part] ?? 0;
      const back = new THREE.Vector3(...info.axis).multiplyScalar(-value);
      local.add(back);
      const within = local.x >= low[0] && local.x <= high[0] && local.z >= low[2] && local.z <= high[2];
      if (within) return back.applyQuaternion(view.root.quaternion);
    }
    return null;
  }
}

/** Stop computing the matrices of what never moves. */
function freeze(root: THREE.Object3D): void {
  root.updateMatrixWorld(true);
  root.traverse((node) => {
    node.matrixAutoUpdate = false;
    node.matrixWorldAutoUpdate = false;
  });
}
