/**
 * The façade for one function: f and a first point in, a minimum out. What it does is loaded when it is called and its
 * arguments are in order.
 */
import { badArgument } from "@curvature/linalg";
import { type FacadeSteps, toEnd } from "../facade.js";
import type { MinimizeResult } from "./minimize-run.js";
import { type Minimand, type MinimizeOptions, minimizeOptions } from "./options.js";
import { Arrangement, type Parameters } from "./parameters.js";

export interface Minimize {
  <P extends Parameters>(
    f: NoInfer<Minimand<P>>,
    start: P,
    options?: NoInfer<MinimizeOptions<P>>,
  ): Promise<MinimizeResult<P>>;
  /** The same, iteration by iteration; leaving the loop ends the run after its current one. */
  iterate<P extends Parameters>(
    f: NoInfer<Minimand<P>>,
    start: P,
    options?: NoInfer<MinimizeOptions<P>>,
  ): FacadeSteps<unknown, MinimizeResult<P>>;
}

/**
 * Minimises f(x) from a first point.
 *
 *   const { x, value } = await minimize(([a, b]) => (1 - a) ** 2 + 100 * (b - a * a) ** 2, [-1.2, 1]);
 *   const { parameters } = await minimize(({ weights, bias }) => loss(weights, bias), { weights: [0, 0], bias: 0 });
 *
 * f gets the numbers in the arrangement of `start`, a copy. It is smooth and deterministic; a value that is no finite number is backed off
 * from. A gradient (`{ value, gradient }` from f, or the option `gradient`) saves most evaluations: without one each gradient is
 * 2 n evaluations. A run never ends above its start, and says how it ended: see `Status`.
 *
 * @throws CurvatureError (the promise rejects) ERR_OPTION; ERR_ARGUMENT, ERR_SHAPE or ERR_NON_FINITE for the first point and
 *   for what f and `gradient` give there; ERR_CHECKPOINT or ERR_SNAPSHOT for `resume`; what f throws at the first point. Later on these
 *   end the run with the status `failed`
 */
export const minimize: Minimize = /* @__PURE__ */ Object.assign(
  <P extends Parameters>(f: Minimand<P>, start: P, options?: MinimizeOptions<P>) =>
    toEnd(steps(f, start, options)),
  { iterate: steps },
);

async function* steps<P extends Parameters>(
  f: Minimand<P>,
  start: P,
  options?: MinimizeOptions<P>,
): FacadeSteps<unknown, MinimizeResult<P>> {
  const settings = minimizeOptions.resolve("minimize", options);
  if (!isMinimand(f))
    throw badArgument("minimize", "f", "a function, or an object with a function evaluate", f);
  const arrangement = new Arrangement("minimize", start);
  if (typeof f === "object" && f.dimension !== arrangement.start.length)
    throw badArgument("minimize", "start", `${f.dimension} numbers, the dimension of f`, start);
  const { minimized } = await import("./minimize-run.js");
  return yield* minimized(f, arrangement, settings);
}

const isMinimand = (f: unknown): boolean =>
  typeof f === "function" ||
  (typeof f === "object" && f !== null && "evaluate" in f && typeof f.evaluate === "function");
