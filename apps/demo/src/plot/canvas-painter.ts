import { toScreen } from "./camera.js";
import type { Looks } from "./coloring.js";
import type { Frame, Painter } from "./painter-types.js";

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** Points as arcs of a 2-D canvas: for pictures to keep, and where there is no WebGL. */
export class CanvasPainter implements Painter {
  private positions: ArrayLike<number> = [];
  private looks: Looks = { colors: new Uint8Array(0), shapes: new Uint8Array(0) };

  constructor(private readonly canvas: HTMLCanvasElement) {}

  setPositions(positions: ArrayLike<number>): void {
    this.positions = positions;
  }

  setLooks(looks: Looks): void {
    this.looks = looks;
  }

  paint(frame: Frame): void {
    const { size, density } = frame;
    this.canvas.width = Math.max(1, Math.round(size.width * density));
    this.canvas.height = Math.max(1, Math.round(size.height * density));
    const context = this.canvas.getContext("2d");
    if (context !== null) paintPoints(context, this.positions, this.looks, frame);
  }

  dispose(): void {
    this.positions = [];
  }
}

export function paintPoints(
  context: Context,
  positions: ArrayLike<number>,
  { colors, shapes }: Looks,
  { camera, size, density, radius }: Frame,
): void {
  context.setTransform(density, 0, 0, density, 0, 0);
  context.lineWidth = Math.max(1, radius * 0.5);
  const count = Math.min(shapes.length, Math.floor(positions.length / 2));
  for (let i = 0; i < count; i++) {
    const [x, y] = toScreen(camera, size, positions[2 * i], positions[2 * i + 1]);
    if (!(x > -radius && x < size.width + radius && y > -radius && y < size.height + radius)) continue;
    const [red, green, blue, alpha] = colors.subarray(4 * i, 4 * i + 4);
    const color = `rgba(${red},${green},${blue},${alpha / 255})`;
    context.beginPath();
    context.arc(x, y, shapes[i] === 0 ? radius : radius * 0.75, 0, 2 * Math.PI);
    if (shapes[i] === 0) {
      context.fillStyle = color;
      context.fill();
    } else {
      context.strokeStyle = color;
      context.stroke();
    }
  }
}
