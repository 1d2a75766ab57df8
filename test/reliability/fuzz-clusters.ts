/**
 * What `clusterPoints` claims of labels, beside every partition of 2 to 7 points in fractions without rounding: no clustering costs
 * less than `costLower`, `cost` is that of the labels, and labels that are said to be best are; with links, of the clusterings that
 * respect them. Families of copies, far values, far means, of scales 1e-138 to 1e138.
 */
import type { RandomGenerator } from "@curvature/linalg";
import { clusterPoints } from "@curvature/optim-sdp";
import {
  drawnPairs,
  drawnPoints,
  exactCost,
  exactOptimum,
  exactPoints,
  isAtMost,
  respectsLinks,
} from "../../packages/optim-sdp/test/helpers/cost.ts";
import { exactLeastOnLine, leastOnLine } from "../../packages/optim-sdp/test/helpers/line.ts";
import { ensure, outcome, type Reader } from "./fuzz-target.ts";

const solvers = ["auto", "auto", "admm", "cg", "bm"] as const;

/** Whole numbers, whose least cost a dynamic programme knows. */
function drawnOnLine(random: RandomGenerator, least: number): number[] {
  const n = least + Math.floor(60 * random.uniform());
  const width = 10 ** Math.floor(1 + 4 * random.uniform());
  const clumps = 1 + Math.floor(5 * random.uniform());
  const far = random.uniform() < 0.3 ? 1e7 : 0;
  return Array.from(
    { length: n },
    (_, i) => i + width * Math.floor(clumps * random.uniform()) + (random.uniform() < 0.01 ? far : 0),
  );
}

/**
 * What `clusterPoints` claims of many points, and of pieces of them: so many different ones that they are bounded in groups, on the
 * diagonal of a plane, where nothing knows that they are no more than numbers.
 */
export const manyOnLine: Reader = {
  name: "clusters of many points",
  most: { seconds: 5, bytes: 2 ** 28 }, // some dozens of eigendecompositions of 200 x 200
  make: (random) => {
    const numbers = drawnOnLine(random, 610);
    const points = numbers.map((x) => [x, x]);
    const K = 2 + Math.floor(4 * random.uniform());
    const options = {
      clusters: K,
      tolerance: 0,
      maxIterations: 20 + Math.floor(50 * random.uniform()),
    } as const;
    return {
      bytes: undefined,
      data: { points, options },
      read: () =>
        outcome(
          () => clusterPoints(points, options),
          ({ cost, costLower, costGap }) => {
            const least = 2 * leastOnLine(numbers, K);
            ensure(costLower <= least * (1 + COST_ERROR), `costLower ${costLower} is above ${least}`);
            ensure(cost >= least * (1 - COST_ERROR), `cost ${cost} is below ${least}`);
            ensure(costGap >= 0 && costGap <= 1, `costGap ${costGap}`);
          },
        ),
    };
  },
};

/** The same of numbers in any unit, with copies: their labels are the best ones. */
export const numbersAlone: Reader = {
  name: "clusters of numbers",
  make: (random) => {
    const whole = drawnOnLine(random, 2).map((x) => (random.uniform() < 0.3 ? x % 7 : x));
    const unit = [1, 1, 1e-150, 1e150, 1 / 3][Math.floor(5 * random.uniform())];
    const isTooMany = random.uniform() < 0.03;
    const K = isTooMany ? whole.length + 1 : 1 + Math.floor(Math.min(8, whole.length) * random.uniform());
    const beside = random.uniform() < 0.3 ? [5e4 * unit] : []; // a constant column
    const points = whole.map((x) => [x * unit, ...beside]);
    return {
      bytes: undefined,
      data: { points, K },
      read: () =>
        outcome(
          () => clusterPoints(points, { clusters: K, tolerance: 0 }),
          ({ cost, costLower, costGap, labels }) => {
            const { rows, exponent } = exactPoints(points.map(([x]) => [x]));
            const n = rows.length;
            const least = exactLeastOnLine(
              rows.map(([x]) => x),
              K,
            );
            ensure(isAtMost(costLower, least, exponent, n), `costLower ${costLower} is false`);
            const own = exactCost(rows, [...labels]);
            ensure(own - least <= least / 10n ** 12n, `labels of ${cost} are not best`);
            ensure(costGap <= BEST, `costGap ${costGap}`);
          },
        ),
    };
  },
};

/** What the sums that a cost consists of may have lost. */
const COST_ERROR = 1e-12;
/** What labels that are proved best may cost more than the best ones. */
const BEST = 1e-7;

export const clusters: Reader = {
  name: "clusters",
  make: (random) => {
    const points = drawnPoints(random);
    const K = 1 + Math.floor(points.length * random.uniform());
    const options = {
      clusters: K,
      solver: solvers[Math.floor(solvers.length * random.uniform())],
      scale: random.uniform() < 0.5 ? "none" : "norm",
      tolerance: random.uniform() < 0.5 ? 0 : 1e-3,
      // most runs are cut somewhere, in the relaxation or in the proof
      maxIterations: 1 + Math.floor((random.uniform() < 0.5 ? 60 : 1500) * random.uniform()),
      exact: random.uniform() < 0.4,
    } as const;
    const isLinked = random.uniform() < 0.4;
    const mustLink = isLinked ? drawnPairs(random, points.length, Math.floor(3 * random.uniform())) : [];
    const cannotLink = isLinked ? drawnPairs(random, points.length, Math.floor(4 * random.uniform())) : [];
    return {
      bytes: undefined,
      data: { points, options, mustLink, cannotLink },
      read: () =>
        outcome(
          () => clusterPoints(points, { ...options, mustLink, cannotLink }),
          ({ cost, costLower, costGap, labels, message }) => {
            const n = points.length;
            const { rows, exponent } = exactPoints(points);
            ensure(respectsLinks(labels, mustLink, cannotLink), "labels do not respect the links");
            const optimum = exactOptimum(rows, K, (each) => respectsLinks(each, mustLink, cannotLink)) ?? -1n;
            ensure(isAtMost(costLower, optimum, exponent, n), `costLower ${costLower} is false`);
            const own = exactCost(rows, [...labels]);
            ensure(isAtMost(cost * (1 - COST_ERROR), own, exponent, n), `cost ${cost} is too large`);
            ensure(
              !isAtMost(cost * (1 + COST_ERROR), own - 1n, exponent, n) || cost < 1e-290,
              `cost ${cost} is too small`,
            );
            const isBest = message.includes("proved best");
            ensure(
              !isBest || isAtMost(cost * (1 - BEST), optimum, exponent, n),
              `labels of ${cost} are not best`,
            );
            ensure(costGap >= 0 && costGap <= 1, `costGap ${costGap}`);
          },
        ),
    };
  },
};
