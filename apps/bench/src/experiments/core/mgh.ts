/**
 * The test problems of Moré, Garbow and Hillstrom under the classic solvers.
 *
 * Usage: node mgh.ts [--quick]
 */
import { problems } from "../../../data/optimizers/mgh.mjs";
import { experimentArguments } from "../../experiment-arguments.ts";
import { compare } from "./squares.ts";

await compare(
  {
    name: "mgh",
    title: "Classic solvers on the problems of Moré, Garbow and Hillstrom",
    data: "21 of their problems (ACM TOMS 7, 1981) from the standard start, `apps/bench/data/optimizers/mgh.mjs`.",
    problems,
  },
  experimentArguments({}).isQuick,
);
