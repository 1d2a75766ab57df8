/**
 * Sixteen colours of one lightness: eleven hues, four greyish ones, and grey. They differ in two ways, hue and
 * strength, which is what a map in the plane can show.
 *
 * The rule is the distance in OKLab (Ottosson: A perceptual color space for image processing, 2020), made to follow
 * what people see.
 */
import { channelsOf } from "../../plot/palette.js";
import type { DrawnSet } from "./drawn-set.js";

const colors = [
  ["rose", "#ea8599"],
  ["salmon", "#ea8b69"],
  ["amber", "#d79b43"],
  ["olive", "#b2ac45"],
  ["green", "#7eba6c"],
  ["jade", "#3cc19e"],
  ["turquoise", "#00becc"],
  ["sky blue", "#4eb3ec"],
  ["blue", "#89a3f6"],
  ["violet", "#b794e9"],
  ["orchid", "#d888c6"],
  ["greyish rose", "#c79aa1"],
  ["greyish olive", "#b1a981"],
  ["greyish jade", "#80b3ae"],
  ["greyish blue", "#9fa5cb"],
  ["grey", "#a8a8a8"],
] as const;

/** L, a, b of "#rrggbb". */
function oklab(color: string): readonly [number, number, number] {
  const [red, green, blue] = channelsOf(color).map((value) => linear(value / 255));
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** sRGB's curve undone. */
const linear = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

const places = colors.map(([, color]) => oklab(color));

export const colorSet: DrawnSet = {
  name: "colours",
  things: colors.map(([name, color]) => ({ name, drawing: { kind: "disc", color } })),
  rule: "the colours' distance in OKLab",
  distance: (i, j) => Math.hypot(...places[i].map((value, c) => value - places[j][c])),
  compass: Float64Array.from(places.flatMap(([, a, b]) => [a, -b])),
};
