/**
 * NIST's problems of nonlinear regression under the classic solvers.
 *
 * Usage: node nist.ts [--quick]
 */
import { problems } from "../../../data/optimizers/nist.mjs";
import { experimentArguments } from "../../experiment-arguments.ts";
import { compare } from "./squares.ts";

await compare(
  {
    name: "nist",
    title: "Classic solvers on NIST's problems of nonlinear regression",
    data: "15 Statistical Reference Datasets from both of their starts, with certified minima, `apps/bench/data/optimizers/nist.mjs`.",
    problems,
  },
  experimentArguments({}).isQuick,
);
