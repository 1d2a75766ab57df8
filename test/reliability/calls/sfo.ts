/** Calls of SFO. */
import * as sfo from "@curvature/optim-sfo";
import { residualBlocks, start, terms } from "../problems.ts";
import { square } from "./arguments.ts";
import { call, driven, soon } from "./call.ts";

export const sfoCalls = {
  minimizeSum: call(
    () => [
      { ...terms, initial: start() },
      { maxPasses: 2, ...soon() },
    ],
    (...given) => sfo.minimizeSum(...given),
    sfo.minimizeSumOptions.defaults,
  ),
  "minimizeSum, of blocks": call(
    () => [residualBlocks(), { maxPasses: 4, ...soon() }],
    (...given) => sfo.minimizeSum(...given),
    sfo.minimizeSumOptions.defaults,
  ),
  Sfo: call(
    () => [terms, start(), {}],
    (...given) => driven(new sfo.Sfo(...given)),
    sfo.sfoOptions.defaults,
  ),
  splitIntoMinibatches: call(
    () => [square(), { dimension: 3, evaluate: () => 0 }, { count: 2 }],
    (D, o, options) => Reflect.apply(sfo.splitIntoMinibatches, undefined, [D, o, options]),
    { seed: 1 },
  ),
  defaultMinibatchCount: call(() => [100], sfo.defaultMinibatchCount),
};
