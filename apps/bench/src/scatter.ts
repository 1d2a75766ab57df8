/** Maps and matrices as SVG: points in a plane with colours, and squares of grey. Panels side by side, as in `chart.ts`. */
import { crc32, deflateSync } from "node:zlib";
import type { DenseMatrix } from "@curvature/linalg";
import { drawing, short, text } from "./axes.ts";
import { colors } from "./chart.ts";

export interface Dots {
  readonly title: string;
  /** A line below the title. */
  readonly note?: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Whether both axes fill the panel; else x and y have one scale. */
  readonly isStretched?: boolean;
  /** Of each point; the first of `colors` where left out. */
  readonly colorOf?: (index: number) => string;
}

export interface Grey {
  readonly title: string;
  readonly note?: string;
  /** Black is the largest entry, white 0 and less. */
  readonly matrix: DenseMatrix;
}

const size = 260;
const gap = 24;
const top = 46;

export interface PanelsOptions {
  /** Panels in a row. Default 3. */
  readonly columns?: number;
  /** Names of the first of `colors`, below the panels. */
  readonly legend?: readonly string[];
}

export function panelsSvg(
  title: string,
  panels: readonly (Dots | Grey)[],
  { columns = 3, legend = [] }: PanelsOptions = {},
): string {
  const across = Math.min(columns, panels.length);
  const width = across * (size + gap) + gap;
  const bodyHeight = 40 + Math.ceil(panels.length / across) * (size + top + gap);
  const height = bodyHeight + 22 * Math.ceil(legend.length / across);
  const names = legend.map((name, k) => {
    const x = gap + (k % across) * (size + gap);
    const y = bodyHeight + 22 * Math.floor(k / across);
    return `<circle cx="${x + 5}" cy="${y}" r="5" fill="${classColor(k)}"/>${text(x + 16, y + 4, name, "")}`;
  });
  const body = panels.map((panel, k) => {
    const x = gap + (k % across) * (size + gap);
    const y = 40 + Math.floor(k / across) * (size + top + gap);
    const inside = "matrix" in panel ? greyMarkup(panel.matrix) : dotsMarkup(panel);
    return [
      `<g transform="translate(${x} ${y})">`,
      text(0, 16, panel.title, `font-weight="bold"`),
      text(0, 34, panel.note ?? "", `fill="#6b7280"`),
      `<g transform="translate(0 ${top})"><rect width="${size}" height="${size}" fill="none" stroke="#e5e7eb"/>${inside}</g>`,
      "</g>",
    ].join("\n");
  });
  return drawing([width, height], [gap, title], [...body, ...names]);
}

/** A colour for a place on a circle, α in radians, or for a class. */
export const hue = (alpha: number): string => `hsl(${Math.round((180 / Math.PI) * alpha) % 360} 75% 45%)`;
export const classColor = (label: number): string => colors[label % colors.length];

function dotsMarkup({ points, isStretched = false, colorOf = () => colors[0] }: Dots): string {
  const [x, y] = ([0, 1] as const).map((axis) => {
    const along = points.map((point) => point[axis]);
    const low = along.reduce((a, b) => Math.min(a, b), Infinity);
    const high = along.reduce((a, b) => Math.max(a, b), -Infinity);
    return { middle: (low + high) / 2, span: high - low || 1 };
  });
  const common = Math.max(x.span, y.span);
  const scaleOf = (span: number): number => (size - 16) / (isStretched ? span : common);
  const radius = points.length > 500 ? 1.5 : 2.5;
  return points
    .map(([px, py], k) => {
      const cx = size / 2 + scaleOf(x.span) * (px - x.middle);
      const cy = size / 2 - scaleOf(y.span) * (py - y.middle);
      return `<circle cx="${short(cx)}" cy="${short(cy)}" r="${radius}" fill="${colorOf(k)}"/>`;
    })
    .join("");
}

function greyMarkup({ rows, columns, data }: DenseMatrix): string {
  const largest = data.reduce((a, b) => Math.max(a, b), 0) || 1;
  const lines = Buffer.alloc((columns + 1) * rows);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++)
      lines[i * (columns + 1) + 1 + j] = Math.round(255 * (1 - Math.max(0, data[i * columns + j]) / largest));
  const image = pngOf(columns, rows, lines).toString("base64");
  return `<image width="${size}" height="${size}" style="image-rendering:pixelated" href="data:image/png;base64,${image}"/>`;
}

/** @param lines - of each row a 0 and its bytes of grey */
function pngOf(width: number, height: number, lines: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header[8] = 8; // bits of grey
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(lines)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(kind: string, content: Buffer): Buffer {
  const out = Buffer.alloc(12 + content.length);
  out.writeUInt32BE(content.length);
  out.write(kind, 4);
  content.copy(out, 8);
  out.writeUInt32BE(crc32(out.subarray(4, 8 + content.length)), 8 + content.length);
  return out;
}
