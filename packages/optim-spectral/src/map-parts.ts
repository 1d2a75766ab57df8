/** What a finished map is made of, and what it says of new points: plain data. */
import { CurvatureError, type DenseMatrix, type Scaling, type Warning } from "@curvature/linalg";
import type { Preparation } from "@curvature/linalg/tables";
import { type EuclideanMetric, isEuclidean } from "@curvature/objectives/embedding";
import type { EmbedSettings } from "./embed-settings.js";
import type { Projection } from "./projection.js";
import type { Neighborhood, Source } from "./source.js";

/** Of the settings of a map, those that a new point's place depends on. */
export type PlacementSettings = Pick<
  EmbedSettings,
  "lambda" | "perplexity" | "neighbors" | "neighborSearch" | "repulsion" | "gradient" | "theta" | "seed"
> & {
  readonly metric: EuclideanMetric;
  readonly method: Exclude<EmbedSettings["method"], "nonsymmetric-tsne">;
};

/** What happens to rows before they are compared with those of the map, in this order. */
export interface RowSteps {
  /** How a table becomes rows: for those who read tables; `transform` takes rows of numbers. */
  readonly preparation: Preparation | undefined;
  readonly scaling: Scaling | undefined;
  readonly projection: Projection | undefined;
}

export interface MapParts extends RowSteps {
  /** The rows of the map as the affinities saw them, N × D; not copied. */
  readonly data: DenseMatrix;
  /** Their places, N × d. */
  readonly places: DenseMatrix;
  readonly settings: PlacementSettings;
  /** The distance of each row of `data` to the nearest that differs from it, ascending; rows of which none is known are left out. */
  readonly gaps: Float64Array;
}

/** Places of new points. */
export interface PlacedPoints {
  /** M × d. The map itself stays as it is. */
  readonly embedding: DenseMatrix;
  /** From each new point to the nearest point of the map, in the unit in which neighbours were searched. */
  readonly distances: Float64Array;
  /**
   * How unusual that is: the share of the map's points that are nearer to the nearest that differs from them, from 0 to 1. 1 is
   * farther than all of them.
   */
  readonly quantiles: Float64Array;
  /** 1 for a point whose quantile is 1, else 0: what its place means nobody knows. */
  readonly outside: Uint8Array;
  /** The share of the true nearest neighbours that the search found, as in `EmbedResult`. */
  readonly neighborRecall: number | undefined;
  /** With the codes "outside", "perplexity" and "neighbor-search"; empty where all is well. */
  readonly warnings: readonly Warning[];
}

/** Columns of the rows that a map takes. */
export const columnsOf = ({ scaling, projection, data }: MapParts): number =>
  scaling?.offsets.length ?? projection?.means.length ?? data.columns;

/**
 * All but the places; undefined where the map can place no new points.
 *
 * @param near - of the data, before affinities overwrite it
 */
export function partsOf(
  source: Source,
  near: Neighborhood,
  settings: EmbedSettings,
  projection: Projection | undefined,
): Omit<MapParts, "places"> | undefined {
  if (source.kind !== "points" || !("data" in source.data) || !isEuclidean(source.metric)) return undefined;
  const { method, kernel } = settings;
  if (method === "nonsymmetric-tsne" || kernel !== undefined) return undefined;
  const { data, metric } = source;
  const gaps =
    "data" in near
      ? gapsOf(near.data, near.columns)
      : gapsOf("count" in near ? near.distances : new Float64Array(0), "count" in near ? near.count : 1);
  return {
    ...{ data, projection, gaps, scaling: undefined, preparation: undefined },
    settings: { ...settings, metric, method },
  };
}

function gapsOf(squaredDistances: Float64Array, width: number): Float64Array {
  const gaps: number[] = [];
  for (let n = 0; n < squaredDistances.length; n += width) {
    let nearest = Number.POSITIVE_INFINITY;
    for (let p = n; p < n + width; p++)
      if (squaredDistances[p] > 0 && squaredDistances[p] < nearest) nearest = squaredDistances[p];
    if (nearest < Number.POSITIVE_INFINITY) gaps.push(Math.sqrt(nearest));
  }
  return Float64Array.from(gaps).sort();
}

/** @throws CurvatureError ERR_SHAPE for fewer than 3 points, which have no neighbourhoods */
export function checkPlaces({ places }: MapParts): void {
  if (places.rows >= 3) return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `A map of ${places.rows} point${places.rows === 1 ? "" : "s"} places no others: it has no neighbourhoods. Make one of 3 or more.`,
    { path: "map", expected: "at least 3 points", received: places.rows },
  );
}
