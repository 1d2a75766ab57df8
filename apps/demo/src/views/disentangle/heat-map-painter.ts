/** Draws Q as a heat map: rows and columns in an order, and the components along two edges. */
import { channelsOf, scaleColor } from "../../plot/palette.js";

export interface HeatPicture {
  /** n × n, 0 … 255. */
  readonly levels: Uint8Array;
  /** n: which point stands where. */
  readonly order: Int32Array;
  /** "#rrggbb" of each point's component; undefined where there is only one. */
  readonly colors: readonly string[] | undefined;
  /** The row that stands out, as a place in the order. */
  readonly row: number | undefined;
  readonly ink: string;
}

/** Width of the strips of components, as a share of the side. */
const strip = 0.022;

/** Where the cells lie on a canvas of this side: from `left` on, in both directions. */
export function cellsOf(side: number, hasStrips: boolean): { readonly left: number; readonly side: number } {
  const left = hasStrips ? Math.ceil(strip * side) + 1 : 0;
  return { left, side: side - left };
}

const scale = Array.from({ length: 256 }, (_, level) => channelsOf(scaleColor(level / 255)));

/** The cells alone, a pixel each. */
export function paintCells(canvas: HTMLCanvasElement, levels: Uint8Array, order: Int32Array): void {
  const n = order.length;
  canvas.width = n;
  canvas.height = n;
  const context = canvas.getContext("2d");
  if (context === null) return;
  const image = context.createImageData(n, n);
  for (let a = 0, k = 0; a < n; a++) {
    const start = order[a] * n;
    for (let b = 0; b < n; b++, k += 4) {
      const [red, green, blue] = scale[levels[start + order[b]]];
      image.data[k] = red;
      image.data[k + 1] = green;
      image.data[k + 2] = blue;
      image.data[k + 3] = 255;
    }
  }
  context.putImageData(image, 0, 0);
}

/** @param cells - as `paintCells` has left them */
export function paintHeatMap(
  canvas: HTMLCanvasElement,
  cells: HTMLCanvasElement,
  picture: HeatPicture,
): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  const { order, colors, row, ink } = picture;
  const n = order.length;
  const { left, side } = cellsOf(canvas.width, colors !== undefined);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingEnabled = side < n;
  context.drawImage(cells, left, left, side, side);
  const cell = side / n;
  if (colors !== undefined) {
    for (let a = 0; a < n; a++) {
      context.fillStyle = colors[order[a]];
      const [from, to] = [left + Math.floor(a * cell), left + Math.ceil((a + 1) * cell)];
      context.fillRect(from, 0, to - from, left - 1);
      context.fillRect(0, from, left - 1, to - from);
    }
  }
  if (row === undefined) return;
  context.strokeStyle = ink;
  context.lineWidth = Math.max(1, canvas.width / 400);
  context.strokeRect(left, left + row * cell, side, Math.max(cell, 2));
}

/** The order in which the points are shown before there is a solution: by component, and within one as they are given. */
export function byComponent(componentOf: Int32Array): Int32Array {
  const order = Int32Array.from(componentOf, (_, i) => i);
  return order.sort((i, j) => componentOf[i] - componentOf[j] || i - j);
}
