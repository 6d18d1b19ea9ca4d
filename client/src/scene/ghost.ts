// The ghost of a held thing, where it would come to stand: solid and green where it fits, hatched
// and red where not.
import * as THREE from "three";

import type { Quat, Vec3 } from "../world/units";
import { isMesh } from "./nodes";

const VERTEX = /* glsl */ `
varying vec3 facing;
void main() {
  facing = normalize(normalMatrix * normal);
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const FRAGMENT = /* glsl */ `
uniform vec3 colour;
uniform float hatch;
varying vec3 facing;
void main() {
  if (hatch > 0.5 && mod(gl_FragCoord.x + gl_FragCoord.y, 9.0) < 4.5) discard;
  gl_FragColor = vec4(colour * (0.62 + 0.38 * abs(facing.z)), 0.82);
  #include <colorspace_fragment>
}`;

export type Fit = "fits" | "unknown" | "no";

const COLOURS: Record<Fit, number> = { fits: 0x46c46a, unknown: 0xcfd6d2, no: 0xe5483d };

/** Where the ghost stands, and whether the thing fits there. */
export interface GhostPose {
  position: Vec3;
  rotation: Quat;
  fit: Fit;
}

export class Ghost {
  readonly group = new THREE.Group();
  private readonly material = new THREE.ShaderMaterial({
    uniforms: { colour: { value: new THREE.Color(COLOURS.unknown) }, hatch: { value: 0 } },
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    transparent: true,
    toneMapped: false,
  });
  private source: THREE.Object3D | null = null;

  constructor() {
    this.group.visible = false;
  }

  /** Take the shape of a drawn thing. */
  shape(model: THREE.Object3D): void {
    if (model === this.source) return;
    this.source = model;
    this.group.clear();
    model.updateWorldMatrix(true, true);
    const inverse = model.matrixWorld.clone().invert();
    model.traverse((node) => {
      if (!isMesh(node) || !node.visible) return;
      const copy = new THREE.Mesh(node.geometry, this.material);
      copy.matrixAutoUpdate = false;
      copy.matrix.multiplyMatrices(inverse, node.matrixWorld);
      copy.renderOrder = 4;
      copy.raycast = () => undefined;
      this.group.add(copy);
    });
  }

  show(position: Vec3, rotation: Quat, fit: Fit): void {
    this.group.visible = true;
    this.group.position.set(...position);
    this.group.quaternion.set(...rotation);
    (this.material.uniforms.colour as { value: THREE.Color }).value.setHex(COLOURS[fit]);
    (this.material.uniforms.hatch as { value: number }).value = fit === "no" ? 1 : 0;
  }

  hide(): void {
    this.group.visible = false;
    this.source = null;
    this.group.clear();
  }
}
