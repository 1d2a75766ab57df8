/**
 * New points in a finished map, each alone among the N that stay where they are.
 *
 * Problem    min_x E(x), the out-of-sample objective of the map's model
 * Iteration  x ← x − α ∇E / b(x),   Armijo with c₁ = 0.1, ρ = 0.8, from the α before
 * Start      x = Σ_m p_m x_m; x stays within twice the map's radius, for where the repulsion wins E falls without end
 *
 * | symbol | variable  | shape                                             |
 * |--------|-----------|---------------------------------------------------|
 * | x      | x         | d, of one new point                               |
 * | b      | scale     | the spectral direction's matrix, a number here    |
 *
 * Carreira-Perpiñán: The elastic embedding algorithm for dimensionality reduction, ICML 2010, section 5. Differs: b
 * has A′ taken at x, not at 0, which majorises the attraction just as well and takes longer steps where the kernel's
 * tail is heavy. Time O(N d) per iteration and point.
 */
import {
  type DenseMatrix,
  dot,
  type SparseMatrix,
  type SparseMatrixLike,
  squaredDistance,
  zeros,
} from "@curvature/linalg";
import {
  checkMagnitudes,
  checkSameColumns,
  type OutOfSampleObjective,
  outOfSampleAffinities,
  outOfSampleDistanceWeights,
  outOfSampleObjective,
} from "@curvature/objectives/embedding";
import { type EmbedSettings, largestEntry, type Size } from "./embed-settings.js";
import { finitePoints, type Projected } from "./embedding-problem.js";

const maxIterations = 500;
const maxReductions = 60;
const sufficientDecrease = 0.1;
const shrink = 0.8;
const tolerance = 1e-7;

/**
 * The `transform` of a finished map: new points are prepared as the known ones were, and placed one by one.
 *
 * @param known - of the data as it was given
 * @param projected - the data as the affinities saw it, N × D, not copied, and what does the same to new points
 * @param given - the map, N × d, copied: its owner may scale it for a picture
 */
export function transformer(
  { rows, columns }: Size,
  { data, project }: Projected,
  given: DenseMatrix,
  settings: EmbedSettings,
): (newPoints: SparseMatrixLike) => DenseMatrix {
  const map = { ...given, data: given.data.slice() };
  const { method, lambda, perplexity, neighbors } = settings;
  // Without repulsion s-SNE's place is the mean of the neighbours, weighted by p.
  const model = method === "laplacian" ? ("ssne" as const) : method;
  return (newPoints) => {
    const fresh = finitePoints(newPoints, "newPoints");
    if (fresh.rows === 0) return zeros(0, map.columns);
    checkSameColumns(fresh, { columns }, "newPoints");
    checkMagnitudes(fresh, "newPoints", largestEntry({ rows, columns }));
    const queries = project(fresh);
    const { affinities } = outOfSampleAffinities(queries, data, { perplexity, neighbors });
    const repulsion =
      settings.repulsion === "distance" ? outOfSampleDistanceWeights(queries, data) : "constant";
    const objective = outOfSampleObjective(model, map, affinities, {
      lambda: method === "laplacian" ? 0 : lambda,
      repulsion,
    });
    return placeNewPoints(objective, map);
  };
}

/**
 * @param map - N × d, the map that the objective was made for
 * @returns M × d
 */
export function placeNewPoints(objective: OutOfSampleObjective, map: DenseMatrix): DenseMatrix {
  const { points: rows, dimensions: columns } = objective;
  const data = objective.start();
  const ball = ballAround(map);
  for (let i = 0; i < rows; i++) place(objective, i, ball, data.subarray(i * columns, (i + 1) * columns));
  return { rows, columns, data };
}

/** Moves x from its start to where E is least. */
function place(objective: OutOfSampleObjective, point: number, ball: Ball, x: Float64Array): void {
  const gradient = new Float64Array(x.length);
  const trial = new Float64Array(x.length);
  const nearly = tolerance * ball.radius;
  let alpha = 1;
  for (let k = 0; k < maxIterations; k++) {
    const E = objective.evaluatePoint(point, x, gradient);
    const scale = objective.scaleAt(point, x);
    let reductions = 0;
    for (; reductions < maxReductions; reductions++) {
      for (let i = 0; i < x.length; i++) trial[i] = x[i] - (alpha * gradient[i]) / scale;
      pullIn(trial, ball);
      let promised = 0;
      for (let i = 0; i < x.length; i++) promised += gradient[i] * (trial[i] - x[i]);
      if (objective.evaluatePoint(point, trial) <= E + sufficientDecrease * promised) break;
      alpha *= shrink;
    }
    if (reductions === maxReductions) return;
    const moved = squaredDistance(trial, x);
    x.set(trial);
    if (moved <= nearly * nearly) return;
  }
}

interface Ball {
  readonly centre: Float64Array;
  readonly radius: number;
}

/** The least about the map's mean that holds it. */
function ballAround({ rows: N, columns: d, data }: DenseMatrix): Ball {
  const centre = new Float64Array(d);
  for (let k = 0; k < data.length; k++) centre[k % d] += data[k] / N;
  let farthest = 0;
  for (let k = 0; k < data.length; k += d)
    farthest = Math.max(farthest, squaredDistance(data.subarray(k, k + d), centre));
  return { centre, radius: Math.sqrt(farthest) };
}

/** Onto the ball of twice the radius. */
function pullIn(x: Float64Array, { centre, radius }: Ball): void {
  const distance = Math.sqrt(squaredDistance(x, centre));
  if (distance <= 2 * radius) return;
  const scale = (2 * radius) / distance;
  for (let i = 0; i < x.length; i++) x[i] = centre[i] + scale * (x[i] - centre[i]);
}

/** The \`transform\` of a map of one or two points: along the line through two of them; else where the one is. */
export function placesAmongFew(
  points: DenseMatrix | SparseMatrix,
  map: DenseMatrix,
): (newPoints: SparseMatrixLike) => DenseMatrix {
  const known = denseRows(points);
  const [a, b = a] = known;
  const along = b.map((value, j) => value - a[j]);
  const square = dot(along, along);
  return (newPoints) => {
    const fresh = finitePoints(newPoints, "newPoints");
    checkSameColumns(fresh, points, "newPoints");
    const places = zeros(fresh.rows, map.columns);
    if (known.length === 1) return places;
    for (const [n, row] of denseRows(fresh).entries()) {
      const share =
        square > 0
          ? dot(
              along,
              row.map((value, j) => value - a[j]),
            ) / square
          : 0.5;
      places.data[n * map.columns] = 2 * Math.max(-0.5, Math.min(1.5, share)) - 1;
    }
    return places;
  };
}

function denseRows(points: DenseMatrix | SparseMatrix): readonly Float64Array[] {
  const { rows, columns } = points;
  return Array.from({ length: rows }, (_, n) => {
    if ("data" in points) return points.data.slice(n * columns, (n + 1) * columns);
    const row = new Float64Array(columns);
    for (let p = points.rowPointers[n]; p < points.rowPointers[n + 1]; p++)
      row[points.columnIndices[p]] = points.values[p];
    return row;
  });
}
