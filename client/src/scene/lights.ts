// The lights: daylight through the windows, warm lamps inside.
import * as THREE from "three";

import type { Room } from "../world/world";
import type { Quality } from "./quality";

const LAMPS = 3;
const LAMP_CANDELA = 5.5;
const LAMP_Y = 2.25;

interface Lamp {
  light: THREE.PointLight;
  room: number;
}

export class Lights {
  readonly group = new THREE.Group();
  private readonly sun = new THREE.DirectionalLight(0xffe3bd, 3.4);
  private readonly sky = new THREE.HemisphereLight(0xf6f8fb, 0xe6d9c6, 1.75);
  private readonly fill = new THREE.DirectionalLight(0xfff4e4, 0.55);
  private readonly lamps: Lamp[] = [];
  private centres: THREE.Vector3[] = [];
  private sizes: number[] = [];

  constructor() {
    this.sun.shadow.bias = -0.0006;
    this.sun.shadow.normalBias = 0.02;
    this.sun.shadow.radius = 3;
    this.sun.shadow.autoUpdate = false;
    this.fill.position.set(-3, 6, -4);
    this.group.add(this.sky, this.sun, this.sun.target, this.fill, this.fill.target);
    for (let i = 0; i < LAMPS; i++) {
      const light = new THREE.PointLight(0xffd7a0, 0, 7.5, 1.5);
      this.lamps.push({ light, room: -1 });
      this.group.add(light);
    }
    this.group.add(skyDome());
  }

  /** Light this house. */
  setHouse(rooms: readonly Room[]): void {
    const box = new THREE.Box2();
    this.centres = rooms.map(({ polygon }) => {
      const own = new THREE.Box2().setFromPoints(polygon.map(([x, z]) => new THREE.Vector2(x, z)));
      box.union(own);
      const middle = own.getCenter(new THREE.Vector2());
      return new THREE.Vector3(middle.x, LAMP_Y, middle.y);
    });
    this.sizes = rooms.map(({ polygon }) => {
      const xs = polygon.map(([x]) => x);
      const zs = polygon.map(([, z]) => z);
      return (Math.max(...xs) - Math.min(...xs)) * (Math.max(...zs) - Math.min(...zs));
    });
    if (rooms.length === 0) return;
    const middle = box.getCenter(new THREE.Vector2());
    const reach = box.getSize(new THREE.Vector2()).length() / 2 + 1;
    const target = this.sun.target.position.set(middle.x, 0, middle.y);
    // From the south-west, as low as an afternoon.
    this.sun.position.copy(target).add(new THREE.Vector3(-0.55, 0.72, 0.8).multiplyScalar(reach * 1.6));
    const { camera } = this.sun.shadow;
    camera.left = camera.bottom = -reach;
    camera.right = camera.top = reach;
    camera.near = 1;
    camera.far = reach * 4.2;
    camera.updateProjectionMatrix();
    for (const lamp of this.lamps) lamp.room = -1;
    this.refreshShadow();
  }

  setQuality(quality: Quality): void {
    this.sun.castShadow = quality.shadowSize > 0;
    // Without its shadow, sunlight would shine through the roof.
    this.sun.intensity = quality.shadowSize > 0 ? 3.4 : 0.35;
    this.sky.intensity = quality.lamps > 0 ? 1.75 : 2.1;
    this.fill.intensity = quality.lamps > 0 ? 0.55 : 0.9;
    if (quality.shadowSize > 0) {
      this.sun.shadow.mapSize.setScalar(quality.shadowSize);
      this.sun.shadow.map?.dispose();
      this.sun.shadow.map = null;
      this.refreshShadow();
    }
    this.lamps.forEach(({ light }, i) => (light.visible = i < quality.lamps));
  }

  /** Draw the sun's shadow anew: something moved that may stand in it. */
  refreshShadow(): void {
    this.sun.shadow.needsUpdate = true;
  }

  /** Light the lamps of the rooms nearest to the eye; return whether their light is still changing. */
  update(eye: THREE.Vector3, dt: number): boolean {
    const nearest = this.centres
      .map((centre, room) => ({ room, away: Math.hypot(centre.x - eye.x, centre.z - eye.z) }))
      .sort((a, b) => a.away - b.away)
      .slice(0, LAMPS)
      .map(({ room }) => room);
    let changing = false;
    for (const lamp of this.lamps) {
      const { light } = lamp;
      if (!light.visible) continue;
      const wanted = lamp.room >= 0 && nearest.includes(lamp.room);
      if (!wanted && light.intensity < 0.02) {
        const room = nearest.find((r) => !this.lamps.some((other) => other.room === r));
        if (room === undefined) continue;
        lamp.room = room;
        light.position.copy(this.centres[room] as THREE.Vector3);
      }
      const lit = nearest.includes(lamp.room);
      const goal = lit ? LAMP_CANDELA * Math.min(1.3, Math.sqrt((this.sizes[lamp.room] ?? 14) / 14)) : 0;
      const step = goal - light.intensity;
      if (Math.abs(step) < 0.01) continue;
      light.intensity += Math.sign(step) * Math.min(Math.abs(step), dt * 12);
      changing = true;
    }
    return changing;
  }
}

/** Make a pale sky: brighter towards the horizon. */
function skyDome(): THREE.Mesh {
  const geometry = new THREE.SphereGeometry(80, 24, 12);
  const top = new THREE.Color(0x9cc4ea);
  const horizon = new THREE.Color(0xe9f1f6);
  const positions = geometry.getAttribute("position");
  const colours = new Float32Array(positions.count * 3);
  for (let i = 0; i < positions.count; i++) {
    const height = Math.max(0, positions.getY(i) / 80);
    horizon.clone().lerp(top, Math.pow(height, 0.6)).toArray(colours, i * 3);
  }
  geometry.setAttribute("color", new THREE.BufferAttribute(colours, 3));
  const material = new THREE.MeshBasicMaterial({
    vertexColors: true,
    side: THREE.BackSide,
    fog: false,
    depthWrite: false,
    toneMapped: false,
  });
  const mesh = new THREE.Mesh(geometry, material);
  // Last: most of it is hidden behind walls.
  mesh.renderOrder = 2;
  mesh.raycast = () => undefined;
  return mesh;
}
