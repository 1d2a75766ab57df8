/**
 * Faults put into a problem's evaluations, one at a chosen call.
 */
import { isPromise } from "../event-loop.js";
import type { Objective, SumOfFunctions } from "../problem.js";

/** What goes wrong at which call (from 1): a value and gradient that are not finite, or an error that is thrown. */
export interface Fault {
  readonly call: number;
  readonly poison: number | Error;
}

/** Counts evaluations and spoils one of them. A solver's `create` puts it around its problem. */
export class Faults {
  private calls = 0;
  private readonly fault: Fault | undefined;

  constructor(fault?: Fault) {
    this.fault = fault;
  }

  /** How many evaluations there were. */
  get count(): number {
    return this.calls;
  }

  /**
   * For evaluations of another kind than those below: to be called once for each; returns what to put in the place
   * of value and gradient, or undefined.
   *
   * @throws the fault, if it is an error and its call has come
   */
  next(): number | undefined {
    this.calls++;
    const { fault } = this;
    if (fault === undefined || this.calls !== fault.call) return undefined;
    if (typeof fault.poison === "number") return fault.poison;
    throw fault.poison;
  }

  /** The same objective, its evaluations counted and one of them spoilt; all else is the original's. */
  objective<T extends Objective>(original: T): T {
    return overridden(original, {
      evaluate: (x: Float64Array, gradient?: Float64Array): number => {
        const poison = this.next();
        const value = original.evaluate(x, gradient);
        if (poison === undefined) return value;
        gradient?.fill(poison);
        return poison;
      },
    });
  }

  /** The same sum, its evaluations counted one by one (batches as one) and one of them spoilt. */
  sum<T extends SumOfFunctions>(original: T): T {
    const spoilt = <A>(evaluate: (a: A, x: Float64Array, g?: Float64Array) => number | Promise<number>) => {
      return (a: A, x: Float64Array, gradient?: Float64Array): number | Promise<number> => {
        const poison = this.next();
        const value = evaluate(a, x, gradient);
        if (poison === undefined) return value;
        const spoil = (): number => {
          gradient?.fill(poison);
          return poison;
        };
        return isPromise(value) ? value.then(spoil) : spoil();
      };
    };
    const { evaluateBatch: batch, evaluateSparse: sparse } = original;
    return overridden(original, {
      evaluate: spoilt<number>((index, x, gradient) => original.evaluate(index, x, gradient)),
      ...(batch === undefined
        ? {}
        : {
            evaluateBatch: spoilt<Int32Array>((indices, x, gradient) =>
              batch.call(original, indices, x, gradient),
            ),
          }),
      ...(sparse === undefined
        ? {}
        : {
            evaluateSparse: (i: number, x: Float64Array, at: Int32Array, entries: Float64Array) => {
              const poison = this.next();
              const evaluation = sparse.call(original, i, x, at, entries);
              if (poison === undefined) return evaluation;
              entries.fill(poison, 0, evaluation.touched);
              return { ...evaluation, value: poison };
            },
          }),
    });
  }
}

/** `original` seen through a proxy that answers for `methods` itself and hands everything else on. */
function overridden<T extends object>(original: T, methods: Readonly<Record<string, unknown>>): T {
  return new Proxy(original, {
    get(target, key) {
      if (typeof key === "string" && Object.hasOwn(methods, key)) return methods[key];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
