/** What a viewer is given of a map: plain JSON, its texts without what could steer a screen. */
import { printable } from "@curvature/linalg";
import { scaleTicks } from "./coloring.js";
import { drawingOrder, imageSide, pictureColoring, planeOf, pointOpacity, pointRadius } from "./layout.js";
import type { MapPicture, NamedColumn } from "./map.js";
import { scaleColor } from "./palette.js";
import type { Payload } from "./viewer/payload.js";

export function payloadOf(data: MapPicture): Payload {
  const { map, labels, labelName, color, names, title, subtitle, background, details = [], neighbors } = data;
  const { regions, images } = data;
  const coloring = pictureColoring(data);
  const { classes, classOf, scale } = coloring;
  const axes = map.columns === 3 ? 3 : 2;
  const points = axes === 3 ? map.data : planeOf(map, coloring);
  const labelColumn = labels === undefined ? [] : [{ name: labelName, values: labels }];
  return {
    title: printable(title),
    subtitle: printable(subtitle),
    legendName: printable(color?.name ?? labelName),
    axes,
    points: Array.from(points, (value) => Number(value.toPrecision(6))),
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

/** The first of each name: a column may be kept and be the colour, too. */
function withoutRepeats(columns: readonly NamedColumn[]): NamedColumn[] {
  const byName = new Map<string, NamedColumn>();
  for (const { name, values } of columns)
    if (!byName.has(name)) byName.set(name, { name: printable(name), values: values.map(printable) });
  return [...byName.values()];
}
