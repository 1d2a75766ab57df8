/**
 * What an option's sentence ("a whole number from 1 to 32") says of values, read by itself: the rule beside it must judge
 * likewise.
 */

/** Whether the sentence accepts a value; undefined where it speaks of objects, which it does not tell apart. */
export function saysOf(expected: string, value: unknown): boolean | undefined {
  const judged = expected.split(/,? or /).map((alternative) => acceptedBy(alternative, value));
  return judged.includes(true) ? true : judged.includes(undefined) ? undefined : false;
}

function acceptedBy(alternative: string, value: unknown): boolean | undefined {
  if (alternative === "their number") return Number.isSafeInteger(value) ? undefined : false;
  if (alternative === "Infinity") return value === Number.POSITIVE_INFINITY;
  if (alternative === "a string") return typeof value === "string";
  if (alternative === "a function") return typeof value === "function";
  if (alternative === "true" || alternative === "false") return value === (alternative === "true");
  if (/^\d+$/.test(alternative)) return value === Number(alternative);
  const words = /^(one of )?("[^"]*"(, )?)+$/.test(alternative) ? alternative.match(/"[^"]*"/g) : null;
  if (words !== null) return words.includes(`"${value}"`) && typeof value === "string";
  const [, kind] = /^a (whole |finite )?number\b/.exec(alternative) ?? [undefined, undefined];
  if (!alternative.startsWith("a number") && kind === undefined)
    return typeof value === "object" && value !== null ? undefined : false;
  if (typeof value !== "number" || Number.isNaN(value)) return false;
  if (kind === "whole " && !Number.isSafeInteger(value)) return false;
  if (kind === "finite " && !Number.isFinite(value)) return false;
  return [...alternative.replace("2^53 - 1", String(2 ** 53 - 1)).matchAll(bounds)].every(([, words, text]) =>
    isWithin[words](value, Number(text)),
  );
}

const bounds = /(from|to|above|at least|below|at most|up to) (-?[\d.]+(?:e[+-]?\d+)?)/g;
const atLeast = (value: number, bound: number): boolean => value >= bound;
const atMost = (value: number, bound: number): boolean => value <= bound;
const isWithin: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  from: atLeast,
  "at least": atLeast,
  above: (value, bound) => value > bound,
  to: atMost,
  "up to": atMost,
  "at most": atMost,
  below: (value, bound) => value < bound,
};

/** Values of every kind, and numbers and words on and beside those that the sentence has. */
export function valuesFor(expected: string): readonly unknown[] {
  const words = (expected.match(/"[^"]*"/g) ?? []).map((word) => word.slice(1, -1));
  const numbers = (expected.match(/-?\d[\d.]*(?:e[+-]?\d+)?/g) ?? []).map(Number);
  return [
    ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, 0, 0.5, 1, 2 ** 53],
    ...["", "1", "true", "?", null, true, false, [], {}, () => 1],
    ...words.flatMap((word) => [word, `${word}?`]),
    ...numbers.flatMap((n) => [n, n - 1, n - 0.5, n + 0.5, n + 1, n * 0.999, n * 1.001, 2 * n + 1]),
    ...(wrongObjects.find(([sentence]) => expected.includes(sentence))?.[1] ?? []),
  ];
}

/** Objects and lists that are nearly what such sentences mean. */
export const wrongObjects: readonly (readonly [sentence: string, wrong: readonly unknown[]])[] = [
  ["an array of columns", [{}, [null], [-1]]],
  ["an array of conditions", [{}, [null], ["column"], ["=value"]]],
  ["the objects' names", [[], [1], {}, 0]],
  ["a result of analyzeCholesky", [{}, []]],
  ["an array of whole numbers", [{}, [0], [1.5], ["3"], Array(2)]],
  ["an array of at least one whole number", [{}, [], [0], [1.5], ["2"], Array(2)]],
  ["without NaN", [Float64Array.of(Number.NaN), [Number.NaN], ["0"]]],
  ["an AbortSignal", [{}]],
  ["a list of at least one number of clusters", [[], [1, 2], [Number.NaN]]],
  ["a matrix { rows, columns, data }", [[], {}]],
  ["an array of numbers, of strings or of booleans", [{}, [null]]],
  ["finite numbers above 0 by class", [{ a: 0 }]],
  ["an array of one or more finite numbers above 0", [[], [0], [Number.NaN]]],
  ["an object { write, … }", [{}, { write: 1 }]],
  ["a checkpoint (Uint8Array)", [{}, [], new Int8Array(1)]],
];
