/** A scatterplot as a picture to keep, with lines where there are some: SVG or PNG, with a legend. */
import { type Bounds, boundsOf, type Camera, fitted, toScreen } from "../plot/camera.js";
import { paintPoints } from "../plot/canvas-painter.js";
import { type Coloring, colorOfPoint, looksOf } from "../plot/coloring.js";
import { classColor, isRing, restColor } from "../plot/palette.js";
import type { Theme } from "../shell/theme.js";

/** A line through points of the plane. */
export interface PictureLine {
  /** In the legend; "" for none. */
  readonly name: string;
  /** "#rrggbb" */
  readonly color: string;
  readonly dash?: readonly number[];
  /** x0, y0, x1, y1, … */
  readonly points: ArrayLike<number>;
}

export interface Picture {
  readonly title: string;
  readonly positions: ArrayLike<number>;
  readonly coloring: Coloring;
  readonly theme: Theme;
  /** Cut off at the picture's edge. */
  readonly lines?: readonly PictureLine[];
  /** What part of the plane is shown; without, that of the points. */
  readonly bounds?: Bounds;
}

const size = { width: 720, height: 720 };
const header = 40;
const legendWidth = 150;
const radius = 2.6;

const ground: Readonly<Record<Theme, string>> = { light: "#ffffff", dark: "#14171c" };
const ink: Readonly<Record<Theme, string>> = { light: "#1b1f24", dark: "#e8eaed" };

interface Entry {
  readonly name: string;
  readonly color: string;
  readonly isRing: boolean;
}

const lineWidth = 2;

const cameraOf = ({ positions, bounds }: Picture): Camera =>
  fitted(bounds ?? boundsOf(positions) ?? { left: 0, right: 1, bottom: 0, top: 1 }, size);

function legend(picture: Picture): readonly Entry[] {
  const named = (picture.lines ?? []).filter(({ name }) => name !== "");
  return [...classEntries(picture), ...named.map(({ name, color }) => ({ name, color, isRing: false }))];
}

function classEntries({ coloring, theme }: Picture): readonly Entry[] {
  if (coloring.kind !== "classes") return [];
  const entries = coloring.classes.map(({ name }, k) => ({
    name,
    color: classColor(k, theme),
    isRing: isRing(k),
  }));
  const { rest } = coloring;
  return rest === undefined
    ? entries
    : [...entries, { name: rest.name, color: restColor(theme), isRing: false }];
}

const shortened = (name: string): string => (name.length > 18 ? `${name.slice(0, 17)}…` : name);
const digits = (value: number): string => String(Math.round(value * 100) / 100);

export function svgOf(picture: Picture): string {
  const { positions, coloring, theme, title } = picture;
  const entries = legend(picture);
  const width = size.width + (entries.length > 0 ? legendWidth : 0);
  const height = size.height + header;
  const camera = cameraOf(picture);
  const marks: string[] = [];
  for (let i = 0; 2 * i < positions.length; i++) {
    const [x, y] = toScreen(camera, size, positions[2 * i], positions[2 * i + 1]);
    const isHollow = coloring.kind === "classes" && isRing(coloring.classOf[i]);
    marks.push(mark(x, y + header, colorOfPoint(coloring, i, theme), isHollow));
  }
  const names = entries.map(
    ({ name, color, isRing: isHollow }, k) =>
      `${mark(size.width + 10, header + 20 + 22 * k, color, isHollow, 5)}<text x="${size.width + 22}" y="${header + 24.5 + 22 * k}">${escaped(shortened(name))}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="${ink[theme]}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" fill="${ground[theme]}"/>`,
    `<text x="14" y="26" font-size="16">${escaped(title)}</text>`,
    `<g fill-opacity="0.9">${marks.join("")}</g>`,
    ...svgLines(picture, camera),
    ...names,
    "</svg>\n",
  ].join("\n");
}

function svgLines({ lines = [] }: Picture, camera: Camera): readonly string[] {
  if (lines.length === 0) return [];
  const paths = lines.map(({ color, dash, points }) => {
    const corners: string[] = [];
    for (let k = 0; k + 1 < points.length; k += 2) {
      const [x, y] = toScreen(camera, size, points[k], points[k + 1]);
      corners.push(`${digits(x)},${digits(y + header)}`);
    }
    const dashes = dash === undefined ? "" : ` stroke-dasharray="${dash.join(" ")}"`;
    return `<polyline points="${corners.join(" ")}" stroke="${color}"${dashes}/>`;
  });
  return [
    `<clipPath id="plane"><rect y="${header}" width="${size.width}" height="${size.height}"/></clipPath>`,
    `<g clip-path="url(#plane)" fill="none" stroke-width="${lineWidth}">${paths.join("")}</g>`,
  ];
}

function mark(x: number, y: number, color: string, isHollow: boolean, r = radius): string {
  const style = isHollow ? `fill="none" stroke="${color}" stroke-width="1.3"` : `fill="${color}"`;
  return `<circle cx="${digits(x)}" cy="${digits(y)}" r="${r}" ${style}/>`;
}

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c] ?? c);

/** Of twice the SVG's resolution. */
export async function pngOf(picture: Picture): Promise<Blob> {
  const density = 2;
  const { positions, coloring, theme, title } = picture;
  const entries = legend(picture);
  const width = size.width + (entries.length > 0 ? legendWidth : 0);
  const canvas = document.createElement("canvas");
  canvas.width = width * density;
  canvas.height = (size.height + header) * density;
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("This browser gives no canvas to draw the picture on.");
  context.scale(density, density);
  context.fillStyle = ground[theme];
  context.fillRect(0, 0, width, size.height + header);
  context.fillStyle = ink[theme];
  context.font = "16px system-ui, sans-serif";
  context.fillText(title, 14, 26);
  context.font = "13px system-ui, sans-serif";
  entries.forEach(({ name, color, isRing: isHollow }, k) => {
    const [x, y] = [size.width + 10, header + 20 + 22 * k];
    context.beginPath();
    context.arc(x, y, 5, 0, 2 * Math.PI);
    context.fillStyle = color;
    context.strokeStyle = color;
    if (isHollow) context.stroke();
    else context.fill();
    context.fillStyle = ink[theme];
    context.fillText(shortened(name), x + 12, y + 4.5);
  });
  const camera = cameraOf(picture);
  const shifted = { ...camera, y: camera.y + header / 2 / camera.scale };
  const frame = {
    camera: shifted,
    size: { width: size.width, height: size.height + header },
    density,
    radius,
  };
  paintPoints(context, positions, looksOf(coloring, Math.floor(positions.length / 2), theme), frame);
  paintLines(context, picture, camera, density);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) =>
      blob === null ? reject(new Error("The picture could not be made.")) : resolve(blob),
    );
  });
}

function paintLines(
  context: CanvasRenderingContext2D,
  { lines = [] }: Picture,
  camera: Camera,
  density: number,
): void {
  context.setTransform(density, 0, 0, density, 0, header * density);
  context.beginPath();
  context.rect(0, 0, size.width, size.height);
  context.clip();
  context.lineWidth = lineWidth;
  for (const { color, dash = [], points } of lines) {
    context.beginPath();
    for (let k = 0; k + 1 < points.length; k += 2)
      context.lineTo(...toScreen(camera, size, points[k], points[k + 1]));
    context.strokeStyle = color;
    context.setLineDash([...dash]);
    context.stroke();
  }
}
