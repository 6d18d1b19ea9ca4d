// The scene that is drawn: the house, seen from somebody's eyes, and marks on it.
import * as THREE from "three";

import type { Point } from "../dom/pixels";
import type { Vec3 } from "../world/units";
import type { Destination } from "../world/destinations";
import type { PlacedPart } from "../world/part_words";
import type { Agent, Changes, Entity, World } from "../world/world";
import { AimMarks } from "./aim_marks";
import { Assets } from "./assets";
import { FirstPersonHand } from "./first_person_hand";
import { Ghost } from "./ghost";
import type { GhostPose } from "./ghost";
import { Highlight } from "./highlight";
import { House } from "./house";
import { drawPartnerView } from "./partner_view";
import type { PartnerViewFrame } from "./partner_view";
import { Picker } from "./picker";
import type { PickHit } from "./picker";
import type { Viewport } from "./viewport";

const HOVERED = 0xffffff;
const SELECTED = 0x4fd8ff;
/** While bodies walk in the sun, its shadows follow this often (ms). */
const SHADOW_MS = 90;
/** Without any change the picture is still drawn so often (ms). */
const IDLE_MS = 1000;

/** What one picture shows. */
export interface SceneView {
  /** The bodies' poses, by seat. */
  poses: (Agent | null)[];
  eye: Vec3;
  yaw: number;
  pitch: number;
  hovered: PickHit | null;
  selected: { entity: number; part: number } | null;
  ghost: GhostPose | null;
  /** Where the player is being walked. */
  goal?: Destination | null;
  /** The frame for the partner's view, and the partner's seat; null for none. */
  inset: PartnerViewFrame | null;
}

export class Scenery {
  house: House | null = null;
  picker: Picker | null = null;
  private assets: Assets | null = null;
  private assetRoot = "";
  private hand: FirstPersonHand | null = null;
  private world: World | null = null;
  private readonly hovered = new Highlight(HOVERED, 0.5, 0.0024);
  private readonly selected = new Highlight(SELECTED, 0.95);
  private readonly ghost = new Ghost();
  private readonly aims = new AimMarks();
  private dirty = true;
  private drawnMs = -Infinity;
  private shadowMs = -Infinity;
  private walked = 0;
  private wasDrawn = false;
  private lastTurn = { yaw: 0, pitch: 0 };
  private readonly lastEye = new THREE.Vector3();
  private readonly point = new THREE.Vector3();

  constructor(readonly viewport: Viewport) {
    viewport.scene.matrixWorldAutoUpdate = false;
    viewport.scene.add(this.hovered.group, this.selected.group, this.ghost.group, this.aims.group);
  }

  /** Load the models that a world needs; `onProgress` counts them. */
  async build(world: World, assetRoot: string, onProgress: (loaded: number, total: number) => void): Promise<void> {
    if (!this.assets || assetRoot !== this.assetRoot) {
      this.assets = new Assets(assetRoot, this.viewport.palette);
      this.assetRoot = assetRoot;
    }
    const { assets } = this;
    const missing = House.missing(world, assets);
    let loaded = 0;
    onProgress(0, missing.length);
    await Promise.all(missing.map((path) => assets.load(path).then(() => onProgress(++loaded, missing.length))));
  }

  /** Show a world whose models are loaded instead of the one before. */
  show(world: World): void {
    if (!this.assets) return;
    this.hovered.show([]);
    this.selected.show([]);
    this.ghost.hide();
    this.aims.clear();
    this.house?.dispose();
    this.hand?.dispose();
    this.world = world;
    this.house = new House(world, this.assets, this.viewport.palette);
    this.picker = new Picker(this.house);
    this.viewport.scene.add(this.house.group);
    this.viewport.lights.setHouse(world.rooms);
    const seat = world.mySeat;
    this.hand = seat && new FirstPersonHand(seat, this.viewport.palette);
    if (this.hand) this.viewport.scene.add(this.hand.root);
    this.dirty = true;
  }

  /** Follow what a frame changed in the world. */
  apply(changes: Changes): void {
    this.house?.apply(changes);
    this.dirty = true;
  }

  /** Take the size of the canvas now, and whenever it changes. */
  followCanvas(): void {
    const { canvas } = this.viewport;
    const fit = (): void => {
      this.viewport.resize(canvas.clientWidth, canvas.clientHeight);
      this.redraw();
    };
    new ResizeObserver(fit).observe(canvas);
    fit();
  }

  /** Have the next picture drawn, whether or not the world changes. */
  redraw(): void {
    this.dirty = true;
  }

  /** Find what is at a point of the canvas. */
  pick(at: Point): PickHit | null {
    const [x, y] = this.ndc(at);
    const { clientWidth, clientHeight } = this.viewport.canvas;
    return this.picker?.point(this.viewport.camera, x, y, clientWidth, clientHeight) ?? null;
  }

  /** Find the surface at a point of the canvas on which a thing could be put. */
  pickSurface(at: Point): PickHit | null {
    const [x, y] = this.ndc(at);
    return this.picker?.surface(this.viewport.camera, x, y) ?? null;
  }

  /** Find the surfaces of a thing that face up, each straight below one of these points. */
  surfacesBelow(entity: Entity, points: readonly Vec3[]): Vec3[] {
    const found = this.picker?.surfacesBelow(entity.index, points.map((point) => new THREE.Vector3(...point))) ?? [];
    return found.map(({ x, y, z }) => [x, y, z]);
  }

