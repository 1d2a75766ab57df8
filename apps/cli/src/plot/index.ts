/** A plot in the form that the file's name asks for. */
import { extname } from "node:path";
import { htmlMap, svgMap } from "@curvature/map-view";
import { imageSide, type MapPicture } from "@curvature/map-view/pictures";
import { usageError } from "../run/failure.js";
import { type CoefficientChart, svgCoefficients } from "./coefficient-plot.js";
import { type Dendrogram, svgDendrogram } from "./dendrogram.js";
import { htmlPage } from "./html-page.js";
import { type ChartData, svgChart } from "./line-chart.js";
import { drawnPictures, pngOf } from "./png.js";
import { type SolutionData, svgSolution } from "./solution-plot.js";

export type { ChartData } from "./line-chart.js";

const formats = {
  ".svg": async ({ map, ...options }: MapPicture) => svgMap(map, options),
  ".png": async (data: MapPicture) => {
    const { map, ...options } = await withDrawnPictures(data);
    return pngOf(svgMap(map, options));
  },
  ".html": async ({ map, ...options }: MapPicture) => htmlMap(map, options),
} as const;

async function withDrawnPictures(data: MapPicture): Promise<MapPicture> {
  if (data.images === undefined) return data;
  return { ...data, images: await drawnPictures(data.images, 2 * imageSide(data.map.rows)) };
}

type PlotFormat = keyof typeof formats;

const isFormat = (extension: string): extension is PlotFormat => Object.hasOwn(formats, extension);

/** @throws CurvatureError ERR_OPTION if the name does not end in a known way */
export function plotFormat(path: string, option = "--plot"): PlotFormat {
  const extension = path === "-" ? ".svg" : extname(path).toLowerCase();
  if (isFormat(extension)) return extension;
  throw usageError(
    `${option} ${path}: the name must end in ${Object.keys(formats).join(", ")}.`,
    option.replace(/^--/, ""),
  );
}

/** Words that a map shows. */
export const wordsOf = ({ title, subtitle, labels, labelName, color, names }: MapPicture): Set<string> =>
  new Set([
    title,
    subtitle,
    labelName,
    ...(labels ?? []),
    color?.name ?? "",
    ...(color?.values ?? []),
    ...(names ?? []),
  ]);

export async function renderPlot(format: PlotFormat, data: MapPicture): Promise<string | Uint8Array> {
  return formats[format](data);
}

const pictureFormats = {
  ".svg": async (_: string, svg: string) => svg,
  ".png": async (_: string, svg: string) => pngOf(svg),
  ".html": async (title: string, svg: string) => htmlPage(title, svg),
} as const satisfies Record<PlotFormat, unknown>;

/** Curves, in the same forms. */
export async function renderChart(format: PlotFormat, chart: ChartData): Promise<string | Uint8Array> {
  return pictureFormats[format](chart.title, svgChart(chart));
}

/** A matrix beside its points, in the same forms. */
export async function renderSolution(format: PlotFormat, data: SolutionData): Promise<string | Uint8Array> {
  return pictureFormats[format](data.title, svgSolution(data));
}

/** A tree, in the same forms. */
export async function renderDendrogram(format: PlotFormat, tree: Dendrogram): Promise<string | Uint8Array> {
  return pictureFormats[format](tree.title, svgDendrogram(tree));
}

/** Bars, in the same forms. */
export async function renderCoefficients(
  format: PlotFormat,
  chart: CoefficientChart,
): Promise<string | Uint8Array> {
  return pictureFormats[format](chart.title, svgCoefficients(chart));
}
