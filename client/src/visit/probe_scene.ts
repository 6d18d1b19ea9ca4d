/** Triangles that are drawn in each picture: about what a furnished room has in sight. */
const TRIANGLES = 60_000;

const VERTEX = `
attribute vec3 place;
uniform float turn;
varying vec3 colour;
void main() {
  float c = cos(turn), s = sin(turn);
  gl_Position = vec4(place.x * c - place.y * s, place.x * s + place.y * c, place.z, 1.0);
  colour = 0.5 + 0.5 * place;
}`;
const FRAGMENT = `
precision mediump float;
varying vec3 colour;
void main() { gl_FragColor = vec4(normalize(colour) * 0.8, 1.0); }`;

/** Pictures that the device draws in a second; 0 where it has no WebGL. */
export async function framesPerSecond(milliseconds: number): Promise<number> {
  const canvas = document.createElement("canvas");
  canvas.width = 960;
  canvas.height = 540;
  const gl = canvas.getContext("webgl2") ?? canvas.getContext("webgl");
  if (!gl) return 0;
  const turn = prepare(gl);
  if (turn === null) return 0;
  const begun = await nextPicture();
  let pictures = 0;
  let now = begun;
  while (now - begun < milliseconds) {
    gl.uniform1f(turn, now / 1000);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.drawArrays(gl.TRIANGLES, 0, TRIANGLES * 3);
    // Reading a pixel waits until the picture is really there.
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    pictures++;
    now = await nextPicture();
  }
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return (pictures * 1000) / (now - begun);
}

function nextPicture(): Promise<number> {
  return new Promise((done) => requestAnimationFrame(() => done(performance.now())));
}

function prepare(gl: WebGLRenderingContext | WebGL2RenderingContext): WebGLUniformLocation | null {
  const program = gl.createProgram();
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    const shader = gl.createShader(kind);
    if (!program || !shader) return null;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  gl.useProgram(program);
  const places = new Float32Array(TRIANGLES * 9);
  // Small triangles all over the picture, the same on every device.
  for (let i = 0; i < TRIANGLES; i++) {
    const angle = i * 2.399963;
    const radius = Math.sqrt(i / TRIANGLES);
    for (let corner = 0; corner < 3; corner++) {
      const at = i * 9 + corner * 3;
      places[at] = radius * Math.cos(angle) + 0.02 * Math.cos(corner * 2.1);
      places[at + 1] = radius * Math.sin(angle) + 0.02 * Math.sin(corner * 2.1);
      places[at + 2] = ((i * 7) % 100) / 100;
    }
  }
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, places, gl.STATIC_DRAW);
  const place = gl.getAttribLocation(program, "place");
  gl.enableVertexAttribArray(place);
  gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, 0);
  gl.enable(gl.DEPTH_TEST);
  return gl.getUniformLocation(program, "turn");
}
