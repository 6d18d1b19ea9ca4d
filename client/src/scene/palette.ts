// Materials: one per finish, shared by everything that is drawn. Colours are in the vertices.
import * as THREE from "three";

import { simpleMaterial } from "./simple_material";

const FINISHES = ["matte", "satin", "metal", "glass", "glow_warm", "glow_cool", "glow_hot"] as const;
export type Finish = (typeof FINISHES)[number];

const ROUGHNESS: Record<Finish, number> = {
  matte: 0.95,
  satin: 0.6,
  metal: 0.42,
  glass: 0.2,
  glow_warm: 0.9,
  glow_cool: 0.9,
  glow_hot: 0.9,
};

const GLOW: Partial<Record<Finish, number>> = {
  glow_warm: 0xffc27a,
  glow_cool: 0x7fb0e0,
  glow_hot: 0xff4a22,
};

/** How much a pixel may cost: physical materials, plain ones, or light at the vertices only. */
export type Shading = "full" | "plain" | "vertex";

/** Makes materials, and exchanges them all when the quality changes. */
export class Palette {
  private shading: Shading = "full";
  private readonly materials = new Map<string, THREE.Material>();
  private readonly users = new Map<THREE.Mesh, { finish: Finish; colour: number | null }>();

  /** Dress a mesh of a model: its material is exchanged for the shared one of the same finish. */
  dress(mesh: THREE.Mesh, finish: Finish, colour: number | null = null): void {
    this.users.set(mesh, { finish, colour });
    mesh.material = this.material(mesh, finish, colour);
  }

  /** Let go of a mesh that is drawn no more. */
  forget(mesh: THREE.Mesh): void {
    this.users.delete(mesh);
  }

  setShading(shading: Shading): void {
    if (shading === this.shading) return;
    this.shading = shading;
    for (const material of this.materials.values()) material.dispose();
    this.materials.clear();
    for (const [mesh, { finish, colour }] of this.users) mesh.material = this.material(mesh, finish, colour);
  }

  /** Return the material; bodies with bones have one of their own, which is compiled for them. */
  private material(mesh: THREE.Mesh, finish: Finish, colour: number | null): THREE.Material {
    const bones = mesh instanceof THREE.SkinnedMesh ? "bones" : "";
    const key = `${finish} ${colour ?? "vertex"} ${bones}`;
    let material = this.materials.get(key);
    if (!material) this.materials.set(key, (material = this.make(finish, colour)));
    return material;
  }

  private make(finish: Finish, colour: number | null): THREE.Material {
    const glow = GLOW[finish];
    const transparent = finish === "glass";
    if (this.shading === "vertex") return simpleMaterial(colour, glow, transparent);
    const common = {
      color: colour ?? 0xffffff,
      vertexColors: colour === null,
      transparent,
      depthWrite: !transparent,
      emissive: glow ?? 0x000000,
      emissiveIntensity: glow === undefined ? 0 : 0.75,
    };
    if (this.shading === "plain") return new THREE.MeshLambertMaterial(common);
    return new THREE.MeshStandardMaterial({
      ...common,
      roughness: ROUGHNESS[finish],
      // There is little to mirror: a bare metal would be black.
      metalness: finish === "metal" ? 0.35 : 0,
    });
  }
}

/** Return the finish that a model's material stands for. */
export function finishOf(name: string): Finish {
  return FINISHES.find((finish) => finish === name) ?? "matte";
}
