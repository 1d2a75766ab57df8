/**
 * A map as a picture for a page: points coloured by label or column, names of classes and points, a legend beside them.
 */
import { type MatrixLike, printable } from "@curvature/linalg";
import { type Coloring, type PlotClass, scaleTicks } from "./coloring.js";
import {
  type Box,
  type ClassName,
  drawingOrder,
  fitPoints,
  imageSide,
  pictureColoring,
  placeClassMiddles,
  placeClassNames,
  planeOf,
  pointOpacity,
  pointRadius,
} from "./layout.js";
import { checkedMap, type MapOptions, type MapPicture } from "./map.js";
import { type Frame, placeNames } from "./names.js";
import { svgPage } from "./page.js";
import { maxClasses, outlineOf, scaleColor } from "./palette.js";
import { centred, cornersOf, edges, firstView, projection } from "./perspective.js";
import { endsOf, extentOf, inBounds, regionMarks } from "./regions.js";
import {
  escaped,
  grouped,
  header,
  ink,
  margin,
  quiet,
  short,
  shortened,
  shortenedWithin,
  svgText,
  textWidth,
} from "./svg.js";

const legendGap = 28;
const rowHeight = 24;
const nameSize = 17;
const pointNameSize = 13;
const legendColumns = 3;

/**
 * A map as one SVG: points coloured by label or column, the names of classes in their midst, as many names of points as fit, and a
 * legend. Text is text; nothing is loaded from elsewhere.
 *
 * @param map - N × d, finite: an array of rows, `{ rows, columns, data }` or an ml-matrix matrix. One axis is spread over bands,
 *   three are drawn in perspective, of more the first two are shown
 * @returns the file's text, at most about 800 pixels high beside the titles
 * @throws CurvatureError ERR_SHAPE or ERR_NON_FINITE for what is no map, and for lists that are not as long as it; ERR_OPTION
 *
 * @example
 * const picture = svgMap([[0, 0], [1, 2], [3, 1]], { labels: ["a", "b", "a"], names: ["Ada", "Ben", "Cy"] });
 * picture.includes(">Ada</text>"); // true
 */
export function svgMap(map: MatrixLike, options?: MapOptions): string {
  return svgOf(checkedMap("svgMap", map, options));
}

function svgOf(data: MapPicture): string {
  const { map, labels, color, names: pointNames, images, title } = data;
  const coloring = pictureColoring(data);
  const scene = sceneOf(data, coloring);
  const { box, pixels, cut = 0 } = scene;
  const ofCut = `${cut} ${cut === 1 ? "region reaches" : "regions reach"} beyond the picture`;
  const subtitle = cut === 0 ? data.subtitle : `${data.subtitle} · ${ofCut}`;
  const ofClasses = images === undefined ? classNames(pixels, coloring, box) : []; // the legend has them
  const heading = color?.name ?? data.labelName;
  const isColored = (color ?? labels) !== undefined;
  const legend = isColored
    ? legendOf({ labelName: heading }, coloring, box)
    : { width: 0, height: 0, markup: "" };
  const content = box.left + box.width + legend.width + margin;
  const width = Math.max(content, Math.min(1000, Math.ceil(textWidth(subtitle, 13)) + 2 * margin));
  const height = box.top + Math.max(box.height, legend.height) + margin;
  const body = [
    marks(coloring, map.rows),
    ...(scene.frame === "" ? [] : [scene.frame]),
    images === undefined
      ? pointMarks(pixels, coloring, pointNames, scene)
      : imageMarks(images, pixels, coloring, { ...scene, names: pointNames, hasClasses: isColored }),
    pointNames === undefined
      ? ""
      : namesOfPoints(pixels, pointNames, box, {
          taken: ofClasses.map(frameOf(coloring)),
          radius: images === undefined ? pointRadius(map.rows) : imageSide(map.rows) / 2,
        }),
    namesOfClasses(ofClasses, coloring),
    legend.markup,
  ];
  return svgPage({ title, subtitle, width, height, body });
}

