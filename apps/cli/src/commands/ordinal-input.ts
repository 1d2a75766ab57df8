/** What `curvature ordinal` reads: answers or distances, answers for a test, names, and a map to start from. */

import type { ComparisonsOptions, ComparisonTable } from "@curvature/datasets";
import { CurvatureError, type DenseMatrix, optionName } from "@curvature/linalg";
import type { NamedColumn } from "@curvature/map-view";
import { type Answers, answersOf, notesOn, readAnswers, readDistanceFile } from "../read/answers.js";
import { shownName } from "../read/file.js";
import { type ObjectFeatures, readObjectFeatures } from "../read/object-features.js";
import { readObjectImages } from "../read/object-images.js";
import { readObjectLabels } from "../read/object-labels.js";
import { listed, objectNames, readNames } from "../read/object-names.js";
import { countInFit } from "../read/test-overlap.js";
import { usageError } from "../run/failure.js";
import type { Session } from "../run/session.js";
import type { OrdinalSource, OrdinalTaskInput } from "../tasks/ordinal.js";
import { readObjectMap } from "../write/object-map.js";
import { answerFlags, isStart, type OrdinalFlags } from "./ordinal-flags.js";

export interface OrdinalInput {
  readonly source: OrdinalSource;
  readonly test: OrdinalTaskInput["test"];
  readonly start: DenseMatrix | undefined;
  readonly names: readonly string[] | undefined;
  readonly objects: number;
  readonly dropped: number;
  /** Whose the answers are, by the numbers in their groups; undefined where nobody is named. */
  readonly people: readonly string[] | undefined;
  /** What colours the objects, and a picture of each. */
  readonly labels: NamedColumn | undefined;
  readonly images: readonly string[] | undefined;
  readonly features: ObjectFeatures | undefined;
  /** Objects that the features alone name, which come after the others. */
  readonly added: readonly string[];
  /** What the answers are, for the report. */
  readonly reading: Readonly<Record<string, unknown>> | undefined;
  readonly warnings: readonly string[];
}

/** The file of a map to start from, where there is one. */
export const startFile = ({ initialization }: OrdinalFlags): string | undefined =>
  isStart(initialization) ? undefined : initialization;

export async function readAll(
  files: readonly string[],
  flags: OrdinalFlags,
  { log, signal }: Session,
): Promise<OrdinalInput> {
  const stated = answerFlags.options(flags);
  const known = flags.names === undefined ? undefined : await readNames(flags.names, signal);
  const warnings: string[] = [];
  const answersIn = async (
    paths: readonly string[],
    among: readonly string[] | number | undefined,
    isTest = false,
  ) => {
    const table = await readAnswers(paths, { ...(isTest ? plainly(stated) : stated), known: among }, signal);
    const remarks = notesOn(paths, table);
    warnings.push(...remarks.warnings);
    for (const note of remarks.notes) log.note(note);
    return table;
  };
  const read = await readSource(files, flags, known, answersIn, signal);
  let { people } = read;
  let test: OrdinalInput["test"];
  if (typeof flags.test === "string") {
    const table = await answersIn([flags.test], read.names ?? read.objects, true);
    people = people && [...new Set([...people, ...(table.participants ?? [])])];
    const asked = answersOf(table, people);
    warnings.push(...overlapWarnings(flags.test, read.source, asked));
    test = asked;
  } else test = flags.test;
  const path = startFile(flags);
  const start = path === undefined ? undefined : await readStart(path, read, signal);
  const features =
    flags.features === undefined ? undefined : await readObjectFeatures(flags.features, signal);
  const own = objectNames(read.names, read.objects);
  const mapped = new Set(own);
  const added = features?.names.filter((name) => !mapped.has(name)) ?? [];
  const called = [...own, ...added];
  const isListed = known !== undefined || read.names === undefined;
  const labels =
    flags.labels === undefined ? undefined : await readObjectLabels(flags.labels, called, isListed, signal);
  warnings.push(...(labels?.warnings ?? []));
  for (const warning of warnings) log.warning(warning);
  const images = flags.images === undefined ? undefined : readObjectImages(flags.images, called);
  const webp = called.filter((_, object) => images?.[object].startsWith("data:image/webp"));
  if (webp.length > 0 && flags.plot?.toLowerCase().endsWith(".png"))
    throw usageError(
      `--plot ${flags.plot} cannot show WebP, as the pictures of ${listed(webp, 3)} are. Give a name in .svg or .html.`,
      "plot",
    );
  return { ...read, people, test, start, labels: labels?.column, images, features, added, warnings };
}

/** What a test says that the fit has seen: its error is too small. */
function overlapWarnings(file: string, source: OrdinalSource, test: Answers): readonly string[] {
  if (source.kind === "distances") return [];
  const repeated = countInFit(source.answers, test);
  if (repeated === 0) return [];
  const arePeople =
    source.answers.groups?.participant !== undefined && test.groups?.participant !== undefined;
  const all = test.quadruplets.length / 4;
  return [
    `${repeated} of the ${all} answers of --test ${shownName(file)} are to questions that ${arePeople ? "the same people answer" : "are answered"} in the fit: the test error is not that on new answers. Take them out of one of the two, or let --test 0.2 hold out a share.`,
  ];
}

