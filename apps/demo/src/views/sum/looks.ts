/** How the solvers are told apart. */
import { classColor } from "../../plot/palette.js";
import type { Theme } from "../../shell/theme.js";
import type { SolverName } from "./options.js";

const colorIndex: Readonly<Record<SolverName, number>> = { sfo: 0, lbfgs: 2, adam: 4, sgd: 3, adagrad: 1 };

export const solverColor = (solver: SolverName, theme: Theme): string =>
  classColor(colorIndex[solver], theme);

export const solverDash: Readonly<Record<SolverName, readonly number[] | undefined>> = {
  sfo: undefined,
  lbfgs: [8, 4],
  adam: [2, 4],
  sgd: [10, 4, 2, 4],
  adagrad: [5, 3],
};
