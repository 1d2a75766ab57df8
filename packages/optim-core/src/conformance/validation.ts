/** What a façade that takes a `validation` promises of it, beside what every façade does. */

import type { RunResult } from "../result.js";
import type { ValidationResult } from "../validation.js";
import { bitsOf, ensure } from "./trace.js";

type Evaluate = (x: ArrayLike<number>) => unknown;

/**
 * @param call - the façade
 * @param every - what makes every iteration validated
 * @param long - options of a run of about 8 iterations, and `short` of one of 3
 */
export function validationChecks(
  call: (options: object) => Promise<RunResult>,
  every: number,
  { short, long }: { readonly short: object; readonly long: object },
): Readonly<Record<string, () => Promise<void>>> {
  const validated = async (evaluate: Evaluate, validation: object = {}, options: object = long) => {
    const result = await call({ ...options, validation: { evaluate, every, ...validation } });
    return { result, validation: validationOf(result) };
  };
  return {
    "a validation chooses the point, and its patience ends the run as stalled": async () => {
      const seen: Float64Array[] = [];
      const evaluate = played([5, 4, 3, 3, 6, 7], seen);
      const { result, validation } = await validated(evaluate, { patience: 3 });
      ensure(result.status === "stalled", "the status must be stalled", result.status);
      ensure(
        result.iterations === 5,
        "it must end with the third validation without a decrease",
        result.iterations,
      );
      ensure(bitsOf(result.x) === bitsOf(seen[2]), "x must be the first point of the least validation");
      ensure(result.usable, "it must be usable");
      const { best, history } = validation;
      ensure(best?.iteration === 2 && best.validation === 3, "it must say where that was", best);
      ensure(
        bitsOf(history.map((at) => at.validation)) === bitsOf([5, 4, 3, 3, 6, 7]),
        "all are in the history",
      );
      ensure(history[0].iteration === 0 && history[0].passes === 0, "the first is of the first point");
      for (const words of ["7", "3"])
        ensure(result.message.includes(words), "the message must have last and least", result.message);
    },
    "a validation that reaches its target ends the run as target-reached": async () => {
      const seen: Float64Array[] = [];
      const { result } = await validated(played([5, 4, 3, 2], seen), { target: 3 });
      ensure(result.status === "target-reached", "the status must be target-reached", result.status);
      ensure(bitsOf(result.x) === bitsOf(seen[2]), "x must be the point that reached it");
    },
    "a validation changes no step, also if it writes into what it gets": async () => {
      const plain = await call(long);
      const patient = { patience: Number.POSITIVE_INFINITY };
      const scribbling = (x: ArrayLike<number>) => {
        if (ArrayBuffer.isView(x) || Array.isArray(x)) Reflect.set(x, 0, 1e9);
        return 1;
      };
      const later = async () => 1;
      for (const evaluate of [scribbling, later]) {
        const { result, validation } = await validated(evaluate, patient);
        ensure(bitsOf(result.last) === bitsOf(plain.last), "the last point must be that without");
        ensure(result.iterations === plain.iterations, "so must be the iterations", result.iterations);
        ensure(result.evaluations === plain.evaluations, "and the evaluations", result.evaluations);
        ensure(validation.best?.iteration === 0, "of equal validations the first is kept", validation.best);
      }
    },
    "an aborted run returns the best point by the validation": async () => {
      const seen: Float64Array[] = [];
      const controller = new AbortController();
      const onIteration = ({ index }: { readonly index: number }) => {
        if (index === 3) controller.abort();
      };
      const options = { ...long, signal: controller.signal, onIteration };
      const { result, validation } = await validated(played([5, 2, 3, 4], seen), {}, options);
      ensure(result.status === "aborted", "the status must be aborted", result.status);
      ensure(bitsOf(result.x) === bitsOf(seen[1]), "x must be the point of the least validation");
      ensure(
        validation.history.length === 4,
        "there must be no validation after it",
        validation.history.length,
      );
    },
    "a validation that is no finite number, or throws, ends the run as failed, with the best point before":
      async () => {
        const wrong: readonly (() => unknown)[] = [
          () => Number.NaN,
          () => Number.POSITIVE_INFINITY,
          () => "1",
          () => undefined,
          () => Promise.resolve(Number.NaN),
          () => Promise.reject(new Error("validation.evaluate broke")),
          () => {
            throw new Error("validation.evaluate broke");
          },
        ];
        for (const last of wrong) {
          const seen: Float64Array[] = [];
          const evaluate = played([5, 4, 6, last], seen);
          const { result } = await validated(evaluate);
          ensure(result.status === "failed", `${String(last)}: the status must be failed`, result.status);
          ensure(
            result.message.includes("validation.evaluate"),
            "the message must say of what",
            result.message,
          );
          ensure(bitsOf(result.x) === bitsOf(seen[1]) && result.usable, "x must be the best point before");
          const { result: atOnce } = await validated(played([last], []));
          ensure(atOnce.status === "failed", "also at the first point", atOnce.status);
        }
      },
    "the last point is validated, however seldom others are": async () => {
      const seen: Float64Array[] = [];
      const seldom = { every: Number.POSITIVE_INFINITY };
      const { result, validation } = await validated(played([2, 1], seen), seldom);
      ensure(validation.history.length === 2, "there must be two", validation.history.length);
      ensure(
        validation.best?.iteration === result.iterations,
        "the second of the last point",
        validation.best,
      );
      ensure(bitsOf(result.x) === bitsOf(result.last), "which is the best here");
    },
    "a validated run that is resumed ends as if uninterrupted": async () => {
      const evaluate = (x: ArrayLike<number>) => Math.abs(Array.from(x).reduce((sum, xi) => sum + xi, 0) - 1);
      const figures = ({ result, validation }: Awaited<ReturnType<typeof validated>>) =>
        bitsOf({ x: result.x, last: result.last, value: result.value, status: result.status, validation });
      for (const patience of [2, 4, Number.POSITIVE_INFINITY]) {
        let bytes = new Uint8Array();
        const checkpoint = {
          write: (written: Uint8Array) => {
            bytes = written.slice();
          },
        };
        const whole = await validated(evaluate, { patience });
        await validated(evaluate, { patience }, { ...short, checkpoint });
        const resumed = await validated(evaluate, { patience }, { ...long, resume: bytes });
        ensure(figures(resumed) === figures(whole), `patience ${patience}: it must end with the same bits`);
        const unvalidated = await call({ ...long, resume: bytes }).catch((error: unknown) => error);
        ensure(unvalidated instanceof Error, "without its validation it must not go on", unvalidated);
      }
    },
  };
}

/** Gives these figures one after the other, the last again and again, and keeps the points that it was asked at. */
function played(figures: readonly unknown[], seen: Float64Array[]): Evaluate {
  return (x) => {
    const figure = figures[Math.min(seen.length, figures.length - 1)];
    seen.push(Float64Array.from(x));
    return typeof figure === "function" ? figure() : figure;
  };
}

function validationOf(result: object): ValidationResult {
  const validation: unknown = Reflect.get(result, "validation");
  ensure(isValidation(validation), "the result must have a validation", validation);
  return validation;
}

const isValidation = (value: unknown): value is ValidationResult =>
  typeof value === "object" && value !== null && "best" in value && "history" in value;