/** Of a file of test answers nobody is dropped, and nothing is divided. */
const plainly = (options: ReturnType<typeof answerFlags.options>): ComparisonsOptions => ({
  ...options,
  ...{ split: undefined, catch: undefined, fastest: 0, leastAnswers: 1, mostInconsistent: undefined },
});

type Read = Pick<OrdinalInput, "source" | "names" | "objects" | "dropped" | "people" | "reading">;

/** Whether the file is a matrix of which the command makes the answers; of one with gaps the reader makes them. */
export const isMatrix = ({ fromDistances, kind, missing }: OrdinalFlags): boolean =>
  fromDistances !== undefined || ((kind === "distances" || kind === "similarities") && missing === "error");

async function readSource(
  files: readonly string[],
  flags: OrdinalFlags,
  known: readonly string[] | undefined,
  answersIn: (paths: readonly string[], known: readonly string[] | undefined) => Promise<ComparisonTable>,
  signal: AbortSignal,
): Promise<Read> {
  if (!isMatrix(flags)) {
    const table = await answersIn(files, known);
    const { comparisons, names, dropped, kind, trial, participants, held, ties, excluded } = table;
    return {
      source: { kind: "answers", answers: answersOf(table), isOfPairs: ofPairs.has(kind), held },
      names,
      objects: comparisons.objects,
      dropped,
      people: participants,
      reading: { kind, trials: groupsIn(trial), participants: participants?.length, ties, excluded },
    };
  }
  const [file] = files;
  checkOfMatrix(file, flags);
  const { kind, asymmetry, triangle, delimiter } = flags;
  const values = kind === "similarities" ? kind : "distances";
  const { distances, names, seemsTurned } = await readDistanceFile(file, signal, {
    ...{ values, asymmetry, triangle, delimiter, ranks: values === "similarities" },
  });
  if (seemsTurned && kind === "auto") throw askDirection(file);
  if (distances.rows < 3) {
    throw new CurvatureError(
      "ERR_SHAPE",
      `${shownName(file)}: There are ${distances.rows} objects, but a comparison needs three. Give more.`,
      { path: file, expected: "at least 3 objects", received: distances.rows },
    );
  }
  if (known !== undefined && known.length !== distances.rows) {
    throw new CurvatureError(
      "ERR_SHAPE",
      `${flags.names} has ${known.length} names, but there are ${distances.rows} objects. Give one name per object.`,
    );
  }
  const source: OrdinalSource = { kind: "distances", distances, count: answersToMake(flags, distances.rows) };
  return {
    source,
    names: known ?? names,
    objects: distances.rows,
    dropped: 0,
    people: undefined,
    reading: undefined,
  };
}

/** What a matrix has no lines for. */
function checkOfMatrix(file: string, flags: OrdinalFlags): void {
  const stated = answerFlags.options(flags);
  const { roles, columns, choose, trial, participant, time, split, mostInconsistent } = stated;
  const lines = { roles, columns, choose, trial, participant, time, split, mostInconsistent };
  const others = { catch: stated.catch, where: stated.where?.[0], ignore: stated.ignore?.[0] };
  for (const [name, value] of Object.entries({ ...lines, ...others }))
    if (value !== undefined)
      throw new CurvatureError(
        "ERR_OPTION",
        `${shownName(file)} is a matrix, and ${optionName(name)} says something of lines that are answers. Leave it out.`,
        { path: name, received: value },
      );
}

const ofPairs = new Set<string>(["ratings", "distances", "similarities"]);

const groupsIn = (groups: Int32Array | undefined): number | undefined =>
  groups?.reduce((most, group) => Math.max(most, group + 1), 0);

const askDirection = (file: string): CurvatureError =>
  new CurvatureError(
    "ERR_PARSE",
    `${shownName(file)} looks like similarities: objects with small entries are unlike in all others. If a high entry means near, write --kind similarities; if it means far, --kind distances.`,
    { path: file, expected: "distances" },
  );

/** So many answers say all that a map can learn; all of thousands of objects would not fit in memory. */
const maxAnswers = 1_000_000;

function answersToMake({ answers }: OrdinalFlags, objects: number): number | "all" {
  const questions = (objects * (objects - 1) * (objects - 2)) / 2;
  if (answers === "all") return questions <= maxAnswers ? "all" : maxAnswers;
  return answers < questions ? answers : "all";
}

/** A map to start from, its rows in the order of these objects. */
async function readStart(path: string, { names, objects }: Read, signal: AbortSignal): Promise<DenseMatrix> {
  const saved = await readObjectMap(path, signal);
  const { columns, data } = saved.map;
  const rows = new Map(objectNames(saved.names, saved.map.rows).map((name, row) => [name, row]));
  const start = new Float64Array(objects * columns);
  for (const [object, name] of objectNames(names, objects).entries()) {
    const row = rows.get(name);
    const place = row === undefined ? undefined : data.subarray(row * columns, (row + 1) * columns);
    if (place === undefined || !place.every(Number.isFinite)) {
      throw new CurvatureError(
        "ERR_PARSE",
        `${path} has no place for ${name}. Give a map with a place for each of the ${objects} objects.`,
        { path },
      );
    }
    start.set(place, object * columns);
  }
  return { rows: objects, columns, data: start };
}
