/**
 * A solution Q as a heat map in the order of its manifolds, beside the points: in the plane of its leading eigenvectors, each
 * component by itself where there are several, or as they were given where the blocks of the components are constant.
 */

import type { DenseMatrix } from "@curvature/linalg";
import {
  type Box,
  type Coloring,
  coloringOf,
  fitPoints,
  header,
  heatColor,
  ink,
  legendOf,
  type MapPicture,
  margin,
  marks,
  planeOf,
  pointMarks,
  quiet,
  short,
  shortened,
  svgPage,
  svgText,
  textWidth,
} from "@curvature/map-view/pictures";
import { count } from "../run/terminal.js";
import { componentPanels, type Panel } from "./component-panels.js";
import { pngOfPixels } from "./raster.js";

export interface SolutionData extends MapPicture {
  /** Means of Q over cells, m × m, rows and columns in the order of the picture. */
  readonly cells: DenseMatrix;
  /** Points of each component, in that order. */
  readonly parts: readonly number[];
  /** What `map` is: of Q as a whole, of each component's block, or the points' own plane. */
  readonly kind: "together" | "apart" | "points";
  readonly componentOf: Int32Array;
  /** What points with an empty label are called. */
  readonly unlabelled: string | undefined;
}

const headings = {
  together: "The points by Q's leading eigenvectors",
  apart: "Each component by the leading eigenvectors of its block",
  points: "The points, by their principal components",
} as const;

const side = 640;
const top = header + 24;
const barWidth = 14;
const barGap = 18;
const panelGap = 56;
/** More components than these have no frames of their own. */
const maxFrames = 60;

export function svgSolution(data: SolutionData): string {
  const { map, labels, title, subtitle, cells, parts, kind } = data;
  const largest = cells.data.reduce((a, b) => Math.max(a, b), 0);
  const bar = colorBar(margin + side + barGap, largest);
  const left = margin + side + barGap + bar.width + panelGap;
  const coloring = coloringOf(map.rows, labels, { unlabelled: data.unlabelled });
  const { box, pixels, panels } = sceneAt(data, coloring, left);
  const legend = labels === undefined ? { width: 0, markup: "" } : legendOf(data, coloring, box);
  const width = box.left + box.width + legend.width + margin;
  const height = Math.max(top + side, box.top + box.height) + margin;
  const heading = (x: number, words: string): string =>
    svgText(x, header + 4, words, `font-size="13" font-weight="bold" fill="${ink}"`);
  const body = [
    heading(margin, "Q, the points by component"),
    heatMap(cells, largest),
    frames(parts),
    bar.markup,
    heading(left, headings[kind]),
    panels.map(framed).join("\n"),
    marks(coloring, map.rows),
    pointMarks(pixels, coloring, undefined),
    legend.markup,
  ];
  return svgPage({ title, subtitle, width, height, body });
}

function sceneAt(
  { map, kind, componentOf }: SolutionData,
  coloring: Coloring,
  left: number,
): { box: Box; pixels: Float64Array; panels: readonly Panel[] } {
  const corner = { left, top };
  if (kind !== "apart") return { ...fitPoints(planeOf(map, coloring), corner), panels: [] };
  const box = { ...corner, width: side, height: side };
  return { box, ...componentPanels(map, componentOf, box) };
}

/** The frame of a component, with its name and size. */
function framed({ component, points, box }: Panel): string {
  const { left, top: y, width, height } = box;
  const words = shortened(
    `${component} · ${count(points)} ${points === 1 ? "point" : "points"}`,
    width - 12,
    12,
  );
  return (
    `<rect x="${short(left)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" fill="none" stroke="${quiet}" stroke-width="0.5"/>` +
    svgText(left + 6, y + 16, words, `font-size="12" fill="${quiet}"`)
  );
}

/** Small entries show, too: the colour goes with the root. */
const shade = (entry: number, largest: number): number =>
  largest > 0 ? Math.sqrt(Math.max(0, entry) / largest) : 0;

function heatMap({ rows, data }: DenseMatrix, largest: number): string {
  const colors = new Uint8Array(3 * data.length);
  for (let k = 0; k < data.length; k++) colors.set(heatColor(shade(data[k], largest)), 3 * k);
  const picture = pngOfPixels(rows, rows, colors).toString("base64");
  return `<image x="${margin}" y="${top}" width="${side}" height="${side}" preserveAspectRatio="none" image-rendering="optimizeSpeed" href="data:image/png;base64,${picture}"/>`;
}

/** A frame around the whole, and around each component where there are some. */
function frames(parts: readonly number[]): string {
  const frame = (x: number, y: number, size: number, color: string): string =>
    `<rect x="${short(x)}" y="${short(y)}" width="${short(size)}" height="${short(size)}" fill="none" stroke="${color}"/>`;
  const all = frame(margin, top, side, quiet);
  if (parts.length < 2 || parts.length > maxFrames) return all;
  const points = parts.reduce((sum, part) => sum + part, 0);
  let before = 0;
  const inner = parts.map((part) => {
    const offset = (side * before) / points;
    before += part;
    return frame(margin + offset, top + offset, (side * part) / points, "#e76300");
  });
  return [all, ...inner].join("\n");
}

function colorBar(left: number, largest: number): { width: number; markup: string } {
  const height = 220;
  const hex = (share: number): string =>
    `#${heatColor(share)
      .map((channel) => channel.toString(16).padStart(2, "0"))
      .join("")}`;
  const stops = Array.from(
    { length: 9 },
    (_, k) => `<stop offset="${k / 8}" stop-color="${hex(1 - k / 8)}"/>`,
  );
  const ticks = [1, 0.5, 0.25, 0.1, 0].map((share) => {
    const y = top + height * (1 - Math.sqrt(share));
    const words = String(Number((share * largest).toPrecision(2)));
    return {
      width: textWidth(words, 12),
      markup:
        `<path d="M${left + barWidth} ${short(y)}h5" stroke="${quiet}"/>` +
        svgText(left + barWidth + 9, y + 4.3, words, `font-size="12" fill="${ink}"`),
    };
  });
  return {
    width: Math.ceil(barWidth + 9 + Math.max(...ticks.map((tick) => tick.width))),
    markup:
      `<defs><linearGradient id="heat" x2="0" y2="1">${stops.join("")}</linearGradient></defs>` +
      `<rect x="${left}" y="${top}" width="${barWidth}" height="${height}" fill="url(#heat)" stroke="${quiet}" stroke-width="0.5"/>` +
      ticks.map((tick) => tick.markup).join(""),
  };
}
