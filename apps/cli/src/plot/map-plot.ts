/**
 * A map as a picture for a page: points coloured by label, names where the classes are, a legend beside them.
 */
import { count as grouped, printable, shortNumber } from "../run/terminal.js";
import { type Coloring, coloringOf, type PlotClass } from "./coloring.js";
import {
  type Box,
  type ClassName,
  drawingOrder,
  fitPoints,
  type PlotData,
  placeClassNames,
  planeOf,
  pointOpacity,
  pointRadius,
} from "./layout.js";
import { svgPage } from "./page.js";
import { scaleColor } from "./palette.js";
import { type Frame, maxNamedPoints, placePointNames } from "./point-names.js";
import {
  escaped,
  header,
  ink,
  margin,
  quiet,
  short,
  shortened,
  shortenedWithin,
  text,
  textWidth,
} from "./svg.js";

const legendGap = 28;
const rowHeight = 24;
const nameSize = 17;
const pointNameSize = 13;

export function svgPlot(data: PlotData): string {
  const { map, labels, names: pointNames, title, subtitle, background } = data;
  const coloring = coloringOf(map.rows, labels, undefined, background);
  const { box, pixels } = fitPoints(planeOf(map, coloring), { left: margin, top: header });
  const ofClasses =
    coloring.scale === undefined ? placeClassNames(pixels, coloring, nameSize, widened(box, margin / 2)) : [];
  const legend = labels === undefined ? { width: 0, markup: "" } : legendOf(data, coloring, box);
  const content = box.left + box.width + legend.width + margin;
  const width = Math.max(content, Math.min(1000, Math.ceil(textWidth(subtitle, 13)) + 2 * margin));
  const height = box.top + box.height + margin;
  const body = [
    marks(coloring, map.rows),
    pointMarks(pixels, coloring, pointNames, background),
    pointNames === undefined || map.rows > maxNamedPoints
      ? ""
      : namesOfPoints(pixels, pointNames, box, ofClasses.map(frameOf(coloring))),
    namesOfClasses(ofClasses, coloring),
    legend.markup,
  ];
  return svgPage({ title, subtitle, width, height, body });
}

/** One mark per class, to be used by its points. */
export function marks({ classes }: Coloring, rows: number): string {
  const radius = pointRadius(rows);
  const opacity = pointOpacity(rows);
  return `<defs>${classes.map((c, k) => `<g id="c${k}">${mark(c, radius, opacity)}</g>`).join("")}</defs>`;
}

function mark({ color, ring }: PlotClass, radius: number, opacity: number): string {
  if (!ring) return `<circle r="${short(radius)}" fill="${color}" fill-opacity="${short(opacity)}"/>`;
  const line = Math.max(0.7, 0.4 * radius);
  return `<circle r="${short(radius - line / 2)}" fill="#ffffff" fill-opacity="0.5" stroke="${color}" stroke-width="${short(line)}" stroke-opacity="${short(opacity)}"/>`;
}

export function pointMarks(
  pixels: Float64Array,
  { classOf }: Coloring,
  names: readonly string[] | undefined,
  background = 0,
): string {
  const uses: string[] = [];
  for (const n of drawingOrder(classOf.length, background)) {
    const place = `href="#c${classOf[n]}" x="${short(pixels[2 * n])}" y="${short(pixels[2 * n + 1])}"`;
    const name = names === undefined ? "/>" : `><title>${escaped(names[n])}</title></use>`;
    uses.push(`<use ${place}${name}`);
  }
  return `<g>\n${uses.join("\n")}\n</g>`;
}

const halo = `stroke="#ffffff" stroke-opacity="0.9" stroke-width="4" stroke-linejoin="round" paint-order="stroke"`;

function namesOfPoints(
  pixels: Float64Array,
  names: readonly string[],
  box: Box,
  taken: readonly Frame[],
): string {
  const shown = names.map((name) => shortenedWithin(printable(name).trim(), 180, pointNameSize));
  const places = placePointNames(
    pixels,
    shown.map((name) => (name === "" ? 0 : textWidth(name, pointNameSize))),
    { fontSize: pointNameSize, radius: pointRadius(names.length), bounds: widened(box, margin - 8), taken },
  );
  const style = `font-size="${pointNameSize}" fill="${ink}" ${halo}`;
  return places.map(({ index, x, y }) => text(x, y, shown[index], style)).join("\n");
}

