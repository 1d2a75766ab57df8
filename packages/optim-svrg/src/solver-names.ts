/**
 * "svrg-sbb": SVRG with stabilised Barzilai-Borwein steps; "svrg-sbb0": without ε; "svrg-bb": not stabilised at all;
 * "svrg": with a fixed step; "sgd", "gd", "lbfgs": what they are compared with.
 */
export type OrdinalSolverName = (typeof ordinalSolverNames)[number];

export const ordinalSolverNames = Object.freeze([
  "svrg-sbb",
  "svrg-sbb0",
  "svrg-bb",
  "svrg",
  "sgd",
  "gd",
  "lbfgs",
] as const);
