/**
 * The units of the variables. SFO and L-BFGS begin with a multiple of the identity: variables that differ in unit among
 * themselves by many orders are then minimised one order after the other, or not at all. In z = x / s they are alike where
 * the rows of the Hessian of F(s z), S H S with S = diag(s), are about as large as each other:
 *
 *   s ← 1 / √Σᵢ gᵢ²                          gᵢ the gradients of the subfunctions looked at, by variable
 *   repeat    y = |S H S ε|,   ε random signs,   H S ε by a difference of gradients
 *             s ← s (y / median y)^(−ω/2),   ω = 1, 1/2^0.7, 1/3^0.7 …
 *
 * Of y² the mean over ε is the squared norm of a row of S H S. Bradley: Algorithms for the equilibration of matrices and
 * their application to limited-memory quasi-Newton methods. PhD thesis, Stanford 2010, section 2.3 (there with sums of y²,
 * which take longer to cross many orders). The gradients of one unit per variable are a first guess that is right for
 * generalised linear models: there gᵢ and √H have the same units.
 *
 * Five subfunctions are looked at, all of them where five leave variables out; and only their gradients where these do not
 * differ by `SUSPECT` from variable to variable. Scales are powers of two, so that no entry of x is rounded.
 */
import { CurvatureError, exp, log, optionName, RandomGenerator } from "@curvature/linalg";
import type { SumOfFunctions } from "@curvature/optim-core";

/** Subfunctions that are looked at. */
const SAMPLE = 5;
/** Variables whose units differ by less are left as they are. */
const SUSPECT = 1e3;
const ROUNDS = 6;
/** By how much a step is to change the gradient, and what is near enough. */
const [CHANGE, LEAST_CHANGE, MOST_CHANGE] = [1e-3, 1e-6, 0.1];
/** Steps that are tried for it. */
const MAX_TRIALS = 6;
/** Of scales to the largest of them, and of what one round may correct. */
const [MAX_RANGE, MAX_CORRECTION] = [1e15, 1e12];
/** A change of a gradient's entry that is a smaller part of it may be rounding. */
const ROUNDING = 1e-11;

/** Gradients of some subfunctions at a point. */
interface Look {
  readonly value: number;
  readonly gradient: Float64Array;
  /** √Σᵢ gᵢ², by variable. */
  readonly size: Float64Array;
}

/**
 * @param x - the first point
 * @param seed - of ε
 * @param concurrency - evaluations under way at once, where they are promises
 * @returns s; undefined where the variables have one unit, or none can be seen
 * @throws what a subfunction throws
 */
