/**
 * Clusters that later rows are assigned to: centres, how far the rows of the training lay from them, and the scaling that they were
 * found under.
 *
 * Row x, scaled as those of the training were, goes to the centre m_c at the least distance ‖x − m_c‖, the first of equal ones. It is
 * outside where that distance is larger than those of all training rows that go to this centre. Of places on the earth the centres are
 * means of points in space, and distances are kilometres along the sphere to the place above such a mean.
 */
import {
  applyScaling,
  badArgument,
  CurvatureError,
  type DenseMatrix,
  type MatrixLike,
  norm2,
  type Scaling,
  toDense,
  zeros,
} from "@curvature/linalg";
import type { Preparation } from "@curvature/linalg/tables";
import { clusterCount, clusterMeans, clusterSizes } from "./rows-of-clusters.js";
import { greatCircle, onSphere, placesOf, type Sphere } from "./sphere.js";

/** Shares of the training rows of a cluster for each of which a model knows a distance; the last is that of the farthest row. */
export const radiusShares = [0.5, 0.9, 0.99, 1] as const;

/** What a model of clusters is made of. */
export interface ClusterModelParts {
  /** k × d, in the unit of the scaled rows; of places k × 3, see `spherePoints`. */
  readonly centers: DenseMatrix;
  /** Training rows of each cluster. */
  readonly sizes: Int32Array;
  /** k × 4: distances within which `radiusShares` of the training rows that go to a centre lie, in the unit of `distances`. */
  readonly radii: DenseMatrix;
  /** Of the training, in the square of that unit; undefined where they are not known. */
  readonly cost: number | undefined;
  readonly costLower: number | undefined;
  /** What rows go through first: `standard` for columns of one scale, `unit-rows` for the cosine, `sphere` for places, undefined for nothing. */
  readonly scaling: Scaling | Sphere | undefined;
  /** How a table becomes rows; undefined for rows that were given as numbers. */
  readonly preparation: Preparation | undefined;
}

/** Where rows belong. */
export interface ClusterAssignment {
  /** Of each row the number of its cluster. */
  readonly labels: Int32Array;
  /** Of each row from the centre of its cluster, in the unit of the scaled rows, of places in km; Infinity where it overflows. */
  readonly distances: Float64Array;
  /** Of each row 1 where it is farther from its centre than all training rows that go there, else 0. */
  readonly outside: Uint8Array;
}

/** Made by `clusterModel`, or from a file by `loadClusterModel`. */
export class ClusterModel {
  constructor(readonly parts: ClusterModelParts) {}

  /** k */
  get clusters(): number {
    return this.parts.centers.rows;
  }

  /** d, the columns of the rows that it takes. */
  get features(): number {
    const { centers, scaling } = this.parts;
    return scaling?.method === "sphere" ? 2 : centers.columns;
  }

  /**
   * The centres in the data's own unit, k × d, places in degrees; with `unit-rows` they are means of rows of length 1. NaN for places that
   * lie all around the globe, as two opposite ones do: none is their centre, and all are 10,000 km from where their mean is.
   */
  get means(): DenseMatrix {
    const { centers, scaling } = this.parts;
    if (scaling === undefined || scaling.method === "unit-rows") return centers;
    if (scaling.method === "sphere") return placesOf(centers, scaling.order);
    const { offsets, scales } = scaling;
    const d = centers.columns;
    return { ...centers, data: centers.data.map((x, at) => x * scales[at % d] + offsets[at % d]) };
  }

  /**
   * The cluster of each row, how far it is from its centre, and whether that is farther than any row of the training was.
   *
   * @param points - n × d, as they are: the model scales them
   * @throws CurvatureError ERR_SHAPE for other columns than the model's, ERR_NON_FINITE; ERR_ARGUMENT for a row of zeros where rows
   *   are brought to length 1, or degrees out of range
   */
  assign(points: MatrixLike): ClusterAssignment {
    const { centers, radii, scaling } = this.parts;
    const X = toDense(points, "points");
    if (X.columns !== this.features && X.rows > 0)
      throw new CurvatureError(
        "ERR_SHAPE",
        `points must have ${this.features} columns, as those of the model; received ${X.columns}.`,
        { where: "assign", path: "points", expected: `${this.features} columns`, received: X.columns },
      );
    const { labels, distances } = nearest(scaledRows("assign", X, scaling), centers, scaling);
    const last = radii.columns - 1;
    const outside = Uint8Array.from(labels, (c, i) =>
      Number(distances[i] > radii.data[c * radii.columns + last]),
    );
    return { labels, distances, outside };
  }
}

/** Labels of rows, with their certificate if they have one: what `clusterPoints` returns. */
export interface ClusteredRows {
  /** Of each row the number of its cluster, 0 … k − 1; −1 for a row of none, which counts for nothing. */
  readonly labels: ArrayLike<number>;
  readonly cost?: number | undefined;
  readonly costLower?: number | undefined;
}

