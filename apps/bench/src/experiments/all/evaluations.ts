/**
 * What single evaluations cost: functions that have the same bits on every engine beside those of `Math`; sums over
 * minibatches and comparisons, values alone and with gradients.
 *
 * Usage: node evaluations.ts [--quick] [--repeats 7]
 */
import { cos, exp, log, log1p, RandomGenerator, sin } from "@curvature/linalg";
import { ordinalLossNames, ordinalObjective } from "@curvature/objectives/ordinal";
import { experimentArguments, whole } from "../../experiment-arguments.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { decimals, median, type Spread, spreadText } from "../../spread.ts";
import { byTurns, type Call, inOrder } from "../../turns.ts";
import { mediansOf, verdict } from "../../words.ts";
import { minibatchOf, minibatchSizes } from "./minibatches.ts";

const { isQuick, repeats } = experimentArguments({
  repeats: whole(7, 1),
});
/** Of a turn, at least. */
const TURN_SECONDS = isQuick ? 0.02 : 0.2;
const random = new RandomGenerator(0);

const turnsOf = (calls: readonly Call[]): Promise<Spread[]> => byTurns(calls, repeats, TURN_SECONDS);

const scaled = (spread: Spread, factor: number): Spread => ({
  median: factor * spread.median,
  least: factor * spread.least,
  most: factor * spread.most,
});

interface FunctionContest {
  readonly name: string;
  readonly range: readonly [number, number];
  /** Loops of their own: one that is fed with several functions is compiled for none. */
  readonly ours: (x: Float64Array) => number;
  readonly theirs: (x: Float64Array) => number;
}

const functions: readonly FunctionContest[] = [
  {
    name: "exp",
    range: [-30, 0],
    ours: (x) => {
      let sum = 0;
      for (const entry of x) sum += exp(entry);
      return sum;
    },
    theirs: (x) => {
      let sum = 0;
      for (const entry of x) sum += Math.exp(entry);
      return sum;
    },
  },
  {
    name: "log",
    range: [0, 1000],
    ours: (x) => {
      let sum = 0;
      for (const entry of x) sum += log(entry);
      return sum;
    },
    theirs: (x) => {
      let sum = 0;
      for (const entry of x) sum += Math.log(entry);
      return sum;
    },
  },
  {
    name: "log1p",
    range: [0, 30],
    ours: (x) => {
      let sum = 0;
      for (const entry of x) sum += log1p(entry);
      return sum;
    },
    theirs: (x) => {
      let sum = 0;
      for (const entry of x) sum += Math.log1p(entry);
      return sum;
    },
  },
  {
    name: "sin",
    range: [-10, 10],
    ours: (x) => {
      let sum = 0;
      for (const entry of x) sum += sin(entry);
      return sum;
    },
    theirs: (x) => {
      let sum = 0;
      for (const entry of x) sum += Math.sin(entry);
      return sum;
    },
  },
  {
    name: "cos",
    range: [-10, 10],
    ours: (x) => {
      let sum = 0;
      for (const entry of x) sum += cos(entry);
      return sum;
    },
    theirs: (x) => {
      let sum = 0;
      for (const entry of x) sum += Math.cos(entry);
      return sum;
    },
  },
];

const NUMBERS = 10_000;
let total = 0; // so that no loop is for nothing
const functionRows = await inOrder(functions, async ({ name, range: [low, high], ours, theirs }) => {
  const x = Float64Array.from({ length: NUMBERS }, () => low + (high - low) * random.uniform());
  const [mine, maths] = (
    await turnsOf([
      () => {
        total += ours(x);
      },
      () => {
        total += theirs(x);
      },
    ])
  ).map((spread) => scaled(spread, 1e9 / NUMBERS));
  note(`${name}: ${mine.median.toFixed(1)} ns, Math's ${maths.median.toFixed(1)}`);
  return { name, range: `${low} to ${high}`, mine, maths, ratio: mine.median / maths.median };
});

const sumRows = await inOrder(minibatchSizes(isQuick), async (size) => {
  const { name, rows, sum } = minibatchOf(size);
  const [x, gradient] = [sum.initialPoint(0), new Float64Array(sum.dimension)];
  const [value, both] = (
    await turnsOf([
      () => {
        total += Number(sum.evaluate(0, x));
      },
      () => {
        total += Number(sum.evaluate(0, x, gradient));
      },
    ])
  ).map((spread) => scaled(spread, 1e3));
  note(`${name}: ${value.median.toFixed(2)} ms, with its gradient ${both.median.toFixed(2)}`);
  return { name, rows, dimension: sum.dimension, value, both, ratio: both.median / value.median };
});

