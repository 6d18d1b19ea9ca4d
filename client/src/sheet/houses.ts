// A house from above with its walls cut off, for the contact sheet of houses.
// No page of the server loads this; `scripts/house_sheet.py` builds it and takes the picture.
import * as THREE from "three";

import { Assets } from "../scene/assets";
import { Lights } from "../scene/lights";
import { isMesh } from "../scene/nodes";
import { Palette } from "../scene/palette";
import type { Quat, Vec3 } from "../world/units";
import type { Template } from "../world/world";

interface Model {
  asset: string;
  position: Vec3;
  rotation: Quat;
}

interface HousePicture {
  stage: string;
  furniture: Model[];
  rooms: { polygon: [number, number][] }[];
  /** Low and high corner of every wall that stands on the floor. */
  walls: [Vec3, Vec3][];
  width: number;
  height: number;
}

const CUT_M = 1.35;
/** Direction of the eye: a little from the south, so that fronts and backs can be told apart. */
const DIRECTION = new THREE.Vector3(0, 1, 0.42).normalize();
const FOV_DEG = 20;

let renderer: THREE.WebGLRenderer | null = null;

/** Draw a house; return the picture as a data URL. */
async function drawHouse(house: HousePicture): Promise<string> {
  renderer ??= new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  renderer.setPixelRatio(2);
  renderer.setSize(house.width, house.height);
  renderer.toneMapping = THREE.ACESFilmicToneMapping;
  renderer.toneMappingExposure = 0.92;
  renderer.shadowMap.enabled = true;
  renderer.setClearColor(0xf6f4ef);
  renderer.clippingPlanes = [new THREE.Plane(new THREE.Vector3(0, -1, 0), CUT_M)];
  const palette = new Palette();
  const assets = new Assets("/assets", palette);
  const paths = new Set([house.stage, ...house.furniture.map((model) => model.asset)]);
  await Promise.all([...paths].map((path) => assets.load(path)));

  const scene = new THREE.Scene();
  const lights = new Lights();
  lights.setHouse(house.rooms as unknown as Parameters<Lights["setHouse"]>[0]);
  scene.add(lights.group);
  const stage = assets.stage(house.stage);
  if (!stage) throw new Error(`no stage ${house.stage}`);
  stage.traverse((node) => {
    if (/^(ceiling|outside)/.test(node.name)) node.visible = false;
    if (isMesh(node)) node.castShadow = false;
  });
  scene.add(stage);
  for (const { asset, position, rotation } of house.furniture) {
    const box = { asset, low: [0, 0, 0], high: [0.1, 0.1, 0.1] } as unknown as Template;
    const model = assets.instance(box);
    model.traverse((node) => {
      if (node.name.startsWith("state_")) node.visible = false;
    });
    model.position.set(...position);
    model.quaternion.set(...rotation);
    scene.add(model);
  }
  for (const [low, high] of house.walls) scene.add(cutFace(low, high));
  // Without ceilings the sky lights every room; lamps would only make spots.
  for (const light of lights.group.children) if (light instanceof THREE.PointLight) light.visible = false;
  scene.traverse((node) => {
    if (node instanceof THREE.DirectionalLight) node.castShadow = false;
  });
  renderer.render(scene, cameraFor(house));
  return renderer.domElement.toDataURL("image/png");
}

/** Make the face where a wall is cut off: dark, as on a plan. */
function cutFace(low: Vec3, high: Vec3): THREE.Mesh {
  const geometry = new THREE.PlaneGeometry(high[0] - low[0], high[2] - low[2]).rotateX(-Math.PI / 2);
  const mesh = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ color: 0x46535a, toneMapped: false }));
  mesh.position.set((low[0] + high[0]) / 2, Math.min(high[1], CUT_M) - 0.002, (low[2] + high[2]) / 2);
  return mesh;
}

function cameraFor(house: HousePicture): THREE.PerspectiveCamera {
  const aspect = house.width / house.height;
  const camera = new THREE.PerspectiveCamera(FOV_DEG, aspect, 1, 200);
  const box = new THREE.Box2();
  for (const { polygon } of house.rooms) for (const [x, z] of polygon) box.expandByPoint(new THREE.Vector2(x, z));
  const size = box.getSize(new THREE.Vector2());
  const middle = box.getCenter(new THREE.Vector2());
  const tan = Math.tan((FOV_DEG / 360) * Math.PI);
  const away = Math.max((size.x + 0.6) / (2 * tan * aspect), (size.y + 1.6) / (2 * tan)) + CUT_M;
  const target = new THREE.Vector3(middle.x, 0, middle.y);
  camera.position.copy(target).addScaledVector(DIRECTION, away);
  camera.lookAt(target);
  return camera;
}

declare global {
  interface Window {
    drawHouse: (house: HousePicture) => Promise<string>;
  }
}
window.drawHouse = drawHouse;