/**
 * The model of clusters that were found.
 *
 * @example
 * const points = [[0, 1000], [1, 1010], [9, 1900], [10, 1890]];
 * const scaling = fitScaling(points, "standard");
 * const found = await clusterPoints(applyScaling(scaling, points), { clusters: 2 });
 * const model = clusterModel(points, found, scaling);
 * console.log(model.assign([[2, 1020], [9, 1500]])); // labels 0 and 1; both are outside, the second one far
 *
 * @param points - n × d, as they are
 * @param scaling - what they were scaled by before they were clustered (`fitScaling`), or that they are places (`spherePoints`); left
 *   out: nothing
 * @param preparation - how a table became the points; kept with the model for those who read tables
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE; ERR_ARGUMENT for labels that are none, a row of zeros where rows are brought to
 *   length 1, or degrees out of range
 */
export function clusterModel(
  points: MatrixLike,
  clustered: ClusteredRows,
  scaling?: Scaling | Sphere,
  preparation?: Preparation,
): ClusterModel {
  const where = "clusterModel";
  const X = scaledRows(where, toDense(points, "points"), scaling);
  if (typeof clustered !== "object" || clustered === null)
    throw badArgument(where, "clustered", "an object with labels, as clusterPoints returns it", clustered);
  const { labels, cost, costLower } = clustered;
  const k = clusterCount(where, labels, X.rows);
  const centers = clusterMeans(X, labels, k);
  return new ClusterModel({
    centers,
    sizes: clusterSizes(labels, k),
    radii: radiiOf(X, labels, centers, scaling),
    cost,
    costLower,
    scaling,
    preparation,
  });
}

/** @throws CurvatureError as `applyScaling`, and ERR_ARGUMENT for a row of zeros, which has no direction */
function scaledRows(where: string, X: DenseMatrix, scaling: ClusterModelParts["scaling"]): DenseMatrix {
  if (scaling === undefined || X.rows === 0) return X;
  if (scaling.method === "sphere") return onSphere(where, X, scaling.order);
  const scaled = applyScaling(scaling, X);
  const zero = scaling.method === "unit-rows" ? zeroRow(X) : -1;
  if (zero < 0) return scaled;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `row ${zero} (counted from 0) of the points is all 0 and has no direction. Leave it out, or do not bring rows to length 1.`,
    { where, path: "points", received: zero },
  );
}

function zeroRow({ rows, columns, data }: DenseMatrix): number {
  for (let i = 0; i < rows; i++)
    if (data.subarray(i * columns, (i + 1) * columns).every((x) => x === 0)) return i;
  return -1;
}

/** The nearest centre of each row, the first of equal ones. */
function nearest(
  X: DenseMatrix,
  centers: DenseMatrix,
  scaling: ClusterModelParts["scaling"],
): { readonly labels: Int32Array; readonly distances: Float64Array } {
  const { rows, columns: d } = X;
  const labels = new Int32Array(rows);
  const distances = new Float64Array(rows).fill(Number.POSITIVE_INFINITY);
  const difference = new Float64Array(d);
  for (let i = 0; i < rows; i++) {
    for (let c = 0; c < centers.rows; c++) {
      for (let j = 0; j < d; j++) difference[j] = X.data[i * d + j] - centers.data[c * d + j];
      const distance = norm2(difference);
      if (!(distance < distances[i])) continue;
      distances[i] = distance;
      labels[i] = c;
    }
    if (scaling?.method !== "sphere") continue;
    const c = labels[i];
    distances[i] = greatCircle(X.data.subarray(3 * i, 3 * i + 3), centers.data.subarray(3 * c, 3 * c + 3));
  }
  return { labels, distances };
}

/** Of the rows that are of some cluster, by the centre that each one is nearest to: as later rows are assigned. */
function radiiOf(
  X: DenseMatrix,
  labels: ArrayLike<number>,
  centers: DenseMatrix,
  scaling: ClusterModelParts["scaling"],
): DenseMatrix {
  const found = nearest(X, centers, scaling);
  const distancesOf: number[][] = Array.from({ length: centers.rows }, () => []);
  for (let i = 0; i < X.rows; i++) if (labels[i] >= 0) distancesOf[found.labels[i]].push(found.distances[i]);
  const radii = zeros(centers.rows, radiusShares.length);
  for (const [c, distances] of distancesOf.entries()) {
    const sorted = Float64Array.from(distances).sort();
    for (const [s, share] of radiusShares.entries()) {
      const last = Math.max(0, Math.ceil(share * sorted.length) - 1);
      radii.data[c * radii.columns + s] = sorted.length === 0 ? 0 : sorted[last];
    }
  }
  return radii;
}
