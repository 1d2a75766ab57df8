/** Coefficients as bars from 0, one below the other, with their intervals; of several classes a bar for each in its colour. */

import {
  header,
  ink,
  margin,
  quiet,
  short,
  shortened,
  shortenedWithin,
  svgPage,
  svgText,
  textWidth,
} from "@curvature/map-view/pictures";
import { colorOf, legend, ticks } from "./line-chart.js";

export interface CoefficientChart {
  readonly title: string;
  readonly subtitle: string;
  /** Of the axis. */
  readonly xTitle: string;
  /** One, or one for each class. */
  readonly classes: readonly string[];
  /** At least one. */
  readonly bars: readonly {
    readonly name: string;
    /** By class. */
    readonly values: readonly number[];
    /** Half the interval's length, where it is known. */
    readonly within: readonly (number | undefined)[];
  }[];
}

const plotWidth = 620;
const nameWidth = 240;
const barHeight = 11;
const gap = 9;
const grid = "#e5e7eb";

export function svgCoefficients({ title, subtitle, xTitle, classes, bars }: CoefficientChart): string {
  const ends = bars.flatMap(({ values, within }) =>
    values.flatMap((value, k) => [value - (within[k] ?? 0), value + (within[k] ?? 0)]),
  );
  const scale = ticks([0, ...ends], 8);
  const names = bars.map(({ name }) => shortenedWithin(name, nameWidth, 13));
  const left = margin + Math.ceil(Math.max(...names.map((name) => textWidth(name, 13)))) + 12;
  const room = (left + plotWidth - margin) / classes.length - 34;
  const legible = classes.map((name) => shortened(name, room, 13));
  const top = header + (classes.length > 1 ? 28 : 4);
  const height = classes.length * barHeight + gap;
  const bottom = top + bars.length * height;
  const x = (value: number): number => left + ((value - scale.low) / (scale.high - scale.low)) * plotWidth;
  const body = [
    classes.length > 1 ? legend(legible, left + plotWidth, header) : "",
    ...scale.values.map(
      (value, n) =>
        `<path d="M${short(x(value))} ${top}V${bottom}" stroke="${grid}"/>` +
        svgText(x(value), bottom + 18, scale.names[n], `font-size="12" text-anchor="middle" fill="${quiet}"`),
    ),
    ...bars.map(({ values, within }, n) => {
      const from = top + n * height + gap / 2;
      const middle = from + (classes.length * barHeight) / 2;
      return [
        svgText(left - 10, middle + 4.5, names[n], `font-size="13" text-anchor="end" fill="${ink}"`),
        ...values.map((value, k) => bar(x(0), x(value), from + k * barHeight, colorOf(k))),
        ...values.map((value, k) => {
          const half = within[k];
          if (half === undefined) return "";
          return whisker(x(value - half), x(value + half), from + (k + 0.5) * barHeight);
        }),
      ].join("");
    }),
    `<path d="M${short(x(0))} ${top}V${bottom}" stroke="${quiet}"/>`,
    svgText(left + plotWidth / 2, bottom + 42, xTitle, `font-size="13" text-anchor="middle" fill="${ink}"`),
  ];
  return svgPage({ title, subtitle, width: left + plotWidth + margin, height: bottom + 42 + margin, body });
}

const bar = (zero: number, end: number, y: number, color: string): string =>
  `<rect x="${short(Math.min(zero, end))}" y="${short(y + 1)}" width="${short(Math.abs(end - zero))}" height="${barHeight - 2}" fill="${color}"/>`;

/** A line over the interval, with short ends. */
const whisker = (low: number, high: number, y: number): string =>
  `<path d="M${short(low)} ${short(y)}H${short(high)}M${short(low)} ${short(y - 3)}v6M${short(high)} ${short(y - 3)}v6" fill="none" stroke="${ink}" stroke-width="1.2"/>`;