interface Scene {
  readonly box: Box;
  readonly pixels: Float64Array;
  /** Rows, those behind first. */
  readonly order: Int32Array;
  /** Of each point beside one in the middle, where they are seen at different distances. */
  readonly sizes?: Float64Array;
  /** What stands behind the points: how deep the picture is, or where they may be. */
  readonly frame: string;
  /** Of the regions, so many reach beyond the picture. */
  readonly cut?: number;
}

/** The points in their plane, or in space as an eye sees them. */
function sceneOf({ map, regions, background = 0 }: MapPicture, coloring: Coloring): Scene {
  const corner = { left: margin, top: header };
  const mixed = drawingOrder(map.rows, background);
  if (map.columns !== 3) {
    const plane = planeOf(map, coloring);
    if (regions === undefined) return { ...fitPoints(plane, corner), order: mixed, frame: "" };
    const bounded = inBounds(plane, regions);
    const { corners, cut } = extentOf(bounded.plane, bounded.regions);
    const { box, pixels, toPixels } = fitPoints(bounded.plane, corner, corners);
    const { classOf, classes } = coloring;
    const drawn = regionMarks(
      toPixels(endsOf(bounded.plane, bounded.regions)),
      regions,
      (n) => classes[classOf[n]].color,
    );
    const { left, top, width, height } = widened(box, 1); // with the whole of the lines at the edge
    const clip = `<clipPath id="area"><rect x="${left}" y="${top}" width="${width}" height="${height}"/></clipPath>`;
    return { box, pixels, order: mixed, frame: `${clip}<g clip-path="url(#area)">\n${drawn}\n</g>`, cut };
  }
  const project = projection(firstView);
  const { places, halves } = centred(map.data);
  const seen = Array.from({ length: map.rows }, (_, n) =>
    project(places[3 * n], places[3 * n + 1], places[3 * n + 2]),
  );
  const around = cornersOf(halves).map((place) => project(...place));
  // The box around the points is in the picture, too.
  const plane = Float64Array.from([...seen, ...around].flatMap((each) => each.slice(0, 2)));
  const { box, pixels } = fitPoints(plane, corner);
  const at = (k: number): string =>
    `${short(pixels[2 * (map.rows + k)])} ${short(pixels[2 * (map.rows + k) + 1])}`;
  const lines = edges.map(([from, to]) => `M${at(from)}L${at(to)}`).join("");
  const isBehind = (n: number): number => Number(n < background);
  return {
    box,
    pixels: pixels.subarray(0, 2 * map.rows),
    order: mixed.sort((a, b) => isBehind(b) - isBehind(a) || seen[b][2] - seen[a][2]),
    sizes: Float64Array.from(seen, ([, , , size]) => size),
    frame: `<path d="${lines}" fill="none" stroke="#d3d6da"/>`,
  };
}

/** One mark per class, to be used by its points. */
export function marks({ classes }: Coloring, rows: number): string {
  const radius = pointRadius(rows);
  const opacity = pointOpacity(rows);
  return `<defs>${classes.map((c, k) => `<g id="c${k}">${mark(c, radius, opacity)}</g>`).join("")}</defs>`;
}

function mark({ color, shape }: PlotClass, radius: number, opacity: number): string {
  const { path, line } = outlineOf(shape, radius);
  const hollow = `fill="#ffffff" fill-opacity="0.5" stroke="${color}" stroke-width="${short(line ?? 0)}" stroke-opacity="${short(opacity)}"`;
  const look = line === undefined ? `fill="${color}" fill-opacity="${short(opacity)}"` : hollow;
  if (shape === "disc") return `<circle r="${short(radius)}" ${look}/>`;
  if (shape === "ring") return `<circle r="${short(radius - (line ?? 0) / 2)}" ${look}/>`;
  return `<path d="${path}" ${look}/>`;
}

