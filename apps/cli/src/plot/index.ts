/** A plot in the form that the file's name asks for. */
import { extname } from "node:path";
import { usageError } from "../run/failure.js";
import { htmlPage, htmlPlot } from "./html.js";
import type { PlotData } from "./layout.js";
import { type ChartData, svgChart } from "./line-chart.js";
import { svgPlot } from "./map-plot.js";
import { pngOf } from "./png.js";
import { type SolutionData, svgSolution } from "./solution-plot.js";

export type { PlotData } from "./layout.js";
export type { ChartData } from "./line-chart.js";

const formats = {
  ".svg": async (data: PlotData) => svgPlot(data),
  ".png": async (data: PlotData) => pngOf(svgPlot(data)),
  ".html": async (data: PlotData) => htmlPlot(data),
} as const;

type PlotFormat = keyof typeof formats;

const isFormat = (extension: string): extension is PlotFormat => Object.hasOwn(formats, extension);

/** @throws CurvatureError ERR_OPTION if the name does not end in a known way */
export function plotFormat(path: string): PlotFormat {
  const extension = path === "-" ? ".svg" : extname(path).toLowerCase();
  if (isFormat(extension)) return extension;
  throw usageError(`--plot ${path}: the name must end in ${Object.keys(formats).join(", ")}.`, "plot");
}

export async function renderPlot(format: PlotFormat, data: PlotData): Promise<string | Uint8Array> {
  return formats[format](data);
}

const chartFormats = {
  ".svg": async (chart: ChartData) => svgChart(chart),
  ".png": async (chart: ChartData) => pngOf(svgChart(chart)),
  ".html": async (chart: ChartData) => htmlPage(chart.title, svgChart(chart)),
} as const satisfies Record<PlotFormat, unknown>;

/** Curves, in the same forms. */
export async function renderChart(format: PlotFormat, chart: ChartData): Promise<string | Uint8Array> {
  return chartFormats[format](chart);
}

const solutionFormats = {
  ".svg": async (data: SolutionData) => svgSolution(data),
  ".png": async (data: SolutionData) => pngOf(svgSolution(data)),
  ".html": async (data: SolutionData) => htmlPage(data.title, svgSolution(data)),
} as const satisfies Record<PlotFormat, unknown>;

/** A matrix beside its points, in the same forms. */
export async function renderSolution(format: PlotFormat, data: SolutionData): Promise<string | Uint8Array> {
  return solutionFormats[format](data);
}
