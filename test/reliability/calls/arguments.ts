/** Small arguments that calls take. */
import * as linalg from "@curvature/linalg";
import * as embedding from "@curvature/objectives/embedding";
import * as linear from "@curvature/objectives/linear";
import * as ordinal from "@curvature/objectives/ordinal";
import * as sdp from "@curvature/optim-sdp";
import * as sgdqn from "@curvature/optim-sgdqn";
import * as spectral from "@curvature/optim-spectral";
import { affinities, answers, denseRows, distancesOf, noise, points } from "../problems.ts";

export const square = () => ({ rows: 3, columns: 3, data: Float64Array.of(4, 1, 0, 1, 3, 1, 0, 1, 2) });
export const sparse = () => linalg.toSparse(square());
export const data = () => points(12);
export const distances = () => distancesOf(points(9));
export const dense = (rows: readonly (readonly number[])[]) => linalg.toDense(rows.map((row) => [...row]));
export const conditional = () => embedding.entropicAffinities(data(), { perplexity: 3 }).conditional;
export const gram = () => sdp.gramOfPoints(points(9));
export const graph = () => spectral.attractiveGraph(affinities());
export const central = () => sdp.centralPoint(9, 3);
export const factored = () => sdp.repairFactor(3, { rows: 9, columns: 4, data: noise(36, 2).map(Math.abs) });
export const weights = () => ({ attraction: affinities(), repulsion: "constant" as const });
export const multiclass = () => ({
  rows: denseRows(),
  labels: Int32Array.from({ length: 12 }, (_, i) => i % 3),
  classes: 3,
  loss: linear.linearLoss("squared-hinge"),
  lambda: 0.01,
  bias: "regularized" as const,
});
export const createSolver: sgdqn.CreateLinearSolver = (problem, { shared }) =>
  new sgdqn.DualCoordinateDescent(problem, { shared, tolerance: 0.1 });
export const objectiveOfAnswers = () => ordinal.ordinalObjective(answers, "ste", 2);
export const classNumbers = (n = 12) => Array.from({ length: n }, (_, i) => i % 3);
export const zeroOne = () => points(12).map((row) => row.map((x) => (x > 0 ? 1 : 0)));
