/**
 * Finished maps ⇄ bytes, exactly, by `encodeModel` of optim-core. The numbers are, one after the other, the rows as the affinities saw
 * them, their places, the gaps, and where there are some the offsets and scales of a scaling, and the components and means of a
 * projection.
 */
import {
  CurvatureError,
  type DenseMatrix,
  type OptionsOf,
  object,
  optionTable,
  type PrincipalComponents,
  type Scaling,
  shown,
} from "@curvature/linalg";
import { isPreparation, type Preparation, preparedNames } from "@curvature/linalg/tables";
import { isEuclidean } from "@curvature/objectives/embedding";
import { damagedModel, decodeModel, encodeModel } from "@curvature/optim-core";
import { embedOptions } from "./embed-options.js";
import { largest } from "./embed-settings.js";
import { MapModel } from "./map-model.js";
import { checkPlaces, type MapParts, type PlacementSettings } from "./map-parts.js";
import type { Projection } from "./projection.js";

const FORM = { format: "curvature-map", version: 1 } as const;

const scalings = ["max-abs", "rms", "deviation", "standard", "unit-rows"] as const;

/** How rows became the points that `embed` was given, where they did not come as they are: new rows are then treated alike. */
export const stepsBeforeOptions = optionTable({
  /** How a table became rows (`prepare` of `@curvature/linalg/tables`). */
  preparation: object<Preparation & object>("what prepare gave"),
  /** `fitScaling` of the rows. */
  scaling: object<Scaling>("what fitScaling gave"),
  /** `principalComponents` of the scaled rows, whose scores `embed` was given; left out where its own option `pca` did it. */
  components: object<Pick<PrincipalComponents, "components" | "means">>("what principalComponents gave"),
});
export type StepsBefore = OptionsOf<typeof stepsBeforeOptions>;

/**
 * A map as a JSON text in UTF-8 with a checksum: all that `transform` needs, bit for bit. The data are in it, 11 bytes a number.
 *
 * @param map - what `embed` returned, or its `model`
 * @param before - what was done to the rows before `embed` had them
 * @throws CurvatureError ERR_ARGUMENT for what is no map, has none that could place new points, or does not fit `before`; ERR_MEMORY
 */
export function saveMap(
  map: MapModel | { readonly model: MapModel | undefined },
  before?: StepsBefore,
): Uint8Array {
  const steps = stepsBeforeOptions.resolve("saveMap", before);
  const model = map instanceof MapModel ? map : map?.model;
  if (!(model instanceof MapModel))
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `saveMap takes what embed returned of points, or its model; received ${shown(map)}. A map of distances alone cannot place new points.`,
      { path: "map", expected: "an EmbedResult or a MapModel", received: map },
    );
  checkPlaces(model.parts);
  const { data, places, settings, gaps, scaling, projection, preparation } = withSteps(model, steps);
  const description = {
    points: data.rows,
    columns: data.columns,
    dimensions: places.columns,
    gaps: gaps.length,
    metric: settings.metric,
    settings: placementOf(settings),
    scaling: scaling === undefined ? null : { method: scaling.method, columns: scaling.offsets.length },
    projection: projection === undefined ? null : { columns: projection.means.length, full: projection.full },
    preparation: preparation ?? null,
  };
  const numbers = [
    data.data,
    places.data,
    gaps,
    ...(scaling === undefined ? [] : [scaling.offsets, scaling.scales]),
    ...(projection === undefined ? [] : [projection.components.data, projection.means]),
  ];
  const all = new Float64Array(numbers.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const each of numbers) {
    all.set(each, at);
    at += each.length;
  }
  return encodeModel(FORM, description, all);
}

/** @throws CurvatureError ERR_ARGUMENT */
function withSteps({ parts }: MapModel, { scaling, components, preparation }: StepsBefore): MapParts {
  if (
    components !== undefined &&
    !(components.components?.data instanceof Float64Array && components.means instanceof Float64Array)
  )
    throw unfitting("components", "what principalComponents gave");
  if (
    scaling !== undefined &&
    !(scaling.offsets instanceof Float64Array && scaling.scales instanceof Float64Array)
  )
    throw unfitting("scaling", "what fitScaling gave");
  if (components !== undefined && parts.projection !== undefined)
    throw unfitting("components", "none, since the map has principal components of its own (pca)");
  const projection =
    components === undefined ? parts.projection : { ...components, full: [] as readonly number[] };
  if (projection !== undefined && projection.components.rows !== parts.data.columns)
    throw unfitting("components", `those ${parts.data.columns} whose scores embed was given`);
  const between = projection?.means.length ?? parts.data.columns;
  if (scaling !== undefined && scaling.offsets.length !== between)
    throw unfitting("scaling", `of ${between} columns`);
  if (
    preparation !== undefined &&
    !(isPreparation(preparation) && preparedNames(preparation).length === between)
  )
    throw unfitting("preparation", `what prepare gave, of ${between} columns`);
  return {
    ...parts,
    projection,
    scaling: scaling ?? parts.scaling,
    preparation: preparation ?? parts.preparation,
  };
}

const unfitting = (path: string, expected: string): CurvatureError =>
  new CurvatureError("ERR_ARGUMENT", `saveMap: ${path} must be ${expected}.`, { path, expected });

/**
 * The map that `saveMap` wrote.
 *
 * @throws CurvatureError ERR_PARSE for anything else: a foreign, cut or changed file, or one of another version
 */
