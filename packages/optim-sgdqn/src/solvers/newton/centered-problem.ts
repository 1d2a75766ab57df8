/** A problem in the coordinates of Newton's method, and the parameters there and back. */
import { type Bias, type LinearProblem, parameterCount } from "@curvature/objectives/linear";
import type { SharedRows } from "../../multiclass/shared-rows.js";
import { DoubleSum } from "../double-sum.js";
import { longestScore } from "../rounding.js";
import { type CenteredRows, centeredRows } from "./centered-rows.js";
import { shares } from "./loss-sweep.js";
import { rowSweeps } from "./sweeps/row-sweeps.js";

export interface CenteredProblem {
  readonly problem: LinearProblem;
  /** cᵢ: the importances over n. */
  readonly c: Float64Array;
  /** (Σ cᵢ xᵢⱼ²)^½ by parameters, xᵢ with a last entry 1 for a bias. */
  readonly sizes: Float64Array;
  /** The most terms that are added one after the other to a score. */
  readonly longest: number;
  /** w and b̃ = b + w·x̄ − ȳ; a copy. */
  inward(x: Float64Array): Float64Array;
  /** w and b for w and b̃; a copy. @param delta - to be added to b̃ */
  outward(x: Float64Array, delta?: number): Float64Array;
}

interface Known extends CenteredRows {
  readonly importances: Float64Array | undefined;
  readonly bias: Bias;
  readonly c: Float64Array;
  readonly sizes: Float64Array;
  readonly longest: number;
}

/** Classes of one problem share their rows. */
const ofShared = new WeakMap<SharedRows, Known>();

/** For a free bias columns and targets are moved to zero, see `centered-rows.ts`; other problems stay as they are. */
export function centered(problem: LinearProblem, shared: SharedRows | undefined): CenteredProblem {
  const { importances, loss, targets, bias } = problem;
  const found = shared && ofShared.get(shared);
  const known: Known =
    found !== undefined && found.importances === importances && found.bias === bias ? found : looked(problem);
  if (shared !== undefined) ofShared.set(shared, known);
  const { rows, shift, c, sizes, longest } = known;
  if (bias !== "free")
    return { problem, c, sizes, longest, inward: (x) => x.slice(), outward: (x) => x.slice() };
  const center = loss.task === "regression" ? meanOf(targets, importances) : 0;
  const sum = new DoubleSum();
  /** b + sign · (w·x̄ − ȳ), rounded once: a score is to be off by no more than its bias is. */
  const movedBias = (b: number, sign: 1 | -1, x: Float64Array): number => {
    sum.start(b);
    sum.add(-sign * center);
    if (shift !== undefined)
      for (let j = 0; j < shift.high.length; j++) {
        sum.addProduct(sign * x[j], shift.high[j]);
        sum.addProduct(sign * x[j], shift.low[j]);
      }
    return sum.value;
  };
  return {
    problem: { ...problem, rows, targets: center === 0 ? targets : targets.map((y) => y - center) },
    c,
    sizes,
    longest,
    inward(x) {
      const moved = x.slice();
      moved[x.length - 1] = movedBias(x[x.length - 1], 1, x);
      return moved;
    },
    outward(x, delta = 0) {
      const moved = x.slice();
      moved[x.length - 1] = movedBias(x[x.length - 1] + delta, -1, x);
      return moved;
    },
  };
}

function looked(problem: LinearProblem): Known {
  const { rows, importances, bias } = problem;
  const moved = bias === "free" ? centeredRows(rows, importances) : { rows, shift: undefined };
  const c = shares(problem);
  const sizes = new Float64Array(parameterCount(problem));
  rowSweeps(moved.rows, bias).addSquares(c, sizes, 0, c.length);
  for (let j = 0; j < sizes.length; j++) sizes[j] = Math.sqrt(sizes[j]);
  return { ...moved, importances, bias, c, sizes, longest: longestScore(rows) };
}

function meanOf(values: Float64Array, weights: Float64Array | undefined): number {
  let sum = 0;
  let total = 0;
  for (let i = 0; i < values.length; i++) {
    const weight = weights === undefined ? 1 : weights[i];
    sum += weight * values[i];
    total += weight;
  }
  return total > 0 && Number.isFinite(sum) ? sum / total : 0;
}
