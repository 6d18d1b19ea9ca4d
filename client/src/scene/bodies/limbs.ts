// Pieces that bodies are made of, and a joint chain of two bones that reaches for a point.
import * as THREE from "three";

/** The larger a ball (radius, m), the more corners it needs. */
const SMALL_M = 0.04;
const LARGE_M = 0.1;

/** A piece of a body, and its colour. */
export interface Piece {
  mesh: THREE.Mesh;
  colour: number;
}

/** Makes the pieces of a body, which `skin` merges. */
export class Maker {
  readonly pieces: Piece[] = [];

  mesh(geometry: THREE.BufferGeometry, colour: number): THREE.Mesh {
    const mesh = new THREE.Mesh(geometry);
    this.pieces.push({ mesh, colour });
    return mesh;
  }

  /** Make a rounded rod from the origin downwards. */
  rod(radius: number, length: number, colour: number): THREE.Mesh {
    const geometry = new THREE.CapsuleGeometry(radius, Math.max(0.001, length - radius), 2, 8);
    geometry.translate(0, -length / 2, 0);
    return this.mesh(geometry, colour);
  }

  ball(radius: number, colour: number): THREE.Mesh {
    const [across, down] = radius < SMALL_M ? [8, 5] : radius < LARGE_M ? [10, 7] : [14, 10];
    return this.mesh(new THREE.SphereGeometry(radius, across, down), colour);
  }
}

/** Make a box whose edges are rounded by `radius`: each face has a flat middle, and one step to each edge. */
export function roundedBox(x: number, y: number, z: number, radius: number): THREE.BufferGeometry {
  const geometry = new THREE.BoxGeometry(x, y, z, 3, 3, 3);
  const positions = geometry.getAttribute("position");
  const normals = geometry.getAttribute("normal");
  const point = new THREE.Vector3();
  const core = new THREE.Vector3();
  const inner = new THREE.Vector3(x / 2 - radius, y / 2 - radius, z / 2 - radius);
  const outer = inner.clone().negate();
  // A line of the grid that is not an edge goes to where the flat middle ends.
  const onGrid = (at: number, size: number, flat: number): number => (Math.abs(at) > size / 3 ? at : Math.sign(at) * flat);
  for (let i = 0; i < positions.count; i++) {
    point.fromBufferAttribute(positions, i);
    point.set(onGrid(point.x, x, inner.x), onGrid(point.y, y, inner.y), onGrid(point.z, z, inner.z));
    core.copy(point).clamp(outer, inner);
    point.sub(core).normalize();
    normals.setXYZ(i, point.x, point.y, point.z);
    point.multiplyScalar(radius).add(core);
    positions.setXYZ(i, point.x, point.y, point.z);
  }
  return geometry;
}

const DOWN = new THREE.Vector3(0, -1, 0);

/** An upper and a lower bone with a joint between; both hang down when at rest. */
export class Limb {
  readonly upper = new THREE.Group();
  readonly lower = new THREE.Group();

  constructor(
    private readonly upperLength: number,
    private readonly lowerLength: number,
    /** Which way the joint bends: +1 forwards (an elbow), -1 backwards (a knee). */
    private readonly bend: 1 | -1,
  ) {
    this.lower.position.y = -upperLength;
    this.upper.add(this.lower);
  }

  /** Swing the bones by angles from hanging, forwards positive. */
  swing(shoulder: number, joint: number): void {
    this.upper.rotation.set(shoulder, 0, 0);
    this.lower.rotation.set(joint * this.bend, 0, 0);
  }

  /** Bring the end to a point in the frame of the limb's parent. */
  reach(target: THREE.Vector3): void {
    const toward = target.clone().sub(this.upper.position);
    const a = this.upperLength;
    const b = this.lowerLength;
    const distance = Math.min(Math.max(toward.length(), Math.abs(a - b) + 0.01), a + b - 0.005);
    const atShoulder = Math.acos((a * a + distance * distance - b * b) / (2 * a * distance));
    const atJoint = Math.PI - Math.acos((a * a + b * b - distance * distance) / (2 * a * b));
    this.upper.quaternion.setFromUnitVectors(DOWN, toward.normalize());
    this.upper.rotateX(-atShoulder * this.bend);
    this.lower.rotation.set(atJoint * this.bend, 0, 0);
  }
}
