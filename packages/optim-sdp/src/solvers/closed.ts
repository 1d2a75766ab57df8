/**
 * NOMAD where only one point is feasible: Q = E = 1 1ᵀ/n for K = 1, Q = I for K = n. Memory O(n).
 */
import { CurvatureError, zeros } from "@curvature/linalg";
import { type Iteration, type Outcome, openSnapshot, type Point, type Snapshot } from "@curvature/optim-core";
import { FactoredSolution } from "../geometry/solution.js";
import { centralValue, isClosed, type NomadProblem, problemFingerprint } from "../problem.js";
import type { MethodDetails } from "./method.js";

const VERSION = 1;
const outcome: Outcome = {
  status: "converged",
  message: "Only one point is feasible; it is optimal.",
};

export class Closed {
  readonly name = "closed";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly solution: FactoredSolution;
  private readonly value: number;
  /** Of Q − E. */
  private readonly rank: number;
  private index = 0;

  /** @throws CurvatureError ERR_ARGUMENT unless K is 1 or n */
  constructor(problem: NomadProblem) {
    if (!isClosed(problem))
      throw new CurvatureError("ERR_ARGUMENT", "Closed: K must be 1 or the number of points.", {
        path: "clusters",
        received: problem.clusters,
      });
    const { gram, clusters } = problem;
    const { n } = gram;
    const isIdentity = clusters === n;
    this.dimension = n;
    this.fingerprint = problemFingerprint(problem);
    this.solution = new FactoredSolution({
      factor: zeros(n, 1),
      diagonal: new Float64Array(n).fill(isIdentity ? 1 : 0),
      constant: isIdentity ? 0 : 1,
      sweeps: 0,
    });
    this.value = centralValue(problem);
    this.rank = clusters - 1;
  }

  get best(): Point {
    return { x: this.solution.point.factor.data, value: this.value };
  }

  get last(): Point {
    return this.best;
  }

  step(): Iteration<MethodDetails> {
    if (this.index === 0) this.index++;
    return {
      index: this.index,
      value: this.value,
      gradientNorm: undefined,
      stepLength: undefined,
      evaluations: this.index,
      gradientEvaluations: 0,
      monitoringEvaluations: 0,
      passes: this.index,
      phase: "iteration",
      details: { gap: 0, lower: this.value, upper: this.value, rank: this.rank },
      outcome,
    };
  }

  save(): Snapshot {
    return { solver: this.name, version: VERSION, state: { index: this.index } };
  }

  restore(snapshot: Snapshot): void {
    this.index = openSnapshot(snapshot, this.name, VERSION).integer("index");
  }
}
