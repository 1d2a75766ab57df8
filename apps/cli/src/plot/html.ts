/**
 * A map as one HTML file to look into: zoom, pan, hover, classes on and off. It carries its program and its data, asks
 * the network for nothing, and allows no other script: labels are data, and only ever become text.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { printable, shortNumber } from "../run/terminal.js";
import { coloringOf } from "./coloring.js";
import { drawingOrder, type PlotData, planeOf, pointOpacity, pointRadius } from "./layout.js";
import { scaleColor } from "./palette.js";
import { maxNamedPoints } from "./point-names.js";
import { escaped } from "./svg.js";
import type { Payload } from "./viewer/payload.js";

const style = `
:root { color-scheme: light; font: 14px/1.45 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; color: #23272f; }
* { box-sizing: border-box; }
body { margin: 0; height: 100vh; display: grid; grid-template: auto 1fr auto / 1fr auto; background: #fff; }
header { grid-column: 1 / 3; padding: 18px 24px 10px; }
h1 { font-size: 20px; margin: 0; overflow-wrap: anywhere; }
header p { margin: 2px 0 0; color: #6b7280; }
main { position: relative; min-width: 0; min-height: 0; }
canvas { position: absolute; inset: 0; width: 100%; height: 100%; cursor: grab; touch-action: none; }
canvas:active { cursor: grabbing; }
canvas:focus-visible { outline: 2px solid #3f90da; outline-offset: -2px; }
#tip { position: absolute; pointer-events: none; padding: 3px 9px; border-radius: 6px; background: #23272fee; color: #fff; white-space: nowrap; }
#tip[hidden] { display: none; }
aside { padding: 8px 24px 8px 8px; overflow: auto; max-width: 280px; }
aside:empty { display: none; }
h2 { font-size: 13px; margin: 0 8px 6px; overflow-wrap: anywhere; }
button { display: flex; align-items: center; gap: 8px; width: 100%; padding: 3px 8px; border: 0; border-radius: 6px; background: none; font: inherit; color: inherit; text-align: left; cursor: pointer; }
button:hover { background: #f1f3f5; }
button[aria-pressed="false"] { opacity: 0.35; }
button i { flex: none; width: 12px; height: 12px; border: 3px solid; border-radius: 50%; }
button span { flex: 1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
button small { color: #6b7280; font-variant-numeric: tabular-nums; }
.scale { position: relative; height: 220px; margin-left: 8px; padding-left: 24px; display: flex; flex-direction: column; justify-content: space-between; }
.scale i { position: absolute; left: 0; top: 0; bottom: 0; width: 14px; border-radius: 2px; }
footer { grid-column: 1 / 3; padding: 6px 24px 12px; color: #9aa1ab; font-size: 12px; }
`;

export function htmlPlot(data: PlotData): string {
  const script = readFileSync(new URL("./viewer.global.js", import.meta.url), "utf8");
  const policy = [
    "default-src 'none'",
    `script-src '${digest(script)}'`,
    `style-src '${digest(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const payload = payloadOf(data);
  const gestures =
    payload.axes === 3
      ? "Drag to turn, shift-drag to move, scroll to zoom, double-click to start over."
      : "Drag to move, scroll to zoom, double-click to start over.";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(data.title)}</title>
<style>${style}</style>
</head>
<body>
<header><h1 id="title"></h1><p id="subtitle"></p></header>
<main><canvas id="map" tabindex="0" role="img" aria-label="Map of the points"></canvas><div id="tip" hidden></div></main>
<aside id="legend"></aside>
<footer>${gestures}</footer>
<script type="application/json" id="data">${inertJson(payload)}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** A picture that needs no program, as a page. */
export function htmlPage(title: string, svg: string): string {
  const plain =
    "body { margin: 0; background: #fff; } svg { display: block; margin: 0 auto; max-width: 100%; height: auto; }";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src '${digest(plain)}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${plain}</style>
</head>
<body>
${svg}</body>
</html>
`;
}

function payloadOf({ map, labels, labelName, names, title, subtitle, background }: PlotData): Payload {
  const coloring = coloringOf(map.rows, labels, undefined, background);
  const { classes, classOf, scale } = coloring;
  const axes = map.columns === 3 ? 3 : 2;
  const points = axes === 3 ? map.data : planeOf(map, coloring);
  return {
    title: printable(title),
    subtitle: printable(subtitle),
    labelName: printable(labelName),
    axes,
    points: Array.from(points, (value) => Number(value.toPrecision(6))),
    labels: labels?.map(printable) ?? null,
    names: names?.map(printable) ?? null,
    namesShown: map.rows <= maxNamedPoints,
    classes: classes.map(({ name, color, ring, count }) => ({ name: printable(name), color, ring, count })),
    classOf: Array.from(classOf),
    order: Array.from(drawingOrder(map.rows, background)),
    scale:
      scale === undefined
        ? null
        : {
            low: shortNumber(scale.low),
            high: shortNumber(scale.high),
            colors: Array.from({ length: 9 }, (_, k) => scaleColor(k / 8)),
          },
    radius: pointRadius(map.rows),
    opacity: pointOpacity(map.rows),
  };
}

/** JSON that cannot end the script element it stands in. */
function inertJson(value: unknown): string {
  return JSON.stringify(value).replace(/</g, "\\u003c");
}

function digest(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
