/**
 * NOMAD where the answer can be written down.
 *
 * One feasible point  K = 1: Q = E = 1 1ᵀ/n;  K = n: Q = I. Memory O(n)
 * Blocks              D = Q_l of a layer whose graph has c components, K = c: Q = Σ_C 1_C 1_Cᵀ/|C|, of the value Tr(D Q) = c where nothing
 *                     leads from one component to another. UB_F(S = 0), at most c as ‖D‖₂ ≤ 1, certifies it: the gap is what
 *                     leads across. Here iterations would be slow: the value hardly changes between Q with small entries
 *                     across and the blocks
 */
import { type Components, zeros } from "@curvature/linalg";
import type { Iteration, Outcome, Point } from "@curvature/optim-core";
import { DeclaredSolver, stateOf, whole } from "@curvature/optim-core/state";
import { relativeGap } from "../bounds/certificate.js";
import { type FactoredPoint, factoredValue, partitionPoint } from "../bounds/factored-point.js";
import { upperBounds } from "../bounds/upper.js";
import { FactoredSolution } from "../geometry/solution.js";
import type { Bounds } from "../nomad-result.js";
import {
  closedBounds,
  isClosed,
  type NomadProblem,
  onlyOneFeasible,
  problemFingerprint,
} from "../problem.js";

interface Answer {
  readonly point: FactoredPoint;
  readonly value: number;
  readonly upper: number;
  /** Of Q − E. */
  readonly rank: number;
  readonly message: string;
}

/** The only feasible point, for K = 1 or K = n; undefined for others. */
export function onlyPoint(problem: NomadProblem): Closed | undefined {
  if (!isClosed(problem)) return undefined;
  const { gram, clusters } = problem;
  const { n } = gram;
  const isIdentity = clusters === n;
  const { lower, upper } = closedBounds(problem);
  return new Closed(problem, {
    point: {
      factor: zeros(n, 1),
      diagonal: new Float64Array(n).fill(isIdentity ? 1 : 0),
      constant: isIdentity ? 0 : 1,
      sweeps: 0,
    },
    value: lower,
    upper,
    rank: clusters - 1,
    message: onlyOneFeasible.message,
  });
}

/** The blocks of the components, if their certified gap is at most the tolerance. @throws CurvatureError ERR_MEMORY */
export function blocksOf(
  problem: NomadProblem,
  { count, labels }: Components,
  tolerance: number,
): Closed | undefined {
  const { gram } = problem;
  const { n } = gram;
  const point = partitionPoint(labels, count);
  const value = factoredValue(gram, point);
  const upper = upperBounds(problem, zeros(n, n)).fantope;
  const gap = relativeGap(upper, value);
  if (!(gap <= tolerance)) return undefined;
  const message = `The components as blocks have the certified relative gap ${gap.toPrecision(3)}, at most ${tolerance}.`;
  return new Closed(problem, { point, value, upper, rank: count - 1, message });
}

/** What every solver says of an iteration to the layers. */
export interface MethodDetails extends Bounds {
  /** Of X − E, X the solver's own point before its repair. */
  readonly rank?: number | undefined;
}

export class Closed extends DeclaredSolver {
  readonly name = "closed";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly solution: FactoredSolution;
  readonly upper: number;
  private readonly answer: Answer;
  protected readonly state = stateOf({ index: whole() });

  constructor(problem: NomadProblem, answer: Answer) {
    super();
    this.dimension = problem.gram.n;
    this.fingerprint = problemFingerprint(problem);
    this.solution = new FactoredSolution(answer.point);
    this.upper = answer.upper;
    this.answer = answer;
  }

  get best(): Point {
    return { x: this.answer.point.factor.data, value: this.answer.value };
  }

  get last(): Point {
    return this.best;
  }

  /** Whether it has made its one step. */
  get isOver(): boolean {
    return this.state.index > 0;
  }

  step(): Iteration<MethodDetails> {
    if (this.state.index === 0) this.state.index++;
    const { value, upper, rank, message } = this.answer;
    const outcome: Outcome = { status: "converged", message };
    return {
      index: this.state.index,
      value,
      gradientNorm: undefined,
      stepLength: undefined,
      evaluations: this.state.index,
      gradientEvaluations: 0,
      monitoringEvaluations: 0,
      passes: this.state.index,
      phase: "iteration",
      details: { gap: relativeGap(upper, value), lower: value, upper, rank },
      outcome,
    };
  }
}
