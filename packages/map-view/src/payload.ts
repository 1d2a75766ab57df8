/** What a viewer is given of a map: plain JSON, its texts without what could steer a screen. */
import { printable } from "@curvature/linalg";
import { powersBelow, scaleTicks } from "./coloring.js";
import { drawingOrder, imageSide, pictureColoring, planeOf, pointOpacity, pointRadius } from "./layout.js";
import type { MapPicture, NamedColumn } from "./map.js";
import { scaleColor } from "./palette.js";
import { shortened } from "./svg.js";
import type { Payload } from "./viewer/payload.js";

/** Of the widest picture without a long legend: words beyond it are cut, as there. */
const headingWidth = 928;

export const pageTitle = (title: string): string => shortened(printable(title), headingWidth, 22);

export function payloadOf(data: MapPicture): Payload {
  const { map, labels, labelName, color, names, title, subtitle, background, details = [], neighbors } = data;
  const { regions, images } = data;
  const coloring = pictureColoring(data);
  const { classes, classOf, scale } = coloring;
  const axes = map.columns === 3 ? 3 : 2;
  const points = axes === 3 ? map.data : planeOf(map, coloring);
  const labelColumn = labels === undefined ? [] : [{ name: labelName, values: labels }];
  return {
    title: pageTitle(title),
    subtitle: shortened(printable(subtitle), headingWidth, 13),
    legendName: printable(color?.name ?? labelName),
    axes,
    points: rounded(points, axes),
    names: names?.map(printable) ?? null,
    columns: withoutRepeats([...labelColumn, ...(color === undefined ? [] : [color]), ...details]),
    neighbors:
      neighbors === undefined ? null : { count: neighbors.count, indices: Array.from(neighbors.indices) },
    classes: classes.map(({ name, color, shape, count }) => ({ name: printable(name), color, shape, count })),
    classOf: Array.from(classOf),
    order: Array.from(drawingOrder(map.rows, background)),
    scale:
      scale === undefined
        ? null
        : {
            ticks: scaleTicks(scale),
            colors: Array.from({ length: 9 }, (_, k) => scaleColor(k / 8)),
          },
    hasLegend: (color ?? labels) !== undefined,
    ...(regions === undefined
      ? {}
      : {
          regions: {
            ellipses: Array.from(regions.ellipses, (value) => Number(value.toPrecision(6))),
            isMeaningless: regions.isMeaningless,
          },
        }),
    ...(images === undefined ? {} : { images: { urls: images, side: imageSide(map.rows) } }),
    radius: pointRadius(map.rows),
    opacity: pointOpacity(map.rows),
  };
}

/**
 * To a millionth of each axis's span, and as the map's own coordinates: far from 0 (metres of a grid, times in ms) six digits of
 * the number itself would be one place for all.
 */
function rounded(points: Float64Array, axes: number): number[] {
  const digits = Array.from({ length: axes }, (_, axis) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let k = axis; k < points.length; k += axes)
      [low, high] = [Math.min(low, points[k]), Math.max(high, points[k])];
    const span = high / 2 - low / 2; // halves: the whole may overflow
    const largest = Math.max(Math.abs(low), Math.abs(high)) / 2;
    return span > 0 ? Math.min(17, 6 + powersBelow(largest / span)) : 17;
  });
  return Array.from(points, (value, k) => Number(value.toPrecision(digits[k % axes])));
}

/** The first of each name: a column may be kept and be the colour, too. */
function withoutRepeats(columns: readonly NamedColumn[]): NamedColumn[] {
  const byName = new Map<string, NamedColumn>();
  for (const { name, values } of columns)
    if (!byName.has(name)) byName.set(name, { name: printable(name), values: values.map(printable) });
  return [...byName.values()];
}
