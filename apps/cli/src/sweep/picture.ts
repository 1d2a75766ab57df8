/**
 * A sweep as one picture: the maps of its runs side by side, one panel for each setting; or, where runs leave no maps,
 * the metric of each run on a line for each setting.
 */

import type { DenseMatrix } from "@curvature/linalg";
import {
  type Coloring,
  coloringOf,
  escaped,
  fitPoints,
  header,
  ink,
  legendOf,
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
import { shortNumber } from "../run/terminal.js";
import type { Axis } from "./grid.js";
import { type MapPreview, placesOf } from "./run-unit.js";
import { bestRun, bySetting, figureOf, type Metric, type Run, settingWords } from "./summary.js";

export interface PictureData {
  readonly title: string;
  readonly runs: readonly Run[];
  readonly axes: readonly Axis[];
  readonly metric: Metric | undefined;
  readonly labels: PictureLabels | undefined;
}

export interface PictureLabels {
  readonly name: string;
  /** Of the rows of the data. */
  readonly words: readonly string[];
}

const panel = 220;
const caption = 44;
const gap = 18;
const accent = "#b45309";

/** @returns undefined if no run has anything to show */
export function svgOfSweep(data: PictureData): string | undefined {
  return svgOfMaps(data) ?? svgOfFigures(data);
}

/** Of each setting the best of its restarts. */
function svgOfMaps(data: PictureData): string | undefined {
  const { runs, axes, metric, labels } = data;
  const groups = bySetting(runs);
  const shown = groups.flatMap((group) => {
    const withMap = group.filter((run) => previewOf(run) !== undefined);
    const run = (metric && bestRun(withMap, metric)) ?? withMap[0];
    const preview = run === undefined ? undefined : previewOf(run);
    return run === undefined || preview === undefined ? [] : [{ run, preview }];
  });
  if (shown.length === 0) return undefined;
  const last = axes.at(-1)?.values.length ?? 1;
  const columns = last > 1 && last <= 8 ? last : Math.min(shown.length, 6);
  const best = metric && bestRun(runs, metric);
  // One for all panels: a class that one of them lacks does not change the others' colours.
  const coloring = labels && coloringOf(labels.words.length, labels.words);
  const hasRestarts = groups.some((group) => group.length > 1);
  const panels = shown.map(({ run, preview }, k) => {
    const left = margin + (k % columns) * (panel + gap);
    const top = header + Math.floor(k / columns) * (panel + caption + gap);
    return panelOf({ ...data, run, preview, left, top, isBest: run === best, coloring });
  });
  const width = columns * (panel + gap) - gap;
  const height = Math.ceil(shown.length / columns) * (panel + caption + gap) - gap;
  const box = { left: margin, top: header, width, height };
  const legend = labels && coloring && legendOf({ labelName: labels.name }, coloring, box);
  return svgPage({
    title: data.title,
    width: Math.max(420, 2 * margin + width + (legend?.width ?? 0)),
    height: header + Math.max(height, legend?.height ?? 0) + margin,
    subtitle: [
      ...(metric === undefined ? [] : [`${metric.name} below each map`]),
      ...(hasRestarts ? [`of restarts ${metric === undefined ? "the first" : "the best"} is shown`] : []),
    ].join("; "),
    body: [...panels, legend?.markup ?? ""],
  });
}

interface PanelData extends PictureData {
  readonly run: Run;
  readonly preview: MapPreview;
  readonly left: number;
  readonly top: number;
  readonly isBest: boolean;
  /** Of the rows of the data, if they have labels. */
  readonly coloring: Coloring | undefined;
}

function panelOf(data: PanelData): string {
  const { run, preview, axes, metric, left, top, isBest } = data;
  const { places, coloring } = withoutGaps(placesOf(preview), preview, data.coloring);
  const { box, pixels } = fitPoints(planeOf(places, coloring), { left: 0, top: 0 });
  const inner = panel - 16;
  const scale = Math.min(inner / box.width, inner / box.height);
  const x = left + 8 + (inner - scale * box.width) / 2;
  const y = top + 8 + (inner - scale * box.height) / 2;
  const id = `r${run.number}`;
  // Every panel has marks of its own: classes may be missing in one of them.
  const drawn = `${marks(coloring, places.rows)}${pointMarks(pixels, coloring, undefined)}`
    .replaceAll('id="c', `id="${id}c`)
    .replaceAll('href="#c', `href="#${id}c`);
  const figure = metric === undefined ? undefined : figureOf(run, metric.name);
  const setting = axes.map(({ name }, k) => `${name} ${run.values[k]}`).join(", ");
  const note =
    figure === undefined || metric === undefined
      ? ""
      : `${metric.name} ${shortNumber(figure)}${isBest ? ", the best" : ""}`;
  return [
    `<rect x="${left}" y="${top}" width="${panel}" height="${panel}" fill="none" stroke="${isBest ? accent : "#d1d5db"}" stroke-width="${isBest ? 2.5 : 1}"/>`,
    `<g transform="translate(${short(x)} ${short(y)}) scale(${scale.toFixed(4)})"><title>${escaped(`Run ${run.number}: ${settingWords(run, axes)}`)}</title>${drawn}</g>`,
    svgText(
      left,
      top + panel + 17,
      shortened(setting || `seed ${run.seed}`, panel, 12),
      `font-size="12" fill="${ink}"`,
    ),
    svgText(
      left,
      top + panel + 34,
      shortened(note, panel, 12),
      `font-size="12" fill="${isBest ? accent : quiet}"`,
    ),
  ].join("\n");
}

/** Objects without a place are not drawn. */
function withoutGaps(
  { rows, columns, data }: DenseMatrix,
  preview: MapPreview,
  whole: Coloring | undefined,
): { readonly places: DenseMatrix; readonly coloring: Coloring } {
  const kept = Array.from({ length: rows }, (_, k) => k).filter((k) =>
    data.subarray(k * columns, (k + 1) * columns).every(Number.isFinite),
  );
  const places = {
    rows: kept.length,
    columns,
    data: Float64Array.from(kept.flatMap((k) => [...data.subarray(k * columns, (k + 1) * columns)])),
  };
  if (whole === undefined || whole.classOf.length !== preview.rows)
    return { places, coloring: coloringOf(kept.length, undefined) };
  const classOf = Int32Array.from(kept, (k) => whole.classOf[preview.taken?.[k] ?? k]);
  return { places, coloring: { ...whole, classOf } };
}

const previewOf = ({ end }: Run): MapPreview | undefined =>
  end.kind === "done" ? end.outcome.map : undefined;

/** A line for each setting, a dot for each of its runs. */
function svgOfFigures(data: PictureData): string | undefined {
  const { runs, axes, metric } = data;
  if (metric === undefined) return undefined;
  const groups = bySetting(runs).map((group) => ({
    name:
      axes.length === 0 ? "all runs" : axes.map(({ name }, k) => `${name} ${group[0].values[k]}`).join(", "),
    figures: group.flatMap((run) => {
      const figure = figureOf(run, metric.name);
      return figure === undefined ? [] : [{ run, figure }];
    }),
  }));
  const all = groups.flatMap(({ figures }) => figures.map(({ figure }) => figure));
  if (all.length === 0) return undefined;
  const low = Math.min(...all);
  const high = Math.max(...all);
  const nameWidth = Math.min(360, Math.max(...groups.map(({ name }) => textWidth(name, 13))));
  const left = margin + nameWidth + 20;
  const length = 480;
  const at = (figure: number): number =>
    left + (high > low ? ((figure - low) / (high - low)) * length : length / 2);
  const best = bestRun(runs, metric);
  const rowHeight = 26;
  const body = groups.map(({ name, figures }, k) => {
    const y = header + 20 + k * rowHeight;
    const dots = figures.map(({ run, figure }) => {
      const isBest = run === best;
      return `<circle cx="${short(at(figure))}" cy="${y}" r="${isBest ? 6 : 4.5}" fill="${isBest ? accent : "#4e79a7"}" fill-opacity="0.8"><title>${escaped(`${settingWords(run, axes)}: ${figure}`)}</title></circle>`;
    });
    const line = `<path d="M${left} ${y}h${length}" stroke="#e5e7eb"/>`;
    return (
      svgText(margin, y + 4.5, shortened(name, nameWidth, 13), `font-size="13" fill="${ink}"`) +
      line +
      dots.join("")
    );
  });
  const bottom = header + 20 + groups.length * rowHeight;
  for (const figure of new Set([low, high])) {
    body.push(
      svgText(
        at(figure),
        bottom + 10,
        shortNumber(figure),
        `font-size="12" text-anchor="middle" fill="${quiet}"`,
      ),
    );
  }
  return svgPage({
    title: data.title,
    width: left + length + margin + 30,
    height: bottom + 20 + margin,
    subtitle: `${metric.name} of each run; the ${metric.best} is the best`,
    body,
  });
}
