// The canvas: renderer, camera, quality, and the partner's view in its corner.
import * as THREE from "three";

import type { Rectangle } from "../dom/pixels";
import { Lights } from "./lights";
import { Palette } from "./palette";
import { QUALITIES, QualityGovernor, firstLevel } from "./quality";
import type { Quality } from "./quality";

const FOV_DEG = 64;
/** Least width of the view: in a narrow window it is higher instead, so that it is no slit. */
const LEAST_HORIZONTAL_DEG = 58;
/** A robot's eye comes as near to a wall as its radius less the eye's way ahead of its middle, 5 cm: what is
    farther than that, in the corners of the view too, must not be cut off, or one sees through the wall. */
export const NEAR_M = 0.02;
const FAR_M = 90;

/** Return the height of the view (degrees) for a window's width by height. */
export function fovFor(aspect: number): number {
  const least = 2 * Math.atan(Math.tan((LEAST_HORIZONTAL_DEG * Math.PI) / 360) / aspect);
  return Math.min(88, Math.max(FOV_DEG, (least * 180) / Math.PI));
}

export class Viewport {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(FOV_DEG, 1, NEAR_M, FAR_M);
  readonly insetCamera = new THREE.PerspectiveCamera(FOV_DEG, 16 / 9, NEAR_M, FAR_M);
  readonly palette = new Palette();
  readonly lights = new Lights();
  readonly rendererName: string;
  readonly governor: QualityGovernor;
  /** Draw calls of the last picture, without the partner's view. */
  calls = 0;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly insetMaterial = new THREE.ShaderMaterial({
    uniforms: { map: { value: null } },
    vertexShader: "varying vec2 at; void main() { at = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }",
    fragmentShader: "uniform sampler2D map; varying vec2 at; void main() { gl_FragColor = texture2D(map, at); }",
    depthTest: false,
    depthWrite: false,
    toneMapped: false,
  });
  private inset: THREE.FramebufferTexture | null = null;
  private readonly screen = new THREE.Scene();
  private readonly screenCamera = new THREE.OrthographicCamera(-1, 1, 1, -1, 0, 1);
  private insetAt = -Infinity;
  private insetSeat = -1;
  private width = 1;
  private height = 1;
  /** The level that was asked for; null to leave it to the governor. */
  private fixedLevel: number | null = null;

  /** Throws when the browser has no WebGL 2. */
  constructor(readonly canvas: HTMLCanvasElement) {
    const name = nameOfRenderer();
    this.rendererName = name;
    this.governor = new QualityGovernor(firstLevel(name));
    // Opaque, which three.js never asks for: the browser need not blend it with the page.
    const context = canvas.getContext("webgl2", {
      alpha: false,
      antialias: this.quality.antialias,
      powerPreference: "high-performance",
    });
    if (!context) throw new Error("no WebGL 2");
    this.renderer = new THREE.WebGLRenderer({ canvas, context });
    this.renderer.autoClear = false;
    this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
    this.renderer.toneMappingExposure = 0.92;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    const quad = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), this.insetMaterial);
    quad.frustumCulled = false;
    this.screen.add(quad);
    this.scene.add(this.lights.group);
    this.scene.fog = new THREE.Fog(0xe3edf3, 20, 60);
    this.camera.rotation.order = "YXZ";
    this.insetCamera.rotation.order = "YXZ";
    this.applyQuality();
  }

  /** The level of `QUALITIES` that is drawn. */
  get level(): number {
    return this.fixedLevel ?? this.governor.level;
  }

  get quality(): Quality {
    return QUALITIES[this.level] as Quality;
  }

  /** Whether nothing simpler is left. */
  get isLowest(): boolean {
    return this.quality === QUALITIES[0];
  }

  /** Ask for a level of `QUALITIES`, or null to leave it to the governor. */
  setLevel(level: number | null): void {
    this.fixedLevel = level;
    this.applyQuality();
  }

  /** Note that a frame was drawn `dt` seconds after the one before; return whether the quality changed. */
  drew(dt: number): boolean {
    if (this.fixedLevel !== null || !this.governor.drew(dt)) return false;
    this.applyQuality();
    return true;
  }

  resize(width: number, height: number): void {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    this.renderer.setSize(this.width, this.height, false);
    this.camera.aspect = this.width / this.height;
    this.camera.fov = fovFor(this.camera.aspect);
    this.camera.updateProjectionMatrix();
  }

  /** Compile what the scene needs, off the main path where the browser can. */
  async prepare(): Promise<void> {
    await this.renderer.compileAsync(this.scene, this.camera).catch(() => undefined);
  }

  draw(): void {
    this.renderer.setScissorTest(false);
    this.renderer.setViewport(0, 0, this.width, this.height);
    this.renderer.clear();
    this.renderer.render(this.scene, this.camera);
    this.calls = this.renderer.info.render.calls;
  }

  /** Show the picture of the inset camera, which is drawn anew now and then, and at once for another seat;
      return whether it is as new as the frame. */
  drawInset(at: Rectangle, seat: number, nowMs: number, around: (draw: () => void) => void): boolean {
    const ratio = this.renderer.getPixelRatio();
    const bottom = this.height - at.top - at.height;
    const width = Math.floor(at.width * ratio);
    const height = Math.floor(at.height * ratio);
    if (width < 1 || height < 1) return true;
    if (this.inset?.width !== width || this.inset.height !== height) {
      this.inset?.dispose();
      this.inset = new THREE.FramebufferTexture(width, height);
      // As the canvas, or nothing can be copied from there.
      this.inset.format = THREE.RGBFormat;
      this.inset.internalFormat = "RGB8";
      (this.insetMaterial.uniforms.map as { value: unknown }).value = this.inset;
      this.insetAt = -Infinity;
    }
    this.renderer.setViewport(at.left, bottom, at.width, at.height);
    this.renderer.setScissor(at.left, bottom, at.width, at.height);
    this.renderer.setScissorTest(true);
    const due = seat !== this.insetSeat || nowMs - this.insetAt > 1000 / this.quality.insetFps;
    if (due) {
      this.insetSeat = seat;
      this.insetAt = nowMs;
      this.insetCamera.aspect = at.width / at.height;
      this.insetCamera.updateProjectionMatrix();
      around(() => {
        this.renderer.clear();
        this.renderer.render(this.scene, this.insetCamera);
      });
      const corner = new THREE.Vector2(Math.floor(at.left * ratio), Math.floor(bottom * ratio));
      this.renderer.copyFramebufferToTexture(this.inset, corner);
    } else {
      this.renderer.render(this.screen, this.screenCamera);
    }
    this.renderer.setScissorTest(false);
    return due;
  }

  private applyQuality(): void {
    const { quality } = this;
    this.palette.setShading(quality.shading);
    this.renderer.shadowMap.enabled = quality.shadowSize > 0;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, quality.pixelRatio));
    this.lights.setQuality(quality);
    // Blurring what lies behind a panel costs more than the panel's scene on a slow renderer.
    document.documentElement.classList.toggle("plain", quality.shading === "vertex");
    this.resize(this.width, this.height);
  }
}

/** Return the name of what draws: the graphics card, or a program that stands in for one. */
function nameOfRenderer(): string {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) throw new Error("no WebGL 2");
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name: unknown = gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return typeof name === "string" ? name : "";
}
