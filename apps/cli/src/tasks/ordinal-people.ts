/** What a map knows of each person who answered, and a map of each person's own. */
import type { DenseMatrix } from "@curvature/linalg";
import { type OrdinalLossName, ordinalObjective } from "@curvature/objectives/ordinal";
import { maxIterations, runSync } from "@curvature/optim-core";
import { createOrdinalSolver, procrustes, splitAnswers } from "@curvature/optim-svrg";
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
    const weight = weights?.[q] ?? 1;
    const { wrong, weight: all } = sums.get(Number(people[q])) ?? { wrong: 0, weight: 0 };
    const wasWrong = isMet(map, { quadruplets }, q) ? 0 : weight;
    sums.set(Number(people[q]), { wrong: wrong + wasWrong, weight: all + weight });
  }
  for (const [person, { weight }] of sums) if (weight === 0) sums.delete(person);
  return sums;
}

/** A tie is not met, as in all our errors. */
function isMet(map: DenseMatrix, { quadruplets }: Pick<Answers, "quadruplets">, q: number): boolean {
  const [i, j, l, k] = quadruplets.subarray(4 * q, 4 * q + 4);
  return squaredDistance(map, i, j) < squaredDistance(map, l, k);
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

export interface Individuals {
  readonly maps: readonly IndividualMap[];
  /** What the answers of all others weigh, in answers per coordinate. */
  readonly others: number;
  /** The error on a fifth of the answers, held out, by that weight; Infinity is the common map. */
  readonly tried: readonly { readonly others: number; readonly error: number }[];
  /** Whether maps of their own predict these better than the common map does, beyond what chance makes of the best of three. */
  readonly isBetter: boolean;
}

/**
 * Weights that are tried. In simulations (20 objects, 8 people of 40 to 600 answers, places that differ by 0 to 0.7 of their spread)
 * the best were 2 to 10 where people differ, and the common map where they do not.
 */
const WEIGHTS = [2, 6, 20];
/** Standard errors by which the best of three weights must be ahead: few who do not differ are said to, then. */
const BEYOND = 2.4;
const ITERATIONS = 60;
const HELD_OUT = 0.2;

export interface IndividualFit {
  readonly loss: OrdinalLossName;
  readonly ridge: number;
  readonly seed: number;
  readonly mu?: number | undefined;
  readonly alpha?: number | undefined;
}

/**
 * A map for each person: fitted to the person's answers, and to those of all others as if these were some answers for each coordinate
 * only. Who answered little so has nearly the common map, and who answered much one of their own. How many is decided by a fifth of the
 * answers that are held out.
 */
export function individualMaps(
  common: DenseMatrix,
  answers: Answers,
  fit: IndividualFit,
  channel: Pick<Channel, "signal" | "phase">,
): Individuals {
  const { train, test } = splitAnswers(answers, { test: HELD_OUT, seed: fit.seed });
  const [known, heldOut] = [renamed(train, answers), renamed(test, answers)];
  const people = peopleFigures(common, answers, undefined);
  const rounds = (WEIGHTS.length + 1) * people.length;
  let done = 0;
  const fitted = (to: Answers, person: number, others: number): DenseMatrix => {
    channel.signal.throwIfAborted();
    channel.phase("individual maps", done++ / rounds);
    return mapOf(common, to, person, { ...fit, others });
  };
  /** Of each answer held out its weight where the map of its person does not meet it, else 0. */
  const wrongOf = (mapFor: (person: number) => DenseMatrix): Float64Array => {
    const wrong = new Float64Array(heldOut.quadruplets.length / 4);
    for (const { person } of people) {
      const map = mapFor(person);
      for (let q = 0; q < wrong.length; q++)
        if (Number(heldOut.groups?.participant?.[q]) === person)
          wrong[q] = isMet(map, heldOut, q) ? 0 : weightOf(heldOut, q);
    }
    return wrong;
  };
  const all = Float64Array.from({ length: heldOut.quadruplets.length / 4 }, (_, q) => weightOf(heldOut, q));
  const errorOf = (wrong: Float64Array): number => sum(wrong) / sum(all);
  const shared = mapOf(common, known, -1, { ...fit, others: Number.POSITIVE_INFINITY });
  const ofCommon = wrongOf(() => shared);
  const own = WEIGHTS.map((others) => {
    const wrong = wrongOf((person) => fitted(known, person, others));
    return { others, wrong, error: errorOf(wrong) };
  });
  const best = own.reduce((least, other) => (other.error < least.error ? other : least));
  const tried = [
    { others: Number.POSITIVE_INFINITY, error: errorOf(ofCommon) },
    ...own.map(({ others, error }) => ({ others, error })),
  ];
  const maps = people.map(({ person, answers: count, trainingError = 0 }) => {
    const { aligned, disparity, places } = onto(common, fitted(answers, person, best.others));
    const sums = sumsByPerson(aligned, answers).get(person);
    return {
      ...{ person, map: aligned, answers: count, commonError: trainingError, disparity },
      ownError: sums === undefined ? 0 : sums.wrong / sums.weight,
      isOfFew: count < places * common.columns,
    };
  });
  const gains = ofCommon.map((wrong, q) => wrong - best.wrong[q]);
  const standardError = Math.sqrt(sum(gains.map((gain) => gain * gain)));
  return { maps, others: best.others, tried, isBetter: sum(gains) > BEYOND * standardError };
}

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
const weightOf = ({ weights }: Answers, q: number): number => weights?.[q] ?? 1;

/** A division numbers people anew, in the order in which they come: their own numbers again. */
function renamed(
  { groups, ...part }: ReturnType<typeof splitAnswers>["train"],
  { groups: all }: Answers,
): Answers {
  const numbers = [...new Set(Array.from(all?.participant ?? []))];
  const participant = groups?.participant && Array.from(groups.participant, (unit) => numbers[Number(unit)]);
  return { weights: undefined, ...part, groups: { trial: groups?.trial, participant } };
}

/** @param person - whose answers count in full; none for −1, and an infinite weight of the others */
function mapOf(
  { columns: p, data }: DenseMatrix,
  { objects, quadruplets, weights, groups }: Answers,
  person: number,
  { loss, ridge, mu, alpha, others }: IndividualFit & { readonly others: number },
): DenseMatrix {
  const people = groups?.participant;
  const given = weights ?? new Float64Array(quadruplets.length / 4).fill(1);
  const isOwn = (q: number): boolean => people !== undefined && Number(people[q]) === person;
  const rest = given.reduce((sum, weight, q) => sum + (isOwn(q) ? 0 : weight), 0);
  const places = data.reduce((sum, value) => sum + Number(Number.isFinite(value)), 0);
  const share = rest > 0 ? Math.min(1, (others * places) / rest) : 0;
  const weighted = given.map((weight, q) => (isOwn(q) ? weight : share * weight));
  const settings = { ridge, mu, alpha };
  const objective = ordinalObjective({ objects, quadruplets, weights: weighted }, loss, p, settings);
  const start = data.map((value) => (Number.isFinite(value) ? value : 0));
  const solver = createOrdinalSolver(objective, start, { solver: "lbfgs" });
  return { rows: objects, columns: p, data: runSync(solver, { stop: maxIterations(ITERATIONS) }).x };
}

/** Moved, turned and reflected onto the common map by the objects that have a place there. */
function onto({ rows, columns: p, data }: DenseMatrix, map: DenseMatrix) {
  const placed = Array.from({ length: rows }, (_, n) => n).filter((n) => Number.isFinite(data[n * p]));
  const rowsOf = (from: Float64Array): DenseMatrix => ({
    rows: placed.length,
    columns: p,
    data: Float64Array.from(placed.flatMap((n) => [...from.subarray(n * p, n * p + p)])),
  });
  const moved = procrustes(rowsOf(data), rowsOf(map.data), { scaling: false });
  const aligned = { rows, columns: p, data: new Float64Array(data.length).fill(Number.NaN) };
  for (const [r, n] of placed.entries())
    aligned.data.set(moved.aligned.data.subarray(r * p, r * p + p), n * p);
  return { aligned, disparity: moved.disparity, places: placed.length };
}
