/** By themselves, so that a model that only predicts, or is not trained yet, loads no solver. */

/** The algorithms; "auto" chooses by the loss and by the shape of the data. */
export type LinearSolverName = (typeof linearSolverNames)[number];

export const linearSolverNames = Object.freeze([
  "auto",
  "sgd",
  "svmsgd2",
  "sgdqn",
  "sgdqn-2009",
  "asgd",
  "olbfgs",
  "dcd",
  "newton",
  "lbfgs",
] as const);
