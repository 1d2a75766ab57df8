/**
 * Points as sprites of WebGL 2. Our own, and small: libraries that compile code from text do not run under the
 * page's content security policy.
 */
import type { Looks } from "./coloring.js";
import type { Frame, Painter } from "./painter-types.js";

const vertexShader = `#version 300 es
in vec2 position;
in vec4 color;
in float shape;
uniform vec2 middle;
uniform vec2 scale; // of the plane to clip space
uniform float diameter; // device pixels
out vec4 shade;
out float ring;
void main() {
  gl_Position = vec4((position - middle) * scale, 0.0, 1.0);
  gl_PointSize = diameter;
  shade = color;
  ring = shape;
}`;

const fragmentShader = `#version 300 es
precision highp float;
in vec4 shade;
in float ring;
uniform float diameter;
out vec4 pixel;
void main() {
  float radius = length(gl_PointCoord - 0.5) * diameter;
  float outer = diameter * 0.5 - 0.5;
  float cover = clamp(outer + 0.5 - radius, 0.0, 1.0);
  if (ring > 0.5) cover *= clamp(radius - outer * 0.5 + 0.5, 0.0, 1.0);
  float alpha = shade.a * cover;
  pixel = vec4(shade.rgb * alpha, alpha);
}`;

export class WebglPainter implements Painter {
  private count = 0;
  /** Points that have looks: no more are drawn. */
  private looked = 0;
  private buffer = new Float32Array(0);
  private readonly positions: WebGLBuffer;
  private readonly colors: WebGLBuffer;
  private readonly shapes: WebGLBuffer;
  private readonly uniforms: Readonly<Record<"middle" | "scale" | "diameter", WebGLUniformLocation | null>>;

  private constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly gl: WebGL2RenderingContext,
    private readonly program: WebGLProgram,
    private readonly onLost: () => void,
  ) {
    this.positions = gl.createBuffer();
    this.colors = gl.createBuffer();
    this.shapes = gl.createBuffer();
    gl.useProgram(program);
    this.attribute("position", this.positions, 2, gl.FLOAT, false);
    this.attribute("color", this.colors, 4, gl.UNSIGNED_BYTE, true);
    this.attribute("shape", this.shapes, 1, gl.UNSIGNED_BYTE, false);
    this.uniforms = {
      middle: gl.getUniformLocation(program, "middle"),
      scale: gl.getUniformLocation(program, "scale"),
      diameter: gl.getUniformLocation(program, "diameter"),
    };
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    canvas.addEventListener("webglcontextlost", onLost);
  }

  /** Undefined where there is no WebGL 2, or it does not take the program. */
  static create(canvas: HTMLCanvasElement, onLost: () => void): WebglPainter | undefined {
    const gl = canvas.getContext("webgl2", { antialias: false, premultipliedAlpha: true });
    if (gl === null) return undefined;
    const program = gl.createProgram();
    for (const [type, source] of [
      [gl.VERTEX_SHADER, vertexShader],
      [gl.FRAGMENT_SHADER, fragmentShader],
    ] as const) {
      const shader = gl.createShader(type);
      if (shader === null) return undefined;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (gl.getProgramParameter(program, gl.LINK_STATUS) !== true) return undefined;
    return new WebglPainter(canvas, gl, program, onLost);
  }

  private attribute(
    name: string,
    buffer: WebGLBuffer,
    size: number,
    type: number,
    normalized: boolean,
  ): void {
    const { gl } = this;
    const location = gl.getAttribLocation(this.program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, type, normalized, 0, 0);
  }

  setPositions(positions: ArrayLike<number>): void {
    const { gl } = this;
    if (this.buffer.length !== positions.length) this.buffer = new Float32Array(positions.length);
    this.buffer.set(positions);
    this.count = Math.floor(positions.length / 2);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.positions);
    gl.bufferData(gl.ARRAY_BUFFER, this.buffer, gl.DYNAMIC_DRAW);
  }

  setLooks({ colors, shapes }: Looks): void {
    const { gl } = this;
    this.looked = shapes.length;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.colors);
    gl.bufferData(gl.ARRAY_BUFFER, colors, gl.STATIC_DRAW);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.shapes);
    gl.bufferData(gl.ARRAY_BUFFER, shapes, gl.STATIC_DRAW);
  }

  paint({ camera, size, density, radius }: Frame): void {
    const { gl, canvas, uniforms } = this;
    const width = Math.max(1, Math.round(size.width * density));
    const height = Math.max(1, Math.round(size.height * density));
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const count = Math.min(this.count, this.looked);
    if (count === 0) return;
    gl.uniform2f(uniforms.middle, camera.x, camera.y);
    gl.uniform2f(uniforms.scale, (2 * camera.scale) / size.width, (2 * camera.scale) / size.height);
    gl.uniform1f(uniforms.diameter, 2 * radius * density + 1);
    gl.drawArrays(gl.POINTS, 0, count);
  }

  dispose(): void {
    this.canvas.removeEventListener("webglcontextlost", this.onLost);
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
  }
}