export function pointMarks(
  pixels: Float64Array,
  { classOf }: Coloring,
  names: readonly string[] | undefined,
  { order, sizes }: { readonly order: Int32Array; readonly sizes?: Float64Array } = {
    order: drawingOrder(classOf.length),
  },
): string {
  const uses: string[] = [];
  for (const n of order) {
    const [x, y] = [short(pixels[2 * n]), short(pixels[2 * n + 1])];
    const place =
      sizes === undefined
        ? `x="${x}" y="${y}"`
        : `transform="translate(${x} ${y}) scale(${short(sizes[n])})"`;
    const name = names === undefined ? "/>" : `><title>${escaped(names[n])}</title></use>`;
    uses.push(`<use href="#c${classOf[n]}" ${place}${name}`);
  }
  return `<g>\n${uses.join("\n")}\n</g>`;
}

const halo = `stroke="#ffffff" stroke-opacity="0.9" stroke-width="4" stroke-linejoin="round" paint-order="stroke"`;

/** Each picture in the place of its point; with a frame in the colour of its class, where there are classes. */
function imageMarks(
  images: readonly string[],
  pixels: Float64Array,
  coloring: Coloring,
  {
    order,
    names,
    hasClasses,
  }: Pick<Scene, "order"> & { names: readonly string[] | undefined; hasClasses: boolean },
): string {
  const { classes, classOf } = coloring;
  const side = imageSide(images.length);
  return Array.from(order, (n) => {
    if (images[n] === "") return pointMarks(pixels, coloring, names, { order: Int32Array.of(n) });
    const frame = `x="${short(pixels[2 * n] - side / 2)}" y="${short(pixels[2 * n + 1] - side / 2)}" width="${side}" height="${side}"`;
    const title = names === undefined ? "" : `<title>${escaped(names[n])}</title>`;
    const border = hasClasses
      ? `<rect ${frame} fill="none" stroke="${classes[classOf[n]].color}" stroke-width="2.5"/>`
      : "";
    return `<image ${frame} href="${images[n]}">${title}</image>${border}`;
  }).join("\n");
}

function namesOfPoints(
  pixels: Float64Array,
  names: readonly string[],
  box: Box,
  { taken, radius }: { readonly taken: readonly Frame[]; readonly radius: number },
): string {
  const shown = names.map((name) => shortenedWithin(printable(name).trim(), 180, pointNameSize));
  const places = placeNames(
    pixels,
    shown.map((name) => (name === "" ? 0 : textWidth(name, pointNameSize))),
    { fontSize: pointNameSize, radius, bounds: widened(box, margin - 8), taken },
  );
  const style = `font-size="${pointNameSize}" fill="${ink}" ${halo}`;
  const leaders = places.flatMap(({ leader }) =>
    leader === undefined
      ? []
      : [`M${leader.slice(0, 2).map(short).join(" ")}L${leader.slice(2).map(short).join(" ")}`],
  );
  const lines =
    leaders.length === 0 ? [] : [`<path d="${leaders.join("")}" stroke="${quiet}" stroke-width="0.7"/>`];
  return [...lines, ...places.map(({ index, x, y }) => svgText(x, y, shown[index], style))].join("\n");
}

