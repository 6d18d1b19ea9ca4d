// The contact sheet of the catalogue: every template drawn with the materials and lights of play.
// No page of the server loads this; `scripts/contact_sheet.py` builds it and takes the picture.
import * as THREE from "three";

import { Assets } from "../scene/assets";
import { Lights } from "../scene/lights";
import { Palette } from "../scene/palette";
import type { Shading } from "../scene/palette";
import type { Template } from "../world/world";
import "./houses";

/** One cell: a label, and models side by side with the state nodes that they show. */
interface Cell {
  label: string;
  models: { asset: string; shown: string[] }[];
}

interface Sheet {
  cells: Cell[];
  columns: number;
  /** Width of a cell in pixels, as `height`; the label comes below. */
  width: number;
  height: number;
  shading: Shading;
}

const LABEL_PX = 17;
/** Direction of the eye: as a standing person sees a thing on a table. */
const DIRECTION = new THREE.Vector3(-0.42, 0.52, -1).normalize();
/** Direction to the right of that eye. */
const ACROSS = new THREE.Vector3(DIRECTION.z, 0, -DIRECTION.x).normalize();
const FOV_DEG = 24;

async function draw(sheet: Sheet): Promise<void> {
  const { cells, columns, width, height } = sheet;
  const rows = Math.ceil(cells.length / columns);
  const canvas = document.createElement("canvas");
  document.body.append(canvas);
  const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
  renderer.setSize(columns * width, rows * (height + LABEL_PX));
  renderer.toneMapping = THREE.ACESFilmicToneMapping;
  renderer.toneMappingExposure = 0.92;
  renderer.setClearColor(0xe9e4da);
  renderer.clear();
  renderer.setScissorTest(true);

  const palette = new Palette();
  palette.setShading(sheet.shading);
  const assets = new Assets("/assets", palette);
  const paths = [...new Set(cells.flatMap((cell) => cell.models.map((model) => model.asset)))];
  await Promise.all(paths.map((path) => assets.load(path)));

  const scene = new THREE.Scene();
  const lights = new Lights();
  const room: [number, number][] = [[-2, -2], [2, -2], [2, 2], [-2, 2]];
  lights.setHouse([{ polygon: room } as unknown as Parameters<Lights["setHouse"]>[0][number]]);
  scene.add(lights.group);
  for (const [i, cell] of cells.entries()) {
    const left = (i % columns) * width;
    const top = Math.floor(i / columns) * (height + LABEL_PX);
    const group = groupOf(cell, assets);
    scene.add(group);
    const y = rows * (height + LABEL_PX) - top - height;
    renderer.setViewport(left, y, width, height);
    renderer.setScissor(left, y, width, height);
    renderer.render(scene, cameraFor(group, width / height));
    scene.remove(group);
    const label = document.createElement("div");
    label.textContent = cell.label;
    label.style.cssText = `left:${left}px;top:${top + height}px;width:${width}px`;
    document.body.append(label);
  }
  document.body.dataset.drawn = "yes";
}

function groupOf(cell: Cell, assets: Assets): THREE.Group {
  const group = new THREE.Group();
  let along = 0;
  for (const { asset, shown } of cell.models) {
    const model = assets.instance({ asset, low: [0, 0, 0], high: [0.1, 0.1, 0.1] } as unknown as Template);
    model.traverse((node) => {
      if (node.name.startsWith("state_") && !/_(matte|satin|metal|glass|glow_\w+)$/.test(node.name)) {
        node.visible = shown.includes(node.name);
      }
    });
    const box = new THREE.Box3().setFromObject(model);
    // How wide its box is across the line of sight.
    const half = (ACROSS.z * (box.max.z - box.min.z) - ACROSS.x * (box.max.x - box.min.x)) / 2;
    along += half * 1.05;
    model.position.addScaledVector(ACROSS, along);
    along += half * 1.05 + 0.008;
    group.add(model);
  }
  return group;
}

/** Make a camera from whose place the group fills the cell. */
function cameraFor(group: THREE.Group, aspect: number): THREE.PerspectiveCamera {
  const camera = new THREE.PerspectiveCamera(FOV_DEG, aspect, 0.01, 60);
  const box = new THREE.Box3().setFromObject(group);
  const middle = box.getCenter(new THREE.Vector3());
  const inverse = new THREE.Matrix4().lookAt(DIRECTION, new THREE.Vector3(), THREE.Object3D.DEFAULT_UP).invert();
  const tan = Math.tan((FOV_DEG / 360) * Math.PI);
  let away = 0.05;
  for (let k = 0; k < 8; k++) {
    const corner = new THREE.Vector3(
      k & 1 ? box.max.x : box.min.x,
      k & 2 ? box.max.y : box.min.y,
      k & 4 ? box.max.z : box.min.z,
    );
    corner.sub(middle).applyMatrix4(inverse);
    away = Math.max(away, corner.z + Math.max(Math.abs(corner.y) / tan, Math.abs(corner.x) / (tan * aspect)));
  }
  camera.position.copy(middle).addScaledVector(DIRECTION, away * 1.06);
  camera.lookAt(middle);
  return camera;
}

declare global {
  interface Window {
    drawSheet: (sheet: Sheet) => Promise<void>;
  }
}
window.drawSheet = draw;
