/** What a sequence of layers is made with. */
import type { LayerPlan } from "./layer-plan.js";
import type { MakeMethod } from "./solvers/method.js";

export interface LayersOptions {
  /** Of the solver that solves each layer. */
  readonly name: string;
  readonly tolerance: number;
  readonly plan: LayerPlan;
  readonly make: MakeMethod;
  /** Names what is not in the Gram matrix: the plan, the seed. */
  readonly origin: string;
}
