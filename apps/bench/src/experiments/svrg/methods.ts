/**
 * The methods of the paper's comparison, with the step sizes of its authors' scripts and with tuned ones. Steps are B, in
 * units of the mean loss's gradient: N η for the η of a single answer.
 */
import type { OrdinalLossName } from "@curvature/objectives/ordinal";
import type { OrdinalSolverOptions } from "@curvature/optim-svrg";

export interface Method {
  readonly name: string;
  readonly options: OrdinalSolverOptions;
}

export type PaperLoss = Extract<OrdinalLossName, "gnmds" | "ckl" | "ste" | "tste">;
export const paperLosses: readonly PaperLoss[] = ["gnmds", "ckl", "ste", "tste"];
export const lossTitles: Readonly<Record<PaperLoss, string>> = {
  gnmds: "GNMDS",
  ckl: "CKL",
  ste: "STE",
  tste: "t-STE",
};

interface Steps {
  readonly sgd: number;
  readonly svrg: number;
  readonly sbb: number;
  readonly epsilon: number;
}

/** η of the authors' scripts for the synthetic set (N = 10,000); CKL has no script and takes STE's. */
const scriptSteps: Readonly<Record<PaperLoss, Steps>> = {
  gnmds: { sgd: 1e-4, svrg: 5e-4, sbb: 5e-4, epsilon: 2.5e-2 },
  ckl: { sgd: 1e-4, svrg: 5e-4, sbb: 5e-4, epsilon: 2.5e-2 },
  ste: { sgd: 1e-4, svrg: 5e-4, sbb: 5e-4, epsilon: 2.5e-2 },
  tste: { sgd: 5e-4, svrg: 2e-2, sbb: 3.75e-3, epsilon: 5e-3 },
};

/** η found on a coarse grid by the test error of two other starts, in favour of these methods. */
const tunedSteps: Readonly<Record<PaperLoss, Pick<Steps, "sgd" | "svrg">>> = {
  gnmds: { sgd: 1e-2, svrg: 1.6e-2 },
  ckl: { sgd: 0.3, svrg: 6.4e-2 },
  ste: { sgd: 3e-2, svrg: 3.2e-2 },
  tste: { sgd: 0.3, svrg: 0.128 },
};

/** The rows of Table I on N answers, as the authors ran them. */
export function scriptMethods(loss: PaperLoss, N: number): Method[] {
  const { sgd, svrg, sbb, epsilon } = scriptSteps[loss];
  const sbbOf = (batchSize: number): Method => ({
    name: `SVRG-SBB ε, b = ${batchSize}`,
    options: { solver: "svrg-sbb", initialStep: N * sbb, epsilon, batchSize },
  });
  return [
    { name: "SGD", options: { solver: "sgd", initialStep: N * sgd } },
    { name: "SVRG, fixed step", options: { solver: "svrg", initialStep: N * svrg, batchSize: 1 } },
    { name: "SVRG-SBB 0", options: { solver: "svrg-sbb0", initialStep: N * sbb, batchSize: 1 } },
    ...[1, 5, 10, 20, 50, 100].map(sbbOf),
  ];
}

/** The same with steps that suit them, and what this package does when nobody tunes anything. */
export function tunedMethods(loss: PaperLoss, N: number): Method[] {
  const { sgd, svrg } = tunedSteps[loss];
  return [
    { name: "SGD, tuned", options: { solver: "sgd", initialStep: N * sgd } },
    { name: "SVRG, tuned", options: { solver: "svrg", initialStep: N * svrg, batchSize: 1 } },
    { name: "gradient descent, backtracking", options: { solver: "gd" } },
    { name: "L-BFGS", options: { solver: "lbfgs" } },
    { name: "SVRG-SBB, defaults", options: { solver: "svrg-sbb" } },
  ];
}
