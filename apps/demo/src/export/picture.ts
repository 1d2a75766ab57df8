/** A scatterplot as a picture to keep, with lines where there are some, and a legend: SVG. */
import { type Bounds, boundsOf, type Camera, fitted, toScreen } from "../plot/camera.js";
import { type Coloring, colorOfPoint } from "../plot/coloring.js";
import { classColor, isRing, restColor } from "../plot/palette.js";
import type { Theme } from "../shell/theme.js";
import { digits, escaped, svgOf } from "./svg.js";

/** A line through points of the plane. */
export interface PictureLine {
  /** In the legend; "" for none. */
  readonly name: string;
  /** "#rrggbb" */
  readonly color: string;
  readonly dash?: readonly number[] | undefined;
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
const lineWidth = 2;

interface Entry {
  readonly name: string;
  readonly color: string;
  readonly isRing: boolean;
}

function legend({ coloring, theme, lines = [] }: Picture): readonly Entry[] {
  const entries: Entry[] = [];
  if (coloring.kind === "classes") {
    for (const [k, { name }] of coloring.classes.entries())
      entries.push({ name, color: classColor(k, theme), isRing: isRing(k) });
    if (coloring.rest !== undefined)
      entries.push({ name: coloring.rest.name, color: restColor(theme), isRing: false });
  }
  for (const { name, color } of lines) if (name !== "") entries.push({ name, color, isRing: false });
  return entries;
}

const shortened = (name: string): string => (name.length > 18 ? `${name.slice(0, 17)}…` : name);

export function pictureSvg(picture: Picture): string {
  const { positions, coloring, theme, title, bounds } = picture;
  const entries = legend(picture);
  const camera = fitted(bounds ?? boundsOf(positions) ?? { left: 0, right: 1, bottom: 0, top: 1 }, size);
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
  const width = size.width + (entries.length > 0 ? legendWidth : 0);
  return svgOf({ box: [0, 0, width, size.height + header], title, theme }, [
    `<text x="14" y="26" font-size="16">${escaped(title)}</text>`,
    `<g fill-opacity="0.9">${marks.join("")}</g>`,
    ...paths(picture, camera),
    ...names,
  ]);
}

function paths({ lines = [] }: Picture, camera: Camera): readonly string[] {
  if (lines.length === 0) return [];
  const drawn = lines.map(({ color, dash, points }) => {
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
    `<g clip-path="url(#plane)" fill="none" stroke-width="${lineWidth}">${drawn.join("")}</g>`,
  ];
}

function mark(x: number, y: number, color: string, isHollow: boolean, r = radius): string {
  const style = isHollow ? `fill="none" stroke="${color}" stroke-width="1.3"` : `fill="${color}"`;
  return `<circle cx="${digits(x)}" cy="${digits(y)}" r="${r}" ${style}/>`;
}