const [OBJECTS, DIMENSIONS, ANSWERS] = [500, 10, isQuick ? 2000 : 50_000];
const quadruplets = Int32Array.from({ length: 4 * ANSWERS }, () => random.integer(OBJECTS));
const map = Float64Array.from({ length: OBJECTS * DIMENSIONS }, () => random.uniform());
const ordinalRows = await inOrder(ordinalLossNames, async (name) => {
  const objective = ordinalObjective({ objects: OBJECTS, quadruplets: apart(quadruplets) }, name, DIMENSIONS);
  const gradient = new Float64Array(map.length);
  const [value, both] = (
    await turnsOf([
      () => {
        total += objective.evaluate(map);
      },
      () => {
        total += objective.evaluate(map, gradient);
      },
    ])
  ).map((spread) => scaled(spread, 1e9 / ANSWERS));
  note(`${name}: ${value.median.toFixed(0)} ns, with its gradient ${both.median.toFixed(0)}`);
  return { name, value, both };
});

/** No comparison of an object with itself: l ≠ k, i ≠ j. */
function apart(given: Int32Array): Int32Array {
  const out = given.slice();
  for (let at = 0; at < out.length; at += 2)
    if (out[at] === out[at + 1]) out[at + 1] = (out[at] + 1) % OBJECTS;
  return out;
}

if (!Number.isFinite(total)) throw new Error("An evaluation was not finite.");
const [MOST_OF_MATH, MOST_OF_VALUE] = [1.5, 4];
const dearFunctions = functionRows.filter(({ ratio }) => ratio > MOST_OF_MATH).map(({ name }) => name);
const dearGradients = sumRows.filter(({ ratio }) => ratio > MOST_OF_VALUE).map(({ name }) => name);
const reach = (numbers: readonly number[], digits: number): string =>
  `${Math.min(...numbers).toFixed(digits)} to ${Math.max(...numbers).toFixed(digits)}`;

writeReport(
  {
    paper: "all",
    name: "evaluations",
    title: "What an evaluation costs",
    claim: `Not a paper's: functions that have the same bits on every engine take at most ${MOST_OF_MATH} times as long as those of Math, and a minibatch with its gradient at most ${MOST_OF_VALUE} times as long as its value.`,
    data: `${NUMBERS} numbers drawn evenly from a range; minibatches of ${isQuick ? "64" : "784"} grey values drawn evenly from 0 to 1 (convolutional network: images of 3 × 32 × 32); ${ANSWERS} comparisons drawn among ${OBJECTS} objects in ${DIMENSIONS} dimensions.`,
    method: `Processor time in one thread, plain TypeScript; turns of ${TURN_SECONDS} s at least, contestants by turns after one turn of each that is not counted. Functions: a sum over the numbers, a loop of its own for each.`,
    repeats: `${mediansOf(repeats, "turn", "turns")}; all is drawn with seed 0.`,
    clock: "processor",
    findings: [
      `${verdict({ functions: dearFunctions.length === 0, gradients: dearGradients.length === 0 })}${dearFunctions.length + dearGradients.length === 0 ? "" : ` Dearer: ${[...dearFunctions, ...dearGradients].join(", ")}.`}`,
      `Functions take ${reach(
        functionRows.map(({ ratio }) => ratio),
        2,
      )} times the time of Math's, gradients of minibatches ${reach(
        sumRows.map(({ ratio }) => ratio),
        1,
      )} times that of values; a comparison with its gradient takes ${reach(
        ordinalRows.map(({ both }) => both.median),
        0,
      )} ns, ${median(ordinalRows.map(({ value }) => value.median)).toFixed(0)} without (the median of the losses).`,
    ],
    tables: [
      {
        title: "Functions",
        columns: ["function", "numbers", "ns", "Math's, ns", "ratio"],
        rows: functionRows.map((row): Cell[] => [
          row.name,
          row.range,
          spreadText(row.mine, decimals(1)),
          spreadText(row.maths, decimals(1)),
          row.ratio.toFixed(2),
        ]),
      },
      {
        title: "Sums over minibatches",
        columns: ["sum", "rows", "parameters", "value, ms", "with its gradient, ms", "ratio"],
        rows: sumRows.map((row): Cell[] => [
          row.name,
          row.rows,
          row.dimension,
          spreadText(row.value, decimals(2)),
          spreadText(row.both, decimals(2)),
          row.ratio.toFixed(1),
        ]),
      },
      {
        title: "Ordinal losses",
        columns: ["loss", "value, ns a comparison", "with its gradient, ns a comparison"],
        rows: ordinalRows.map((row): Cell[] => [
          row.name,
          spreadText(row.value, decimals(0)),
          spreadText(row.both, decimals(0)),
        ]),
      },
    ],
  },
  isQuick,
);
