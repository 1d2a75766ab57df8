/**
 * Where a fit starts when nobody says: short fits from points drawn around the scales of the data, of which the best is kept. The
 * first start has ones; the others have, for each parameter, one of the scales that it may have (1, that of y, that of a variable,
 * its inverse, y by it) times a power of ten from −1 to 1.
 */
import { RandomGenerator } from "@curvature/linalg";
import { leastSquares } from "@curvature/optim-core";
import type { Tape } from "../../formula/tape.js";
import { type FormulaRows, residualProblem, thinned } from "./residuals.js";

/** Starts, of which the fits go on from those that are lowest after a few iterations. */
const STARTS = 64;
const FEW_ITERATIONS = 10;
const FINALISTS = 16;
const ITERATIONS = 50;
/** Rows that tell one start from another. */
const ROWS = 200;

export interface Bounds {
  readonly lower: readonly number[];
  readonly upper: readonly number[];
}

export interface FoundStart {
  readonly x: Float64Array;
  /** Starts that were tried. */
  readonly tried: number;
  /** Those whose fits went on. */
  readonly finalists: number;
  /** Of these the ones that came as low as the best. */
  readonly reached: number;
}

/**
 * @param stated - the parameters whose start the user says
 * @param variables - columns of the points that the formula has right of ~
 * @returns undefined where no start gives numbers
 */
export async function foundStart(
  tape: Tape,
  all: FormulaRows,
  stated: readonly (number | undefined)[],
  { lower, upper }: Bounds,
  variables: readonly number[],
  { seed, signal, onStart }: { seed: number; signal: AbortSignal; onStart: (share: number) => void },
): Promise<FoundStart | undefined> {
  const rows = thinned(all, ROWS);
  const problem = residualProblem(tape, rows);
  const scales = scalesOf(rows, variables);
  const random = new RandomGenerator(seed);
  const drawn = (j: number, isFirst: boolean): number => {
    const [low, high] = [lower[j], upper[j]];
    const [choice, power, sign] = [random.uniform(), random.uniform(), random.uniform()];
    if (isFirst) return Math.min(high, Math.max(low, 1));
    if (Number.isFinite(high - low)) return low + power * (high - low);
    const size = scales[Math.floor(choice * scales.length)] * 10 ** (2 * power - 1);
    if (low === Number.NEGATIVE_INFINITY && high === Number.POSITIVE_INFINITY)
      return sign < 0.25 ? -size : size;
    const isInside = size > low && size < high;
    return isInside ? size : low === Number.NEGATIVE_INFINITY ? high - size : low + size;
  };
  const shortFit = async (start: Float64Array, maxIterations: number): Promise<End[]> => {
    if (signal.aborted || ![problem.residuals(start), problem.jacobian(start).data].every(isMeasurable))
      return [];
    const { x, value } = await leastSquares(problem, start, { lower, upper, signal, maxIterations });
    return Number.isFinite(value) ? [{ x, value }] : [];
  };
  const ends: End[] = [];
  for (let k = 0; k < STARTS; k++) {
    onStart((0.5 * k) / STARTS);
    const start = Float64Array.from(stated, (value, j) => value ?? drawn(j, k === 0));
    ends.push(...(await shortFit(start, FEW_ITERATIONS)));
  }
  ends.sort((a, b) => a.value - b.value);
  const finals: End[] = [];
  for (const [k, { x }] of ends.slice(0, FINALISTS).entries()) {
    onStart(0.5 + (0.5 * k) / FINALISTS);
    finals.push(...(await shortFit(x, ITERATIONS)));
  }
  if (finals.length === 0) return undefined;
  const best = finals.reduce((least, end) => (end.value < least.value ? end : least));
  const rounding = 1e-14 * rows.response.reduce((sum, y) => sum + y * y, 0);
  const reached = finals.filter(({ value }) => value <= best.value * (1 + 1e-4) + rounding);
  // Of points that are mirrors of each other people mean the one whose parameters are positive.
  const meant = reached.reduce((one, other) => (negatives(other) < negatives(one) ? other : one));
  return {
    x: typed(meant.x, { lower, upper }),
    tried: STARTS,
    finalists: finals.length,
    reached: reached.length,
  };
}

interface End {
  readonly x: Float64Array;
  readonly value: number;
}

const negatives = ({ x }: End): number => x.filter((value) => value < 0).length;

/** Whether the squares have a sum. */
const isMeasurable = (values: Float64Array): boolean =>
  Number.isFinite(values.reduce((sum, value) => sum + value * value, 0));

/** As people can type it. */
const typed = (x: Float64Array, { lower, upper }: Bounds): Float64Array =>
  x.map((value, j) => Math.min(upper[j], Math.max(lower[j], Number(value.toPrecision(6)))));

function scalesOf({ points, response }: FormulaRows, variables: readonly number[]): readonly number[] {
  const ofResponse = typicalSize(response);
  const ofVariables = variables.map((column) =>
    typicalSize(
      Float64Array.from({ length: points.rows }, (_, i) => points.data[i * points.columns + column]),
    ),
  );
  return [1, ofResponse, ...ofVariables.flatMap((size) => [size, 1 / size, ofResponse / size])];
}

/** The median of the sizes that are not 0. */
function typicalSize(values: Float64Array): number {
  const sizes = values.map(Math.abs).filter((size) => size > 0 && Number.isFinite(1 / size));
  return sizes.length === 0 ? 1 : sizes.sort()[Math.floor(sizes.length / 2)];
}