export async function unitsOfVariables(
  sum: SumOfFunctions,
  x: Float64Array,
  seed: number,
  concurrency: number,
): Promise<Float64Array | undefined> {
  const { dimension, count } = sum;
  const look = async (point: Float64Array, indices: readonly number[]): Promise<Look> => {
    const gradient = new Float64Array(dimension);
    const size = new Float64Array(dimension);
    let value = 0;
    for (let at = 0; at < indices.length; at += concurrency) {
      const group = indices.slice(at, at + concurrency).map((index) => {
        const own = new Float64Array(dimension);
        return { own, f: sum.evaluate(index, point.slice(), own) };
      });
      const values = await Promise.all(group.map(async ({ f }) => f));
      for (const [k, { own }] of group.entries()) {
        value += values[k];
        for (let j = 0; j < dimension; j++) {
          gradient[j] += own[j];
          size[j] += own[j] * own[j];
        }
      }
    }
    return { value, gradient, size: size.map(Math.sqrt) };
  };

  const sample = Math.min(SAMPLE, count);
  const indices = Array.from({ length: sample }, (_, k) => Math.floor((k * count) / sample));
  let first = await look(x, indices);
  if (!isUsable(first) || spread(first.size) < SUSPECT) return undefined;
  if (first.size.includes(0)) {
    const seen = first.size;
    for (let i = 0; i < count; i++) {
      if (indices.includes(i) || !seen.includes(0)) continue;
      const { size } = await look(x, [i]);
      if (size.every((entry, j) => entry === 0 || seen[j] > 0)) continue;
      for (let j = 0; j < dimension; j++) seen[j] += size[j];
      indices.push(i);
    }
    if (indices.length > sample) first = await look(x, indices);
    if (!isUsable(first)) return undefined;
  }
  const largest = first.size.reduce((most, size) => Math.max(most, size), 0);
  const usual = median(first.size.filter((size) => size > 0));
  const s = first.size.map((size) => 1 / Math.max(size || usual, largest / MAX_RANGE));
  if (!s.every(Number.isFinite)) return undefined;

  const random = new RandomGenerator(seed);
  const firstStep = 1e-4 * (Math.abs(first.value) || 1);
  /** |S H S ε|; undefined where F seems to be linear, or is not smooth. */
  const rows = async (scales: Float64Array, kept: { step: number }): Promise<Float64Array | undefined> => {
    const signs = Float64Array.from(scales, () => (random.uniform() < 0.5 ? -1 : 1));
    const sizes = first.size.map((size, j) => size * scales[j]);
    const slope = sizes.reduce((total, size) => total + size, 0);
    for (let trial = 0; trial < MAX_TRIALS; trial++) {
      const length = kept.step / slope;
      const there = await look(
        x.map((entry, j) => entry + length * signs[j] * scales[j]),
        indices,
      );
      const change = there.gradient.map((g, j) => {
        const difference = Math.abs(g - first.gradient[j]);
        return difference > ROUNDING * first.size[j] ? difference * scales[j] : 0;
      });
      const share = norm(change) / norm(sizes);
      if (!isUsable(there)) kept.step /= 1e3;
      else if (share >= LEAST_CHANGE && share <= MOST_CHANGE) return change.map((entry) => entry / length);
      else kept.step *= share > 0 ? CHANGE / share : 1e3;
    }
    return undefined;
  };

  // as they are: two rows of random signs, since by chance one may nearly cancel
  const own = new Float64Array(dimension);
  const plain = { step: firstStep };
  for (let k = 0; k < 2; k++) {
    const y = await rows(new Float64Array(dimension).fill(1), plain);
    if (y === undefined) return undefined;
    for (let j = 0; j < dimension; j++) own[j] += y[j] * y[j];
  }
  if (spread(own) < SUSPECT * SUSPECT) return undefined;
  const scaled = { step: firstStep };
  for (let round = 1; round <= ROUNDS; round++) {
    const y = await rows(s, scaled);
    if (y === undefined) return undefined;
    const middle = median(y.filter((entry) => entry > 0));
    const weight = exp(-0.7 * log(round)) / 2;
    for (let j = 0; j < dimension; j++)
      if (y[j] > 0) s[j] *= exp(-weight * log(clamped(y[j] / middle, MAX_CORRECTION)));
    if (round > 1 && spread(s) < SUSPECT / 3) return undefined;
  }
  if (spread(s) < SUSPECT) return undefined;
  const middle = median(s);
  return s.map((scale) => powerOfTwo(scale / middle));
}

/** A caller's scales. @throws CurvatureError ERR_SHAPE */
export function powersOfTwo(scales: ArrayLike<number>, dimension: number): Float64Array {
  if (scales.length === dimension) return Float64Array.from(scales, powerOfTwo);
  throw new CurvatureError(
    "ERR_SHAPE",
    `${optionName("variableScales")} must have ${dimension} numbers, one for each variable; it has ${scales.length}.`,
    {
      where: "minimizeSum",
      path: "variableScales",
      expected: `${dimension} numbers`,
      received: scales.length,
    },
  );
}

/** The same sum as a function of z = x / s. @param scalesNow - s; undefined is 1 */
export function inUnits(sum: SumOfFunctions, scalesNow: () => Float64Array | undefined): SumOfFunctions {
  return {
    ...sum,
    evaluate(index, z, gradient) {
      const scales = scalesNow();
      const x = scales === undefined ? z : z.map((entry, j) => entry * scales[j]);
      if (gradient === undefined) return sum.evaluate(index, x);
      const value = sum.evaluate(index, x, gradient);
      if (scales === undefined) return value;
      const scaled = (f: number): number => {
        for (let j = 0; j < scales.length; j++) gradient[j] *= scales[j];
        return f;
      };
      return typeof value === "number" ? scaled(value) : Promise.resolve(value).then(scaled);
    },
  };
}

const isUsable = ({ value, gradient }: Look): boolean =>
  Number.isFinite(value) && gradient.every(Number.isFinite);

const norm = (v: Float64Array): number => {
  const largest = v.reduce((most, entry) => Math.max(most, entry), 0);
  if (!(largest > 0)) return 0;
  return largest * Math.sqrt(v.reduce((total, entry) => total + (entry / largest) ** 2, 0));
};

/** The largest entry over the least one that is not 0. */
function spread(v: Float64Array): number {
  const used = v.filter((entry) => entry > 0);
  const least = used.reduce((low, entry) => Math.min(low, entry), Number.POSITIVE_INFINITY);
  return used.reduce((most, entry) => Math.max(most, entry), 0) / least;
}

const median = (v: Float64Array): number => v.slice().sort()[v.length >> 1];

const clamped = (factor: number, most: number): number => Math.min(most, Math.max(1 / most, factor));

/** The nearest one below. */
function powerOfTwo(value: number): number {
  let power = 1;
  while (power > value) power /= 2;
  while (2 * power <= value) power *= 2;
  return power;
}
