/**
 * Curves, a panel for each quantity: the panels stand one above the other, and share the axis below them unless they
 * name one of their own.
 */

import {
  classColors,
  header,
  ink,
  margin,
  quiet,
  short,
  svgPage,
  svgText,
  textWidth,
} from "@curvature/map-view/pictures";
import { shortNumber } from "../run/terminal.js";

interface ChartPoint {
  readonly x: number;
  readonly y: number;
}

interface Panel {
  readonly title: string;
  /** At least one, with at least one point each; x rising and, but where the axis is free, of at least 0; all finite. */
  readonly lines: readonly {
    readonly name: string;
    readonly points: readonly ChartPoint[];
    /** To compare with: dashed and grey, without a name in the legend. */
    readonly isReference?: boolean;
  }[];
  /** Of an axis of its own. */
  readonly xTitle?: string;
  /** Powers of ten as far apart as each other; y above 0. */
  readonly isLogarithmic?: boolean;
  /** Marks without a line between them. */
  readonly scatter?: readonly ChartPoint[];
  /** Shaded, from left to right. */
  readonly band?: readonly { readonly x: number; readonly low: number; readonly high: number }[];
  /** Whether its own axis begins where its lines do, and not at 0. */
  readonly isFree?: boolean;
  readonly height?: number;
}

export interface ChartData {
  readonly title: string;
  readonly subtitle: string;
  /** Of the axis that panels without a title of their own share. */
  readonly xTitle: string;
  readonly panels: readonly Panel[];
}

const plotWidth = 760;
const panelHeight = 250;
const panelGap = 48;
const axisTitleHeight = 34;
const tickSize = 12;
const grid = "#e5e7eb";
/** As many marks as stay apart. */
const maxMarks = 60;

export function svgChart({ title, subtitle, xTitle, panels: raw }: ChartData): string {
  const panels = raw.map((panel) => (panel.isLogarithmic ? inLogarithms(panel) : panel));
  const yTicks = panels.map(({ lines, scatter = [], band = [], isLogarithmic }) => {
    const values = [
      ...[...lines.flatMap(({ points }) => points), ...scatter].map(({ y }) => y),
      ...band.flatMap(({ low, high }) => [low, high]),
    ];
    return isLogarithmic ? decades(values, 6) : ticks(values, 5);
  });
  const shared = panels.filter((panel) => panel.xTitle === undefined);
  const along = (of: typeof panels): Scale => {
    const all = places(of);
    return ticks(all, 8, all.every(Number.isInteger));
  };
  const sharedTicks = along(shared);
  const xTicks = panels.map((panel) => (panel.xTitle === undefined ? sharedTicks : along([panel])));
  const gapBelow = panels.map((panel) => panelGap + (panel.xTitle === undefined ? 0 : axisTitleHeight));
  const heights = panels.map((panel) => panel.height ?? panelHeight);
  const heightOf = (count: number): number =>
    gapBelow.slice(0, count).reduce((sum, gap, k) => sum + heights[k] + gap, 0);
  const tops = panels.map((_, k) => header + 20 + heightOf(k));
  const left =
    margin +
    Math.ceil(Math.max(...yTicks.flatMap(({ names }) => names.map((name) => textWidth(name, tickSize))))) +
    8;
  const width = Math.max(
    left + plotWidth + margin,
    Math.min(1000, Math.ceil(textWidth(subtitle, 13)) + 2 * margin),
  );
  const height = header + heightOf(panels.length) + margin;
  const drawn = panels.map(({ title: name, lines, scatter = [], band = [], xTitle: ownTitle }, k) => {
    const top = tops[k];
    const bottom = top + heights[k];
    const place = (scale: Scale, value: number, from: number, to: number): number =>
      from + ((value - scale.low) / (scale.high - scale.low)) * (to - from);
    const x = (value: number): number => place(xTicks[k], value, left, left + plotWidth);
    const y = (value: number): number => place(yTicks[k], value, bottom, top);
    return [
      svgText(left, top - 12, name, `font-size="13" font-weight="bold" fill="${ink}"`),
      ...yTicks[k].values.map(
        (value, n) =>
          `<path d="M${left} ${short(y(value))}h${plotWidth}" stroke="${grid}"/>` +
          svgText(
            left - 8,
            y(value) + 4.3,
            yTicks[k].names[n],
            `font-size="${tickSize}" text-anchor="end" fill="${quiet}"`,
          ),
      ),
      ...xTicks[k].values.map((value, n) =>
        svgText(
          x(value),
          bottom + 18,
          xTicks[k].names[n],
          `font-size="${tickSize}" text-anchor="middle" fill="${quiet}"`,
        ),
      ),
      ...(band.length > 1
        ? [shade(band.map((each) => ({ x: x(each.x), low: y(each.low), high: y(each.high) })))]
        : []),
      ...(scatter.length > 0 ? [scatter.map((point) => dot(x(point.x), y(point.y))).join("")] : []),
      ...lines.map(({ points, isReference }, n) => {
        const placed = points.map((point) => ({ x: x(point.x), y: y(point.y) }));
        return isReference ? reference(placed) : curve(placed, colorOf(n));
      }),
      ownTitle === undefined ? "" : axisTitle(ownTitle, left + plotWidth / 2, bottom + 38),
      named(lines).length > 1
        ? legend(
            named(lines).map((line) => line.name),
            left + plotWidth,
            top - 12,
          )
        : "",
    ].join("\n");
  });
  const body = [
    ...drawn,
    shared.length === 0 ? "" : axisTitle(xTitle, left + plotWidth / 2, height - margin + 10),
  ];
  return svgPage({ title, subtitle, width, height, body });
}

