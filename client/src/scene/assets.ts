// Models from the server, each loaded once and shared by all its instances.
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

import type { Vec2 } from "../world/units";
import type { Template } from "../world/world";
import { splitByRoom } from "./room_split";
import { isMesh } from "./nodes";
import { finishOf } from "./palette";
import type { Palette } from "./palette";

export class Assets {
  private readonly loader = new GLTFLoader();
  private readonly loading = new Map<string, Promise<THREE.Object3D | null>>();
  private readonly cut = new WeakSet<THREE.Object3D>();
  private readonly loaded = new Map<string, THREE.Object3D | null>();

  constructor(
    private readonly root: string,
    private readonly palette: Palette,
  ) {}

  /** Load the model at a path below the asset root; null when it cannot be had. */
  load(path: string): Promise<THREE.Object3D | null> {
    let loading = this.loading.get(path);
    if (!loading) {
      loading = this.loader.loadAsync(`${this.root}/${path}`).then(
        (gltf) => gltf.scene,
        (error: unknown) => {
          console.warn(`no model ${path}`, error);
          return null;
        },
      );
      loading = loading.then((model) => {
        this.loaded.set(path, model);
        return model;
      });
      this.loading.set(path, loading);
    }
    return loading;
  }

  /** Make an instance of a loaded template; a plain box where its model is missing. */
  instance(template: Template): THREE.Object3D {
    const model = this.loaded.get(template.asset);
    return model ? this.copy(model) : this.placeholder(template);
  }

  /** Make an instance of the house itself, split by room when the rooms' floors (m) are given. */
  stage(path: string, floors: readonly Vec2[][] = []): THREE.Object3D | null {
    const model = this.loaded.get(path);
    if (!model) return null;
    if (floors.length > 1 && !this.cut.has(model)) {
      splitByRoom(model, floors);
      this.cut.add(model);
    }
    return this.copy(model);
  }

  isLoaded(path: string): boolean {
    return this.loaded.has(path);
  }

  /** Copy a model; geometries and materials are shared, only nodes are new. */
  private copy(model: THREE.Object3D): THREE.Object3D {
    const copy = model.clone(true);
    copy.traverse((node) => {
      if (!isMesh(node)) return;
      const material = node.material as THREE.Material;
      this.palette.dress(node, finishOf(String(material.userData.finish ?? material.name)));
      node.castShadow = true;
      node.receiveShadow = true;
    });
    return copy;
  }

  private placeholder(template: Template): THREE.Object3D {
    const low = new THREE.Vector3(...template.low);
    const high = new THREE.Vector3(...template.high);
    const size = high.clone().sub(low);
    const mesh = new THREE.Mesh(new THREE.BoxGeometry(size.x, size.y, size.z));
    mesh.position.copy(low.add(high).multiplyScalar(0.5));
    this.palette.dress(mesh, "matte", 0xb7aa98);
    const group = new THREE.Group();
    group.add(mesh);
    return group;
  }
}
