/**
 * What all façades share: one contract for options, signal, limits, phases, progress, warnings and streaming.
 *
 *   export const embed = facade(async function* (points: MatrixLike, options?: EmbedOptions): FacadeSteps<EmbeddingDetails, EmbedResult> {
 *     const settings = embedOptions.resolve("embed", options);      // 1. the options, ERR_OPTION
 *     const data = checkPoints(points);                             // 2. the data, ERR_SHAPE …
 *     const run = new FacadeRun(settings);                          // 3. a signal that is aborted already rejects
 *     const graph = await run.phase("neighbors", () => neighborsOf(data));
 *     const result = yield* run.optimize(solverOf(graph), [maxIterations(settings.maxIterations)]);
 *     return { ...result, phases: run.phases("neighbors", "optimization"), warnings: run.warnings };
 *   });
 *   const { embedding } = await embed(points, { perplexity: 10 });
 *   for await (const { iteration, best } of embed.iterate(points)) draw(best.x);
 *
 * The promise of a façade rejects for wrong arguments and for a signal that is aborted before the optimisation begins; once it
 * has begun every end is a result with a status. A limit of Infinity is none. `maxSeconds` limits the optimisation, of which
 * one iteration is always made; the other phases take their own time and are reported beside it.
 */
import { callable, nonNegativeOrInfinity } from "@curvature/linalg";
import type { RunPoint } from "./run.js";
import { runEntries } from "./run-options.js";

/** The options that every façade has, to be spread into its table. */
export const facadeEntries = <Details, Phase extends string>() => ({
  ...runEntries<Details>(),
  /** Time limit of the optimisation, in seconds; one iteration is always made. Infinity is none. */
  maxSeconds: nonNegativeOrInfinity("a number of seconds").default(Number.POSITIVE_INFINITY),
  /**
   * Called when a phase begins, with `share` undefined, and after each step of one that goes in steps, with the share of it
   * that is done, from 0 up to 1. A promise is waited for before the phase ends.
   */
  onPhase: callable<(phase: Phase | "optimization", share: number | undefined) => unknown>(),
});

export type FacadeSteps<Details, Result> = AsyncGenerator<RunPoint<Details>, Result, void>;

export interface Facade<Arguments extends readonly unknown[], Details, Result> {
  (...given: Arguments): Promise<Result>;
  /** The same, iteration by iteration; leaving the loop ends the run after its current one. The generator returns the result. */
  iterate(...given: Arguments): FacadeSteps<Details, Result>;
}

export function facade<Arguments extends readonly unknown[], Details, Result>(
  steps: (...given: Arguments) => FacadeSteps<Details, Result>,
): Facade<Arguments, Details, Result> {
  return Object.assign((...given: Arguments) => toEnd(steps(...given)), { iterate: steps });
}

/** What the generator returns. For façades whose types have parameters, which `facade` cannot keep. */
export async function toEnd<Details, Result>(steps: FacadeSteps<Details, Result>): Promise<Result> {
  for (;;) {
    const next = await steps.next();
    if (next.done === true) return next.value;
  }
}
