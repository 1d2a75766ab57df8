/** Contestants in one process that take turns, each turn as many calls as a stated time takes. */
import { cpuSeconds } from "./processor.ts";
import { type Spread, spreadOf } from "./spread.ts";

/** What is measured; a promise is waited for. */
export type Call = () => unknown;

/** Processor seconds of a call, over a turn of at least `least` seconds. */
function turnOf(call: Call, least: number): () => Promise<number> {
  let calls = 1;
  return async () => {
    for (;;) {
      const begin = cpuSeconds();
      for (let k = 0; k < calls; k++) {
        const result = call();
        if (result instanceof Promise) await result;
      }
      const seconds = cpuSeconds() - begin;
      if (seconds >= least) return seconds / calls;
      calls *= 2;
    }
  };
}

/** Processor seconds of a call of each, by turns, after one turn of each that is not counted. */
export async function byTurns(calls: readonly Call[], repeats: number, least: number): Promise<Spread[]> {
  const turns = calls.map((call) => turnOf(call, least));
  for (const turn of turns) await turn();
  const seconds: number[][] = calls.map(() => []);
  for (let r = 0; r < repeats; r++) for (const [k, turn] of turns.entries()) seconds[k].push(await turn());
  return seconds.map(spreadOf);
}

/** One after the other. */
export async function inOrder<T, R>(items: readonly T[], one: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await one(item));
  return results;
}