  /** Return where a point of the world is on the canvas (CSS pixels); `ahead`: not behind the eye. */
  project(point: Vec3): Point & { ahead: boolean; onScreen: boolean } {
    const { camera, canvas } = this.viewport;
    const inView = this.point.set(...point).applyMatrix4(camera.matrixWorldInverse);
    const ahead = inView.z < 0;
    const { x, y } = inView.applyMatrix4(camera.projectionMatrix);
    const onScreen = ahead && Math.abs(x) <= 1 && Math.abs(y) <= 1;
    return {
      x: ((x + 1) / 2) * canvas.clientWidth,
      y: ((1 - y) / 2) * canvas.clientHeight,
      ahead,
      onScreen,
    };
  }

  /** Return the parts of furniture with the middle of each in the furniture's frame. */
  placedParts(entity: Entity): PlacedPart[] {
    return this.house?.views.get(entity.index)?.placedParts() ?? [];
  }

  /** Tell whether no wall stands between two points. */
  isClear(from: Vec3, to: Vec3): boolean {
    return this.picker?.clear(new THREE.Vector3(...from), new THREE.Vector3(...to)) ?? false;
  }

  /** Tell whether a thing is seen from a point, towards its middle. */
  isInSight(from: Vec3, middle: Vec3, entity: Entity): boolean {
    return this.picker?.reaches(new THREE.Vector3(...from), new THREE.Vector3(...middle), entity.index) ?? true;
  }

  /** Draw if anything changed; return whether a picture was drawn right after another. */
  draw(view: SceneView, dt: number, nowMs: number): boolean {
    const { house, world, viewport } = this;
    if (!house || !world) return false;
    const { camera } = viewport;
    camera.position.set(...view.eye);
    camera.rotation.set(view.pitch, view.yaw, 0);
    camera.updateMatrixWorld();
    this.walked = Math.min(0.2, this.lastEye.distanceTo(camera.position));
    const turned = this.lastEye.distanceToSquared(camera.position) > 1e-10 || this.hasTurned(view);
    this.lastEye.copy(camera.position);

    const held = world.heldBy(world.me);
    const handPose = held && this.hand ? this.hand.hold(camera, held, this.walked) : null;
    if (this.hand) this.hand.root.visible = handPose !== null && view.ghost === null;
    const moved = house.update(view.poses, handPose, dt);
    const own = house.bodies[world.me]?.body.root;
    if (own) own.visible = false;
    this.mark(view);
    if (this.aims.show(world, view.goal ?? null)) this.dirty = true;
    const lighting = viewport.lights.update(camera.position, dt);
    const changed = this.dirty || turned || moved || house.busy || lighting;
    if (!changed && nowMs - this.drawnMs < IDLE_MS) {
      this.wasDrawn = false;
      return false;
    }
    if ((moved || house.busy || this.dirty) && nowMs - this.shadowMs > SHADOW_MS) {
      this.shadowMs = nowMs;
      viewport.lights.refreshShadow();
    }
    this.dirty = false;
    this.drawnMs = nowMs;
    viewport.scene.updateMatrixWorld();
    this.hovered.follow();
    this.selected.follow();
    viewport.draw();
    // The last picture of a movement must not stay half way.
    if (view.inset && !drawPartnerView({ viewport, house, world, marks: this.marks() }, view.inset, nowMs)) {
      this.dirty = true;
    }
    const twice = this.wasDrawn;
    this.wasDrawn = true;
    return twice;
  }

  private hasTurned({ yaw, pitch }: SceneView): boolean {
    const turned = yaw !== this.lastTurn.yaw || pitch !== this.lastTurn.pitch;
    this.lastTurn = { yaw, pitch };
    return turned;
  }

  private mark(view: SceneView): void {
    const meshesOf = (target: { entity: number; part: number } | null): THREE.Mesh[] => {
      const found = target ? this.house?.views.get(target.entity) : undefined;
      // What the own hand holds needs no outline.
      if (!found || !target || found.entity.holder === this.world?.me) return [];
      if (target.part < 0) return found.meshes;
      const own = found.meshes.filter((mesh) => mesh.userData.part === target.part);
      return own.length > 0 ? own : found.meshes;
    };
    const { hovered, selected } = view;
    const same = hovered !== null && selected?.entity === hovered.entity && selected.part === hovered.part;
    const changes = [
      this.selected.show(meshesOf(selected)),
      this.hovered.show(same || view.ghost ? [] : meshesOf(hovered)),
    ];
    if (changes.some(Boolean)) this.dirty = true;
    const held = this.world?.heldBy(this.world.me);
    const heldView = held && this.house?.views.get(held.index);
    if (view.ghost && heldView) {
      this.ghost.shape(heldView.root);
      this.ghost.show(view.ghost.position, view.ghost.rotation, view.ghost.fit);
      heldView.root.visible = false;
      this.dirty = true;
    } else if (this.ghost.group.visible) {
      this.ghost.hide();
      for (const { root } of this.house?.views.values() ?? []) root.visible = true;
      this.dirty = true;
    }
  }

  /** What only the player sees: outlines, the ghost, the hand before the eyes. */
  private marks(): (THREE.Object3D | undefined)[] {
    return [this.hovered.group, this.selected.group, this.ghost.group, this.hand?.root];
  }

  private ndc({ x, y }: Point): [number, number] {
    const { clientWidth, clientHeight } = this.viewport.canvas;
    return [(x / clientWidth) * 2 - 1, 1 - (y / clientHeight) * 2];
  }
}