const widened = ({ left, top, width, height }: Box, by: number): Box => ({
  left: left - by,
  top: top - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

/** What a class's name covers with its halo; bold letters are wider. */
const frameOf =
  ({ classes }: Coloring) =>
  ({ index, x, y }: ClassName): Frame => {
    const [across, up] = [0.55 * textWidth(classes[index].name, nameSize) + 2, 0.55 * nameSize + 2];
    return [x - across, y - up, x + across, y + up];
  };

function namesOfClasses(places: readonly ClassName[], { classes }: Coloring): string {
  const style = `font-size="${nameSize}" font-weight="bold" text-anchor="middle" fill="${ink}" ${halo}`;
  return places.map(({ index, x, y }) => text(x, y + 0.36 * nameSize, classes[index].name, style)).join("\n");
}

export interface Legend {
  readonly width: number;
  readonly height: number;
  readonly markup: string;
}

export function legendOf(data: Pick<PlotData, "labelName">, coloring: Coloring, box: Box): Legend {
  const left = box.left + box.width + legendGap;
  const heading = text(
    left,
    box.top + 12,
    shortened(data.labelName, 220, 13),
    `font-size="13" font-weight="bold" fill="${ink}"`,
  );
  const body =
    coloring.scale === undefined ? classLegend(coloring, left, box) : scaleLegend(coloring, left, box);
  const width = Math.max(body.width, textWidth(shortened(data.labelName, 220, 13), 13));
  return {
    width: Math.ceil(width) + legendGap,
    height: body.height,
    markup: `<g>${heading}${body.markup}</g>`,
  };
}

function classLegend({ classes }: Coloring, left: number, box: Box): Legend {
  const entries = classes.map((c) => ({
    mark: mark(c, 5.5, 1),
    name: shortenedWithin(c.name, 230, 13),
    amount: grouped(c.count),
  }));
  const nameWidth = Math.max(...entries.map(({ name }) => textWidth(name, 13)));
  const amountWidth = Math.max(...entries.map(({ amount }) => textWidth(amount, 11)));
  const width = 18 + nameWidth + 10 + amountWidth;
  const rows = entries.map((entry, k) => {
    const y = box.top + 40 + k * rowHeight;
    return [
      `<g transform="translate(${left + 6} ${y - 4.5})">${entry.mark}</g>`,
      text(left + 18, y, entry.name, `font-size="13" fill="${ink}"`),
      text(left + width, y, entry.amount, `font-size="11" text-anchor="end" fill="${quiet}"`),
    ].join("");
  });
  return { width, height: 40 + entries.length * rowHeight, markup: rows.join("") };
}

function scaleLegend({ scale, classes }: Coloring, left: number, box: Box): Legend {
  if (scale === undefined) return { width: 0, height: 0, markup: "" };
  const top = box.top + 30;
  const height = 220;
  const stops = Array.from(
    { length: 9 },
    (_, k) => `<stop offset="${k / 8}" stop-color="${scaleColor(1 - k / 8)}"/>`,
  );
  const ticks = Array.from({ length: 5 }, (_, k) => {
    const y = top + (height * k) / 4;
    const value = shortNumber(scale.high + (scale.low - scale.high) * (k / 4));
    const line = `<path d="M${left + 16} ${short(y)}h5" stroke="${quiet}"/>`;
    return {
      width: textWidth(value, 12),
      markup: line + text(left + 26, y + 4.3, value, `font-size="12" fill="${ink}"`),
    };
  });
  const missing = classes.find(({ name }) => name !== "");
  const rest =
    missing === undefined
      ? ""
      : `<g transform="translate(${left + 7} ${top + height + 28})">${mark(missing, 5.5, 1)}</g>` +
        text(left + 26, top + height + 32.5, missing.name, `font-size="12" fill="${ink}"`);
  return {
    width: 26 + Math.max(...ticks.map((tick) => tick.width), missing === undefined ? 0 : 56),
    height: 30 + height + (missing === undefined ? 10 : 40),
    markup:
      `<defs><linearGradient id="scale" x2="0" y2="1">${stops.join("")}</linearGradient></defs>` +
      `<rect x="${left}" y="${top}" width="14" height="${height}" rx="2" fill="url(#scale)"/>` +
      ticks.map((tick) => tick.markup).join("") +
      rest,
  };
}