const widened = ({ left, top, width, height }: Box, by: number): Box => ({
  left: left - by,
  top: top - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

/** In the midst of their points; of many classes, which are small, beside one of them. */
function classNames(pixels: Float64Array, coloring: Coloring, box: Box): ClassName[] {
  const { classes, classOf, scale } = coloring;
  if (scale !== undefined) return [];
  if (classes.length <= maxClasses)
    return placeClassNames(pixels, coloring, {
      fontSize: nameSize,
      area: widened(box, margin / 2),
      widthOf: (name) => boldWidth(name, nameSize),
    });
  const widths = new Float64Array(classOf.length);
  const middles = placeClassMiddles(pixels, coloring);
  for (const [row, index] of middles) widths[row] = boldWidth(classes[index].name, sizeOf(coloring));
  const layout = {
    fontSize: sizeOf(coloring),
    radius: pointRadius(classOf.length),
    bounds: widened(box, margin / 2),
  };
  return placeNames(pixels, widths, layout).map(({ index: row, x, y }) => ({
    index: classOf[row],
    x: x + widths[row] / 2,
    y: y - 0.36 * layout.fontSize,
  }));
}

/** Of the names of classes. */
const sizeOf = ({ classes }: Coloring): number => (classes.length <= maxClasses ? nameSize : 14);

/** Bold letters are wider. */
const boldWidth = (name: string, size: number): number => 1.1 * textWidth(name, size) + 4;

/** What a class's name covers with its halo. */
const frameOf =
  (coloring: Coloring) =>
  ({ index, x, y }: ClassName): Frame => {
    const size = sizeOf(coloring);
    const [across, up] = [boldWidth(coloring.classes[index].name, size) / 2, 0.55 * size + 2];
    return [x - across, y - up, x + across, y + up];
  };

function namesOfClasses(places: readonly ClassName[], coloring: Coloring): string {
  const size = sizeOf(coloring);
  const style = `font-size="${size}" font-weight="bold" text-anchor="middle" fill="${ink}" ${halo}`;
  return places
    .map(({ index, x, y }) => svgText(x, y + 0.36 * size, coloring.classes[index].name, style))
    .join("\n");
}

export interface Legend {
  readonly width: number;
  readonly height: number;
  readonly markup: string;
}

export function legendOf(data: Pick<MapPicture, "labelName">, coloring: Coloring, box: Box): Legend {
  const left = box.left + box.width + legendGap;
  const heading = svgText(
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

/** As many columns as the picture's height asks for, up to `legendColumns`; what has no room is counted. */
function classLegend({ classes }: Coloring, left: number, box: Box): Legend {
  const perColumn = Math.max(20, Math.floor((box.height - 40) / rowHeight));
  const room = legendColumns * perColumn;
  const shown = classes.length <= room ? classes : classes.slice(0, room - 1);
  const columns: Legend[] = [];
  let x = left;
  for (let first = 0; first < shown.length; first += perColumn) {
    const column = legendColumn(shown.slice(first, first + perColumn), x, box.top);
    columns.push(column);
    x += column.width + legendGap;
  }
  const last = columns.length - 1;
  const rest = classes.length - shown.length;
  const more =
    rest === 0
      ? ""
      : svgText(
          x - legendGap - columns[last].width + 18,
          box.top + 40 + (perColumn - 1) * rowHeight,
          `and ${grouped(rest)} more`,
          `font-size="13" fill="${quiet}"`,
        );
  return {
    width: x - legendGap - left,
    height: Math.max(...columns.map(({ height }) => height)),
    markup: columns.map(({ markup }) => markup).join("") + more,
  };
}

function legendColumn(classes: readonly PlotClass[], left: number, top: number): Legend {
  const entries = classes.map((c) => ({
    mark: mark(c, 5.5, 1),
    name: shortenedWithin(c.name, 230, 13),
    amount: grouped(c.count),
  }));
  const nameWidth = Math.max(...entries.map(({ name }) => textWidth(name, 13)));
  const amountWidth = Math.max(...entries.map(({ amount }) => textWidth(amount, 11)));
  const width = 18 + nameWidth + 10 + amountWidth;
  const rows = entries.map((entry, k) => {
    const y = top + 40 + k * rowHeight;
    return [
      `<g transform="translate(${left + 6} ${y - 4.5})">${entry.mark}</g>`,
      svgText(left + 18, y, entry.name, `font-size="13" fill="${ink}"`),
      svgText(left + width, y, entry.amount, `font-size="11" text-anchor="end" fill="${quiet}"`),
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
  const ticks = scaleTicks(scale).map((value, k) => {
    const y = top + (height * k) / 4;
    const line = `<path d="M${left + 16} ${short(y)}h5" stroke="${quiet}"/>`;
    return {
      width: textWidth(value, 12),
      markup: line + svgText(left + 26, y + 4.3, value, `font-size="12" fill="${ink}"`),
    };
  });
  const missing = classes.find(({ name }) => name !== "");
  const rest =
    missing === undefined
      ? ""
      : `<g transform="translate(${left + 7} ${top + height + 28})">${mark(missing, 5.5, 1)}</g>` +
        svgText(left + 26, top + height + 32.5, missing.name, `font-size="12" fill="${ink}"`);
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
