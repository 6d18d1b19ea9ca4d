// The outline round what is hovered or selected: the same meshes, a little larger, seen from behind.
import * as THREE from "three";

import { isShown } from "./nodes";

const VERTEX = /* glsl */ `
uniform float width;
void main() {
  vec4 at = modelViewMatrix * vec4(position, 1.0);
  vec3 out_ = normalize(normalMatrix * normal);
  at.xyz += out_ * width * clamp(-at.z, 0.4, 6.0);
  gl_Position = projectionMatrix * at;
}`;

const FRAGMENT = /* glsl */ `
uniform vec3 colour;
uniform float opacity;
void main() {
  gl_FragColor = vec4(colour, opacity);
  #include <colorspace_fragment>
}`;

const TINT_VERTEX = /* glsl */ `
varying float rim;
void main() {
  vec4 at = modelViewMatrix * vec4(position, 1.0);
  rim = 1.0 - abs(dot(normalize(normalMatrix * normal), normalize(-at.xyz)));
  gl_Position = projectionMatrix * at;
}`;

const TINT_FRAGMENT = /* glsl */ `
uniform vec3 colour;
uniform float opacity;
varying float rim;
void main() {
  gl_FragColor = vec4(colour, opacity * (0.35 + 0.65 * rim * rim));
  #include <colorspace_fragment>
}`;

export class Highlight {
  readonly group = new THREE.Group();
  private readonly outline: THREE.ShaderMaterial;
  private readonly tint: THREE.ShaderMaterial;
  /** What is outlined; each has two copies. */
  private sources: THREE.Mesh[] = [];
  private copies: THREE.Mesh[] = [];

  constructor(colour: number, opacity: number, width = 0.0035) {
    const uniforms = { colour: { value: new THREE.Color(colour) } };
    this.outline = new THREE.ShaderMaterial({
      uniforms: { ...uniforms, opacity: { value: opacity }, width: { value: width } },
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      side: THREE.BackSide,
      transparent: true,
      depthWrite: false,
      toneMapped: false,
    });
    this.tint = new THREE.ShaderMaterial({
      uniforms: { ...uniforms, opacity: { value: opacity * 0.34 } },
      vertexShader: TINT_VERTEX,
      fragmentShader: TINT_FRAGMENT,
      transparent: true,
      depthWrite: false,
      polygonOffset: true,
      polygonOffsetFactor: -1,
      polygonOffsetUnits: -1,
      toneMapped: false,
    });
    this.group.renderOrder = 3;
  }

  /** Outline these meshes instead of those before; return whether that is a change. */
  show(meshes: readonly THREE.Mesh[]): boolean {
    if (meshes.length === this.sources.length && meshes.every((m, i) => m === this.sources[i])) {
      return false;
    }
    this.group.clear();
    this.sources = [...meshes];
    this.copies = this.sources.flatMap((source) =>
      [this.outline, this.tint].map((material) => {
        const copy = new THREE.Mesh(source.geometry, material);
        copy.matrixAutoUpdate = false;
        copy.matrixWorldAutoUpdate = false;
        copy.renderOrder = 3;
        copy.raycast = () => undefined;
        this.group.add(copy);
        return copy;
      }),
    );
    return true;
  }

  /** Bring the outlines to where the originals are, before they are drawn. */
  follow(): void {
    this.copies.forEach((copy, i) => {
      const source = this.sources[i >> 1];
      if (!source) return;
      copy.visible = isShown(source);
      copy.matrixWorld.copy(source.matrixWorld);
    });
  }
}
