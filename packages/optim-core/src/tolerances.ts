/**
 * Stopping rules that call a run converged. A tolerance of 0 switches a rule off.
 */
import { badOption, flag, integerFrom, type OptionsOf, optionTable } from "@curvature/linalg";
import { type StoppingRule, shortly, stop, type TestStates } from "./stopping.js";

export const gradientNormBelowOptions = optionTable({
  /** Whether the tolerance is a share of the first gradient norm. */
  relative: flag.default(false),
});

/** Of `valueDecreaseBelow` and `pointChangeBelow`. */
export const changeBelowOptions = optionTable({
  /** How many iterations in a row must be below the tolerance. */
  consecutive: integerFrom(1).default(1),
});

/**
 * Status `converged` once ‖∇f(x_k)‖₂ <= tolerance; with `relative`, once
 * ‖∇f(x_k)‖₂ <= tolerance ‖∇f‖₂ of the first iteration that knew it. Iterations without a gradient norm pass.
 */
export function gradientNormBelow(
  tolerance: number,
  options?: OptionsOf<typeof gradientNormBelowOptions>,
): StoppingRule {
  checkTolerance("gradientNormBelow", tolerance);
  const { relative } = gradientNormBelowOptions.resolve("gradientNormBelow", options);
  const description = `gradient norm <= ${tolerance}${relative ? " x the first gradient norm" : ""}`;
  return {
    description,
    start() {
      let first = relative ? Number.NaN : 1;
      return {
        check({ gradientNorm }) {
          if (gradientNorm === undefined) return undefined;
          if (Number.isNaN(first)) first = gradientNorm;
          if (tolerance === 0 || !(gradientNorm <= tolerance * first)) return undefined;
          return stop(
            "converged",
            `The gradient norm ${shortly(gradientNorm)} is at most ${tolerance}${relative ? ` of the first, ${shortly(first)}` : ""}.`,
            { name: "gradient norm", value: gradientNorm, limit: tolerance * first },
          );
        },
        save: (states) => states.set(description, first),
        restore(states) {
          first = numberIn(states, description, first);
        },
      };
    },
  };
}

/**
 * Status `converged` once |f(x_{k−1}) − f(x_k)| <= tolerance max(|f(x_k)|, 1e-300) in `consecutive` iterations. Iterations without a value pass uncounted. The change is taken without its sign, so that a
 * method that is not monotone does not stop because its value grew.
 */
export function valueDecreaseBelow(
  tolerance: number,
  options?: OptionsOf<typeof changeBelowOptions>,
): StoppingRule {
  checkTolerance("valueDecreaseBelow", tolerance);
  const { consecutive } = changeBelowOptions.resolve("valueDecreaseBelow", options);
  const times = consecutive === 1 ? "" : `, ${consecutive} times in a row`;
  const description = `relative decrease of the value <= ${tolerance}${times}`;
  return {
    description,
    start() {
      let previous = Number.NaN;
      let count = 0;
      return {
        check({ value }) {
          if (value === undefined) return undefined;
          const change = Math.abs(previous - value);
          previous = value;
          count = tolerance > 0 && change <= tolerance * Math.max(Math.abs(value), 1e-300) ? count + 1 : 0;
          if (count < consecutive) return undefined;
          return stop(
            "converged",
            `The value ${shortly(value)} changed by ${shortly(change)}, at most ${tolerance} of it${times}.`,
            { name: "value change", value: change, limit: tolerance * Math.abs(value) },
          );
        },
        save: (states) => states.set(description, [previous, count]),
        restore(states) {
          const saved = states.get(description);
          if (!Array.isArray(saved) || typeof saved[0] !== "number" || typeof saved[1] !== "number") return;
          [previous, count] = [saved[0], saved[1]];
        },
      };
    },
  };
}

/**
 * Status `converged` once ‖x_k − x_{k−1}‖₂ <= tolerance ‖x_{k−1}‖₂ in `consecutive` iterations in a row,
 * over the iterations that know a value: the others (blocks of a pass, phases that do not move) pass
 * uncounted. Holds one copy of the point.
 */
export function pointChangeBelow(
  tolerance: number,
  options?: OptionsOf<typeof changeBelowOptions>,
): StoppingRule {
  checkTolerance("pointChangeBelow", tolerance);
  const { consecutive } = changeBelowOptions.resolve("pointChangeBelow", options);
  const times = consecutive === 1 ? "" : `, ${consecutive} times in a row`;
  const description = `relative change of the point <= ${tolerance}${times}`;
  return {
    description,
    start({ last }) {
      const previous = tolerance > 0 ? last.x.slice() : new Float64Array(0);
      let count = 0;
      let isBehind = false; // whether iterations have passed since `previous`
      return {
        check({ value }, context) {
          isBehind = value === undefined;
          if (tolerance === 0 || isBehind) return undefined;
          const relative = relativeChange(previous, context.last.x);
          count = relative <= tolerance ? count + 1 : 0;
          if (count < consecutive) return undefined;
          return stop(
            "converged",
            `The point changed by ${shortly(relative)} of its norm, at most ${tolerance}${times}.`,
            { name: "point change", value: relative, limit: tolerance },
          );
        },
        // Unless iterations have passed, the previous point is the solver's last one when the run goes on.
        save: (states) => states.set(description, { count, previous: isBehind ? previous.slice() : null }),
        restore(states) {
          const saved = states.get(description);
          if (typeof saved !== "object" || saved === null || !("count" in saved)) return;
          if (typeof saved.count === "number") count = saved.count;
          if (!(saved.previous instanceof Float64Array) || saved.previous.length !== previous.length) return;
          previous.set(saved.previous);
          isBehind = true;
        },
      };
    },
  };
}

/** ‖x − previous‖ / ‖previous‖ (0 for no change at all); leaves x in `previous`. */
function relativeChange(previous: Float64Array, x: Float64Array): number {
  let change = 0;
  let size = 0;
  for (let i = 0; i < x.length; i++) {
    const difference = x[i] - previous[i];
    change += difference * difference;
    size += previous[i] * previous[i];
    previous[i] = x[i];
  }
  return change === 0 ? 0 : Math.sqrt(change / size);
}

function numberIn(states: TestStates, description: string, fallback: number): number {
  const saved = states.get(description);
  return typeof saved === "number" ? saved : fallback;
}

function checkTolerance(where: string, tolerance: unknown): void {
  if (typeof tolerance !== "number" || !(tolerance >= 0) || tolerance === Number.POSITIVE_INFINITY)
    throw badOption(where, "tolerance", "a finite number of at least 0 (0 switches the rule off)", tolerance);
}
