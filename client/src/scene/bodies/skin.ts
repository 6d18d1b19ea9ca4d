// A body as one mesh: its pieces keep their groups as bones, and cost one draw call instead of thirty.
import * as THREE from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";

import type { Palette } from "../palette";
import type { Maker } from "./limbs";

/** What a body is drawn as. */
export interface Skin {
  mesh: THREE.SkinnedMesh;
  dispose(): void;
}

/** Merge the pieces below a root, each moved by the group that it lies in, and put the mesh there instead.
    `reach` is how far from the root's origin anything of it can be (m). */
export function skin(root: THREE.Object3D, maker: Maker, palette: Palette, reach: number): Skin {
  const bones: THREE.Object3D[] = [];
  const parts = maker.pieces.map(({ mesh, colour }) => {
    const bone = mesh.parent ?? root;
    if (!bones.includes(bone)) bones.push(bone);
    mesh.updateMatrix();
    return part(mesh.geometry.applyMatrix4(mesh.matrix), bones.indexOf(bone), new THREE.Color(colour));
  });
  for (const { mesh } of maker.pieces) mesh.removeFromParent();
  const merged = new THREE.SkinnedMesh(mergeGeometries(parts));
  for (const geometry of parts) geometry.dispose();
  // The pieces lie in the frames of their bones, so nothing is to be taken back first.
  const skeleton = new THREE.Skeleton(bones as THREE.Bone[], bones.map(() => new THREE.Matrix4()));
  merged.bind(skeleton, new THREE.Matrix4());
  merged.boundingSphere = new THREE.Sphere(new THREE.Vector3(0, reach / 2, 0), reach);
  merged.raycast = () => undefined;
  merged.castShadow = true;
  merged.receiveShadow = true;
  palette.dress(merged, "matte");
  root.add(merged);
  return {
    mesh: merged,
    dispose: () => {
      palette.forget(merged);
      merged.geometry.dispose();
      skeleton.dispose();
    },
  };
}

/** Give a piece's geometry what the merged one needs: its bone and its colour at every vertex. */
function part(geometry: THREE.BufferGeometry, bone: number, colour: THREE.Color): THREE.BufferGeometry {
  const { count } = geometry.getAttribute("position");
  const colours = new Float32Array(count * 3);
  const indices = new Uint8Array(count * 4);
  const weights = new Float32Array(count * 4);
  for (let i = 0; i < count; i++) {
    colour.toArray(colours, i * 3);
    indices[i * 4] = bone;
    weights[i * 4] = 1;
  }
  geometry.deleteAttribute("uv");
  geometry.setAttribute("color", new THREE.BufferAttribute(colours, 3));
  geometry.setAttribute("skinIndex", new THREE.BufferAttribute(indices, 4));
  geometry.setAttribute("skinWeight", new THREE.BufferAttribute(weights, 4));
  return geometry;
}