export function loadMap(file: Uint8Array | string): MapModel {
  const { fields, numbers } = decodeModel(FORM, file);
  const N = sizeIn(fields, "points", 3);
  const D = sizeIn(fields, "columns", 1);
  const d = sizeIn(fields, "dimensions", 1);
  const gapCount = sizeIn(fields, "gaps", 0);
  const metric = fields.get("metric");
  if (!isEuclidean(metric)) throw damagedModel("has an unknown metric", metric);
  const settings = { ...settingsIn(fields.get("settings"), N), metric };
  const scaled = scaledIn(fields.get("scaling"));
  const projected = projectedIn(fields.get("projection"));
  const scaledColumns = scaled?.columns ?? 0;
  const projectedColumns = projected?.columns ?? 0;
  const count = N * (D + d) + gapCount + 2 * scaledColumns + projectedColumns * (D + 1);
  if (numbers.length !== count) throw damagedModel(`needs ${count} numbers and has others`, numbers.length);
  if (!numbers.every(Number.isFinite)) throw damagedModel("has a number that is not finite");
  if (gapCount > N) throw damagedModel("has more gaps than points", gapCount);
  const between = projected?.columns ?? D;
  if (scaled !== undefined && scaled.columns !== between)
    throw damagedModel("has a scaling of other columns than it takes", scaled.columns);
  let at = 0;
  const take = (length: number): Float64Array => {
    at += length;
    return numbers.slice(at - length, at);
  };
  const data = { rows: N, columns: D, data: take(N * D) };
  const places = { rows: N, columns: d, data: take(N * d) };
  const gaps = take(gapCount);
  if (!gaps.every((gap, k) => gap > 0 && (k === 0 || gap >= gaps[k - 1])))
    throw damagedModel("has gaps that are not distances in ascending order");
  const scaling = scaled && {
    method: scaled.method,
    offsets: take(scaled.columns),
    scales: take(scaled.columns),
  };
  if (scaling?.scales.every((scale) => scale > 0) === false)
    throw damagedModel("has a scale that is not above 0");
  const projection = projected && {
    components: matrixOf(D, projected.columns, take(D * projected.columns)),
    means: take(projected.columns),
    full: projected.full,
  };
  const preparation: unknown = fields.get("preparation") ?? undefined;
  if (
    preparation !== undefined &&
    !(isPreparation(preparation) && preparedNames(preparation).length === between)
  )
    throw damagedModel("has a preparation that does not make its columns");
  return new MapModel({ data, places, settings, gaps, scaling, projection, preparation });
}

const matrixOf = (rows: number, columns: number, data: Float64Array): DenseMatrix => ({
  rows,
  columns,
  data,
});

const placementNames = [
  "method",
  "lambda",
  "perplexity",
  "neighbors",
  "neighborSearch",
  "repulsion",
  "gradient",
  "theta",
  "seed",
] as const satisfies readonly (keyof PlacementSettings)[];

/** As plain data. */
const placementOf = (settings: PlacementSettings): object =>
  Object.fromEntries(placementNames.map((name) => [name, settings[name] ?? null]));

/** Every setting is one that `embed` would take, and what it fills in is there. */
function settingsIn(given: unknown, N: number): Omit<PlacementSettings, "metric"> {
  const asked = Object.fromEntries(placementNames.map((name) => [name, fieldOf(given, name) ?? undefined]));
  let settings: ReturnType<typeof embedOptions.resolve>;
  try {
    settings = embedOptions.resolve("loadMap", asked);
  } catch (cause) {
    throw damagedModel("has settings that no map can have", undefined, cause);
  }
  const { method, lambda, perplexity, neighbors, neighborSearch, gradient, theta, seed } = settings;
  const repulsion = asked["repulsion"] === undefined ? undefined : settings.repulsion;
  if (
    lambda === undefined ||
    gradient === "auto" ||
    gradient === "gpu" ||
    neighborSearch === "gpu" ||
    repulsion === "auto" ||
    neighbors === "auto"
  )
    throw damagedModel("has settings that depend on the data");
  const most = neighbors === "all" ? N : neighbors;
  if (method === "nonsymmetric-tsne") throw damagedModel("has a method that places no points", method);
  if (perplexity === undefined || !(largest(perplexity) < most && most <= N))
    throw damagedModel("has a perplexity or neighbours that its points cannot have", perplexity);
  return { method, lambda, perplexity, neighbors, neighborSearch, repulsion, gradient, theta, seed };
}

function scaledIn(
  given: unknown,
): { readonly method: Scaling["method"]; readonly columns: number } | undefined {
  if (given === null) return undefined;
  const method = scalings.find((each) => each === fieldOf(given, "method"));
  const columns = fieldOf(given, "columns");
  if (method !== undefined && isSize(columns, 1)) return { method, columns };
  throw damagedModel("has an unknown scaling", given);
}

function projectedIn(given: unknown): (Pick<Projection, "full"> & { readonly columns: number }) | undefined {
  if (given === null) return undefined;
  const columns = fieldOf(given, "columns");
  const full = fieldOf(given, "full");
  const isColumn = (j: unknown): j is number => isSize(columns, 1) && isSize(j, 0) && j < columns;
  if (isSize(columns, 1) && Array.isArray(full) && full.every(isColumn)) return { columns, full };
  throw damagedModel("has principal components that it cannot have", given);
}

const fieldOf = (given: unknown, name: string): unknown =>
  typeof given === "object" && given !== null ? Reflect.get(given, name) : undefined;

const isSize = (value: unknown, least: number): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= least;

function sizeIn(fields: ReadonlyMap<string, unknown>, name: string, least: number): number {
  const value = fields.get(name);
  if (isSize(value, least)) return value;
  throw damagedModel(`has a number of ${name} that it cannot have`, value);
}
