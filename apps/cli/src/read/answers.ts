/**
 * What the ordinal commands read: answers (which two are nearer to each other?), or distances from which to make them.
 */
import {
  type ComparisonsOptions,
  type ComparisonTable,
  type DistancesOptions,
  type DistanceTable,
  readComparisonFiles,
  readComparisons,
  readDistances,
} from "@curvature/datasets";
import type { AnswerGroups } from "@curvature/optim-svrg";
import { bytesOf, inFile, shownName } from "./file.js";
import { listed } from "./object-names.js";

/** The answers as the packages take them, each with its trial and the number of its person where the file says so. */
export type Answers = ComparisonTable["comparisons"] & { readonly groups?: AnswerGroups | undefined };

/** @param people - whose numbers are taken, where another file has begun to count them */
export function answersOf(
  { comparisons, trial, participant, participants }: ComparisonTable,
  people = participants,
): Answers {
  const isGrouped = trial !== undefined || participant !== undefined;
  if (!isGrouped) return comparisons;
  const numbers = new Map(people?.map((name, number) => [name, number]));
  const numbered =
    people === participants
      ? participant
      : participant?.map((n) => numbers.get(participants?.[n] ?? "") ?? n);
  return { ...comparisons, groups: { trial, participant: numbered } };
}

/** What files are called together. */
export const shownNames = (paths: readonly string[]): string =>
  paths.length === 1 ? shownName(paths[0]) : `${paths.length} files, from ${shownName(paths[0])}`;

/**
 * @param paths - of one table
 * @throws CurvatureError ERR_IO, ERR_PARSE, ERR_NON_FINITE, with the file's name; an AbortError if `signal` is
 */
export async function readAnswers(
  paths: readonly string[],
  options: ComparisonsOptions,
  signal: AbortSignal,
): Promise<ComparisonTable> {
  const [path] = paths;
  try {
    if (paths.length === 1) return await readComparisons(bytesOf(path, signal), options);
    const files = paths.map((each) => ({ name: shownName(each), source: bytesOf(each, signal) }));
    return await readComparisonFiles(files, options);
  } catch (error) {
    throw paths.length === 1 ? inFile(path, error) : error;
  }
}

/** @throws CurvatureError as `readAnswers`; ERR_SHAPE */
export async function readDistanceFile(
  path: string,
  signal: AbortSignal,
  options?: DistancesOptions,
): Promise<DistanceTable> {
  try {
    return await readDistances(bytesOf(path, signal), options);
  } catch (error) {
    throw inFile(path, error);
  }
}

/** What the reader says besides the answers, for people. */
export function notesOn(
  paths: readonly string[],
  { warnings, dropped, ignored, notes, participant }: ComparisonTable,
): { readonly warnings: readonly string[]; readonly notes: readonly string[] } {
  const file = shownNames(paths);
  return {
    warnings: warnings.map((sentence) => `${file}: ${sentence}`),
    notes: [
      ...notes.map((sentence) => `${file}: ${sentence}`),
      ...(dropped === 0 || participant !== undefined
        ? []
        : [`${file}: ${dropped} lines that compare what is the same have been dropped.`]),
      ...(ignored.length === 0 ? [] : [`${file}: columns not used: ${listed(ignored)}.`]),
    ],
  };
}
