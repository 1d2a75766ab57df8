/**
 * What is said of a run that has found no point with a lower F than the first one, which is then its result: where it went,
 * and what to try.
 */
import { parseSumSolverName, type Status, type SumSolverMethod } from "@curvature/optim-core";
import { shortNumber } from "../../run/terminal.js";
import type { SolverChoice } from "./solvers.js";

/** What to give where F rose, and where it stood still. */
const advice: Readonly<Record<SumSolverMethod, { readonly risen: string; readonly still: string }>> = {
  sgd: { risen: "a shorter step (sgd:step)", still: "a longer step (sgd:step)" },
  momentum: { risen: "a shorter step (momentum:step)", still: "a longer step (momentum:step)" },
  adagrad: { risen: "a shorter step (adagrad:step)", still: "a longer step (adagrad:step)" },
  adam: { risen: "a shorter step (adam:step)", still: "a longer step (adam:step)" },
  sag: { risen: "a larger Lipschitz constant (sag:L)", still: "a smaller Lipschitz constant (sag:L)" },
  lbfgs: { risen: "more passes", still: "more passes" },
  "minibatch-lbfgs": {
    risen: "fewer batches and iterations (minibatch-lbfgs:2:3): each batch pulls to a minimum of its own",
    still: "fewer batches (minibatch-lbfgs:2)",
  },
  "hessian-free": { risen: "more passes", still: "more passes, or a smaller damping (hessian-free:damping)" },
};

/** Those whose steps are estimated where no length is given. */
const estimating: readonly SumSolverMethod[] = ["sgd", "momentum", "sag"];

export interface RunEnd {
  readonly status: Status;
  /** F at the first point. */
  readonly start: number;
  /** F where it was measured last; undefined where it never could be after the first point. */
  readonly last: number | undefined;
  readonly passes: number;
}

/** Undefined where the status says it all: such a point may be a minimum, and a failure has its own message. */
export function noDecrease({ word, isSfo }: SolverChoice, end: RunEnd): string | undefined {
  const { status, start, last, passes } = end;
  if (status === "converged" || status === "failed" || status === "aborted") return undefined;
  const hasRisen = last === undefined || last > start || status === "diverged";
  const seen = last === undefined ? "it could not be measured" : `it was ${shortNumber(last)}`;
  return `${word}: F is nowhere lower than at the first point, ${shortNumber(start)}, which is kept; after ${shortNumber(passes)} passes ${seen}. Give ${isSfo ? "more passes" : advised(word, hasRisen)}.`;
}

function advised(word: string, hasRisen: boolean): string {
  const { method, numbers } = parseSumSolverName(word);
  const { risen, still } = advice[method];
  const isGiven = numbers.length > 0 && estimating.includes(method);
  return `${hasRisen ? risen : still}${isGiven ? `, or ${method} alone, which estimates it` : ""}`;
}
