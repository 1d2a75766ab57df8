/**
 * A map as one HTML file to look into: zoom, pan, hover, search, neighbours, a lasso, classes on and off. It carries its program
 * and its data, asks the network for nothing, and allows no other script: labels are data, and only ever become text.
 */
import { printable } from "../run/terminal.js";
import { scaleTicks } from "./coloring.js";
import {
  drawingOrder,
  imageSide,
  type NamedColumn,
  type PlotData,
  pictureColoring,
  planeOf,
  pointOpacity,
  pointRadius,
} from "./layout.js";
import { scaleColor } from "./palette.js";
import { escaped } from "./svg.js";
import type { Payload } from "./viewer/payload.js";

const style = `
:root { color-scheme: light; font: 14px/1.45 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; color: #23272f; }
* { box-sizing: border-box; }
body { margin: 0; height: 100vh; display: grid; grid-template: auto 1fr auto / 1fr 270px; background: #fff; }
header { grid-column: 1 / 3; padding: 18px 24px 10px; display: flex; align-items: center; gap: 12px; flex-wrap: wrap; }
header div { flex: 1 1 320px; min-width: 0; }
h1 { font-size: 20px; margin: 0; overflow-wrap: anywhere; }
header p { margin: 2px 0 0; color: #6b7280; }
#said { color: #6b7280; min-width: 5em; text-align: right; }
#search { font: inherit; color: inherit; width: 220px; padding: 5px 10px; border: 1px solid #b6bcc4; border-radius: 6px; }
#lasso, .action { width: auto; padding: 5px 12px; border: 1px solid #b6bcc4; border-radius: 6px; background: none; font: inherit; color: inherit; cursor: pointer; }
#lasso[aria-pressed="true"] { background: #0170ad; border-color: #0170ad; color: #fff; opacity: 1; }
main { position: relative; min-width: 0; min-height: 0; }
canvas { position: absolute; inset: 0; width: 100%; height: 100%; cursor: grab; touch-action: none; }
canvas:active { cursor: grabbing; }
canvas:focus-visible { outline: 2px solid #3f90da; outline-offset: -2px; }
canvas.lasso { cursor: crosshair; }
#tip { position: absolute; pointer-events: none; padding: 4px 10px; border-radius: 6px; background: #23272fee; color: #fff; max-width: 340px; overflow-wrap: anywhere; }
#tip[hidden] { display: none; }
aside { padding: 8px 16px 8px 8px; overflow: auto; }
section:empty { display: none; }
section + section:not(:empty) { margin-top: 16px; }
h2 { font-size: 13px; margin: 0 8px 6px; overflow-wrap: anywhere; }
aside button { display: flex; align-items: center; gap: 8px; width: 100%; padding: 3px 8px; border: 0; border-radius: 6px; background: none; font: inherit; color: inherit; text-align: left; cursor: pointer; }
aside button:hover { background: #f1f3f5; }
aside button[aria-pressed="false"] { opacity: 0.35; }
aside .action { width: auto; margin: 0 8px 8px; padding: 5px 12px; border: 1px solid #b6bcc4; }
aside .close { float: right; width: auto; padding: 0 8px; font-size: 18px; line-height: 1.1; }
button:focus-visible, input:focus-visible { outline: 2px solid #3f90da; outline-offset: 1px; }
button svg { flex: none; width: 16px; height: 16px; }
button i { flex: none; width: 9px; height: 9px; border-radius: 50%; }
button span { flex: 1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 1px 10px; margin: 0 8px 12px; overflow-wrap: anywhere; }
dt { color: #6b7280; }
dd { margin: 0; }
ol { list-style: none; margin: 0 0 12px; padding: 0; }
aside p { margin: 0 8px; color: #6b7280; }
button small { color: #6b7280; font-variant-numeric: tabular-nums; }
.scale { position: relative; height: 220px; margin-left: 8px; padding-left: 24px; display: flex; flex-direction: column; justify-content: space-between; }
.scale i { position: absolute; left: 0; top: 0; bottom: 0; width: 14px; border-radius: 2px; }
footer { grid-column: 1 / 3; padding: 6px 24px 12px; color: #6b7280; font-size: 12px; }
@media (max-width: 720px) { body { grid-template: auto 1fr minmax(0, 30vh) / 1fr; } header, footer { grid-column: 1; } footer { display: none; } }
`;

/** The viewer's program, and the Base64 of a text's SHA-256, which the place has that makes the page. */
export interface PageParts {
  readonly script: string;
  sha256(text: string): string;
}

export function htmlPlot(data: PlotData, { script, sha256 }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${sha256(script)}'`,
    `style-src 'sha256-${sha256(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ];
  if (data.images !== undefined) policy.push("img-src data:");
  const payload = payloadOf(data);
  const gestures =
    payload.axes === 3
      ? "Drag to turn, shift-drag to move, scroll to zoom, double-click to start over. Click a point for its neighbours: lines lead to those in the data, rings are around those in the map."
      : "Drag to move, scroll to zoom, double-click to start over. Click a point for its neighbours: lines lead to those in the data, rings are around those in the map.";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join("; ")}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(data.title)}</title>
<style>${style}</style>
</head>
<body>
<header>
<div><h1 id="title"></h1><p id="subtitle"></p></div>
<span id="said" role="status"></span>
<input id="search" type="search" placeholder="Search" aria-label="Search names and columns" autocomplete="off" spellcheck="false">
<button id="lasso" type="button" aria-pressed="false" title="Draw a line around points to list and save them (l)">Lasso</button>
</header>
<main><canvas id="map" tabindex="0" role="img" aria-label="Map of the points"></canvas><div id="tip" hidden></div></main>
<aside><section id="chosen"></section><section id="legend"></section></aside>
<footer>${gestures}</footer>
<script type="application/json" id="data">${inertJson(payload)}</script>
<script>${script}</script>
</body>
</html>
`;
}

function payloadOf(data: PlotData): Payload {
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
    neighbors: neighbors === undefined ? null : { count: neighbors.count, indices: [...neighbors.indices] },
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

/** JSON that cannot end the script element it stands in. */
function inertJson(value: unknown): string {
  return JSON.stringify(value).replace(/</g, "\\u003c");
}