const axisTitle = (title: string, x: number, y: number): string =>
  svgText(x, y, title, `font-size="13" text-anchor="middle" fill="${ink}"`);

/** All x of panels that share an axis, and 0 where it begins there. */
const places = (panels: readonly Panel[]): number[] => [
  ...(panels.every(({ isFree }) => isFree) && panels.length > 0 ? [] : [0]),
  ...panels.flatMap(({ lines, scatter = [] }) =>
    [...lines.flatMap(({ points }) => points), ...scatter].map(({ x }) => x),
  ),
];

const inLogarithms = (panel: Panel): Panel => ({
  ...panel,
  lines: panel.lines.map(({ name, points }) => ({
    name,
    points: points.map(({ x, y }) => ({ x, y: Math.log10(y) })),
  })),
});

export const colorOf = (line: number): string => classColors[line % classColors.length];

/** The lines' names in their colours, from the right. */
export function legend(names: readonly string[], right: number, y: number): string {
  let place = right;
  const marks: string[] = [];
  for (const [k, name] of [...names.entries()].reverse()) {
    marks.push(svgText(place, y, name, `font-size="13" text-anchor="end" fill="${ink}"`));
    place -= textWidth(name, 13) + 12;
    marks.push(`<circle cx="${short(place + 2)}" cy="${short(y - 4.5)}" r="5" fill="${colorOf(k)}"/>`);
    place -= 22;
  }
  return marks.join("");
}

/** References come last, so that the others have the colours of their names. */
const named = (lines: Panel["lines"]): Panel["lines"] => lines.filter(({ isReference }) => !isReference);

const pathOf = (points: readonly ChartPoint[]): string =>
  points.map(({ x, y }) => `${short(x)} ${short(y)}`).join("L");

const reference = (points: readonly ChartPoint[]): string =>
  `<path d="M${pathOf(points)}" fill="none" stroke="${quiet}" stroke-width="1.2" stroke-dasharray="5 4"/>`;

const dot = (x: number, y: number): string =>
  `<circle cx="${short(x)}" cy="${short(y)}" r="3.5" fill="${ink}" fill-opacity="0.55"/>`;

/** In the colour of the first line. */
function shade(band: readonly { readonly x: number; readonly low: number; readonly high: number }[]): string {
  const above = band.map(({ x, high }) => ({ x, y: high }));
  const below = [...band].reverse().map(({ x, low }) => ({ x, y: low }));
  return `<path d="M${pathOf([...above, ...below])}Z" fill="${colorOf(0)}" fill-opacity="0.18"/>`;
}

/** A line, with a mark at each point while they are few. */
function curve(points: readonly ChartPoint[], color: string): string {
  const path = pathOf(points);
  const line = `<path d="M${path}" fill="none" stroke="${color}" stroke-width="2" stroke-linejoin="round"/>`;
  if (points.length > maxMarks) return line;
  return (
    line +
    points.map(({ x, y }) => `<circle cx="${short(x)}" cy="${short(y)}" r="3" fill="${color}"/>`).join("")
  );
}

interface Scale {
  readonly low: number;
  readonly high: number;
  readonly values: readonly number[];
  readonly names: readonly string[];
}

/** Below it a tenth of a number may be 0. */
const tiny = 1e-290;

/**
 * About `wanted` round numbers (1, 2 or 5 times a power of ten apart) that hold all values between them; of whole numbers, as
 * dimensions, they are whole, too.
 */
export function ticks(numbers: readonly number[], wanted: number, areWhole = false): Scale {
  const least = numbers.reduce((a, b) => Math.min(a, b));
  const most = numbers.reduce((a, b) => Math.max(a, b));
  const size = Math.max(Math.abs(least), Math.abs(most));
  const isZero = size < tiny;
  // Halves: a whole span may overflow.
  const isFlat = isZero || most / 2 - least / 2 <= 1e-9 * size;
  const pad = isFlat ? (isZero ? 1 : size / 2) : 0;
  const span = most / wanted - least / wanted + (2 * pad) / wanted;
  const power = 10 ** Math.floor(Math.log10(span));
  const round = power * ([1, 2, 5, 10].find((factor) => factor * power >= span) ?? 10);
  const step = areWhole ? Math.max(1, round) : round;
  const first = Math.floor((least - pad) / step);
  const last = Math.max(first + 1, Math.ceil((most + pad) / step));
  const values = Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step);
  return {
    low: values[0],
    high: values[values.length - 1],
    values,
    names: values.map((value) => nameOf(value, step)),
  };
}

/** Powers of ten, about `wanted` of them, that hold all values between them; of logarithms. */
function decades(logarithms: readonly number[], wanted: number): Scale {
  const low = Math.floor(logarithms.reduce((a, b) => Math.min(a, b)));
  const most = Math.max(low + 1, Math.ceil(logarithms.reduce((a, b) => Math.max(a, b))));
  const step = Math.ceil((most - low) / wanted);
  const values = Array.from({ length: Math.ceil((most - low) / step) + 1 }, (_, k) => low + k * step);
  return { low, high: values[values.length - 1], values, names: values.map((power) => powerName(power)) };
}

const powerName = (power: number): string =>
  power >= -3 && power <= 5 ? String(Number(`1e${power}`)) : `1e${power}`;

/** With as many decimals as the step needs. */
function nameOf(value: number, step: number): string {
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const size = Math.abs(value);
  return decimals > 6 || size >= 1e7 ? shortNumber(value) : value.toFixed(decimals);
}
