import * as THREE from "three";

export function isMesh(node: THREE.Object3D): node is THREE.Mesh {
  return node instanceof THREE.Mesh;
}

/** Tell whether a node and all above it are visible. */
export function isShown(node: THREE.Object3D): boolean {
  for (let at: THREE.Object3D | null = node; at; at = at.parent) if (!at.visible) return false;
  return true;
}
