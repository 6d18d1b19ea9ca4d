// A material for renderers without a graphics card: light, fog and tone are worked out at the
// vertices, so that a pixel costs next to nothing. It takes no part in the scene's lights.
import * as THREE from "three";

const VERTEX = /* glsl */ `
uniform vec3 base;
uniform vec3 glow;
varying vec4 shade;
#include <skinning_pars_vertex>

vec3 toneMapped(vec3 x) {
  x *= 0.54;
  return clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}

void main() {
  mat4 placed = modelMatrix;
  #ifdef USE_SKINNING
    // Every vertex has one bone, and lies in its frame: nothing else is to be worked out.
    placed = getBoneMatrix(skinIndex.x);
  #endif
  vec4 world = placed * vec4(position, 1.0);
  vec3 n = normalize(mat3(placed) * normal);
  vec3 light = mix(vec3(0.92, 0.87, 0.8), vec3(1.2, 1.2, 1.22), n.y * 0.5 + 0.5);
  // Unlike on each of the four walls: corners are seen by that alone.
  light += vec3(0.52, 0.47, 0.39) * max(0.0, dot(n, normalize(vec3(-0.45, 0.5, 0.75))));
  light += vec3(0.24, 0.23, 0.22) * max(0.0, dot(n, normalize(vec3(0.75, 0.3, -0.25))));
  // A little darker towards the floor, as in a real room.
  light *= 0.86 + 0.14 * clamp(world.y / 1.6, 0.0, 1.0);
  vec4 albedo = vec4(base, 1.0);
  #ifdef USE_COLOR_ALPHA
    albedo *= color;
  #elif defined(USE_COLOR)
    albedo.rgb *= color;
  #endif
  vec4 view = viewMatrix * world;
  vec3 lit = mix(albedo.rgb * light + glow, vec3(0.8, 0.87, 0.92), smoothstep(20.0, 60.0, -view.z));
  vec3 toned = toneMapped(lit);
  shade = vec4(pow(toned, vec3(1.0 / 2.2)), albedo.a);
  gl_Position = projectionMatrix * view;
}`;

const FRAGMENT = /* glsl */ `
varying vec4 shade;
void main() {
  gl_FragColor = shade;
}`;

/** Make such a material; without a colour it takes that of the vertices. */
export function simpleMaterial(
  colour: number | null,
  glow: number | undefined,
  transparent: boolean,
): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    uniforms: {
      base: { value: new THREE.Color(colour ?? 0xffffff) },
      glow: { value: new THREE.Color(glow ?? 0x000000).multiplyScalar(0.75) },
    },
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    vertexColors: colour === null,
    transparent,
    depthWrite: !transparent,
    toneMapped: false,
  });
}
