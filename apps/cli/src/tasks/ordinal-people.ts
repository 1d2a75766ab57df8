/** What a map knows of each person who answered, and a map of each person's own. */
import type { DenseMatrix } from "@curvature/linalg";
import { type OrdinalLossName, ordinalObjective } from "@curvature/objectives/ordinal";
import { maxIterations, runSync } from "@curvature/optim-core";
import { createOrdinalSolver, procrustes } from "@curvature/optim-svrg";
import type { Answers } from "../read/answers.js";
import type { Channel } from "./channel.js";

export interface PersonFigures {
  /** The place in the list of people. */
  readonly person: number;
  /** Answers of the fit, and those of the test; half an answer counts as one half. */
  readonly answers: number;
  readonly testAnswers: number;
  /** Shares that the map does not satisfy; undefined where there are no answers. */
  readonly trainingError: number | undefined;
  readonly testError: number | undefined;
}

/** @returns one entry for each person, in their order; none where nobody is named */
export function peopleFigures(
  map: DenseMatrix,
  training: Answers,
  test: Answers | undefined,
): PersonFigures[] {
  const fitted = sumsByPerson(map, training);
  const tested = test === undefined ? new Map<number, Sums>() : sumsByPerson(map, test);
  return [...new Set([...fitted.keys(), ...tested.keys()])]
    .sort((a, b) => a - b)
    .map((person) => {
      const [own, other] = [fitted.get(person), tested.get(person)];
      return {
        person,
        answers: own?.weight ?? 0,
        testAnswers: other?.weight ?? 0,
        trainingError: own && own.wrong / own.weight,
        testError: other && other.wrong / other.weight,
      };
    });
}

interface Sums {
  readonly wrong: number;
  readonly weight: number;
}

function sumsByPerson(map: DenseMatrix, { quadruplets, weights, groups }: Answers): Map<number, Sums> {
  const sums = new Map<number, Sums>();
  const people = groups?.participant;
  for (let q = 0; people !== undefined && q < quadruplets.length / 4; q++) {
    const [i, j, l, k] = quadruplets.subarray(4 * q, 4 * q + 4);
    const weight = weights?.[q] ?? 1;
    const { wrong, weight: all } = sums.get(Number(people[q])) ?? { wrong: 0, weight: 0 };
    const isMet = squaredDistance(map, i, j) < squaredDistance(map, l, k); // a tie is not met, as in all our errors
    sums.set(Number(people[q]), { wrong: wrong + (isMet ? 0 : weight), weight: all + weight });
  }
  for (const [person, { weight }] of sums) if (weight === 0) sums.delete(person);
  return sums;
}

function squaredDistance({ columns: p, data }: DenseMatrix, i: number, j: number): number {
  let sum = 0;
  for (let t = 0; t < p; t++) sum += (data[i * p + t] - data[j * p + t]) ** 2;
  return sum;
}

export interface IndividualMap {
  readonly person: number;
  /** n × p, moved onto the common map; NaN for objects without a place there. */
  readonly map: DenseMatrix;
  readonly answers: number;
  /** Shares of the person's answers that the common map and this one do not satisfy. */
  readonly commonError: number;
  readonly ownError: number;
  /** How unlike the common map it is, up to moving, turning and reflecting: of 0 alike. */
  readonly disparity: number;
  /** Whether there are fewer answers than coordinates, so that it is hardly more than the common map. */
  readonly isOfFew: boolean;
}

/**
 * What all other answers weigh together beside one of the person's own, in answers per coordinate. Measured on 6 kinds of drawn
 * people (see the command's README): from 2 to 10 the error on new answers is the same within 0.003.
 */
const OTHERS = 5;
const ITERATIONS = 60;

/**
 * A map for each person: fitted to the person's answers, and to those of all others as if these were 5 answers for each coordinate. Who
 * answered little so has nearly the common map, and who answered much one of their own.
 */
export function individualMaps(
  common: DenseMatrix,
  answers: Answers,
  fit: {
    readonly loss: OrdinalLossName;
    readonly ridge: number;
    readonly mu?: number | undefined;
    readonly alpha?: number | undefined;
  },
  channel: Channel,
): IndividualMap[] {
  const { quadruplets, groups, objects } = answers;
  const people = groups?.participant;
  if (people === undefined) return [];
  const { columns: p, data } = common;
  const count = quadruplets.length / 4;
  const weights = answers.weights ?? new Float64Array(count).fill(1);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const placed = Array.from({ length: objects }, (_, n) => n).filter((n) => Number.isFinite(data[n * p]));
  const start = data.map((value) => (Number.isFinite(value) ? value : 0));
  const figures = peopleFigures(common, answers, undefined);
  return figures.map(({ person, answers: own, trainingError = 0 }, done) => {
    channel.signal.throwIfAborted();
    channel.phase(`individual map ${done + 1} of ${figures.length}`, done / figures.length);
    const others = all - own;
    const share = others > 0 ? Math.min(1, (OTHERS * placed.length * p) / others) : 0;
    const weighted = weights.map((weight, q) => (Number(people[q]) === person ? weight : share * weight));
    const objective = ordinalObjective({ objects, quadruplets, weights: weighted }, fit.loss, p, {
      ridge: fit.ridge,
      mu: fit.mu,
      alpha: fit.alpha,
    });
    const solver = createOrdinalSolver(objective, start, { solver: "lbfgs" });
    const { x } = runSync(solver, { stop: maxIterations(ITERATIONS) });
    const rowsOf = (from: Float64Array): Float64Array =>
      Float64Array.from(placed.flatMap((n) => [...from.subarray(n * p, n * p + p)]));
    const [target, found] = [rowsOf(data), rowsOf(x)].map((rows) => ({
      rows: placed.length,
      columns: p,
      data: rows,
    }));
    const { aligned, disparity } = procrustes(target, found, { scaling: false });
    const map = { rows: objects, columns: p, data: new Float64Array(data.length).fill(Number.NaN) };
    for (const [r, n] of placed.entries()) map.data.set(aligned.data.subarray(r * p, r * p + p), n * p);
    const { trainingError: ownError = 0 } =
      peopleFigures(map, answers, undefined).find((each) => each.person === person) ?? {};
    const isOfFew = own < placed.length * p;
    return { person, map, answers: own, commonError: trainingError, ownError, disparity, isOfFew };
  });
}
