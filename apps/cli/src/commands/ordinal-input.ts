/** What `curvature ordinal` reads: answers or distances, answers for a test, names, and a map to start from. */
import { CurvatureError, type DenseMatrix } from "@curvature/linalg";
import { notesOn, readAnswers, readDistanceFile } from "../read/answers.js";
import { shownName } from "../read/file.js";
import { objectNames, readNames } from "../read/object-names.js";
import type { Session } from "../run/session.js";
import type { OrdinalSource, OrdinalTaskInput } from "../tasks/ordinal.js";
import { readObjectMap } from "../write/object-map.js";
import { isStart, type OrdinalFlags } from "./ordinal-flags.js";

export interface OrdinalInput {
  readonly source: OrdinalSource;
  readonly test: OrdinalTaskInput["test"];
  readonly start: DenseMatrix | undefined;
  readonly names: readonly string[] | undefined;
  readonly objects: number;
  readonly dropped: number;
  readonly warnings: readonly string[];
}

/** The file of a map to start from, where there is one. */
export const startFile = ({ initialization }: OrdinalFlags): string | undefined =>
  isStart(initialization) ? undefined : initialization;

export async function readAll(
  file: string,
  flags: OrdinalFlags,
  { log, signal }: Session,
): Promise<OrdinalInput> {
  const { objects, degenerate } = flags;
  const known = flags.names === undefined ? undefined : await readNames(flags.names, signal);
  const warnings: string[] = [];
  const answersIn = async (path: string, among: readonly string[] | number | undefined) => {
    const table = await readAnswers(path, { objects, degenerate, known: among }, signal);
    const remarks = notesOn(path, table);
    warnings.push(...remarks.warnings);
    for (const note of remarks.notes) log.note(note);
    return table;
  };
  const read = await readSource(file, flags, known, answersIn, signal);
  const test =
    typeof flags.test === "string"
      ? (await answersIn(flags.test, read.names ?? read.objects)).comparisons
      : flags.test;
  const path = startFile(flags);
  const start = path === undefined ? undefined : await readStart(path, read, signal);
  for (const warning of warnings) log.warning(warning);
  return { ...read, test, start, warnings };
}

type Read = Pick<OrdinalInput, "source" | "names" | "objects" | "dropped">;

async function readSource(
  file: string,
  flags: OrdinalFlags,
  known: readonly string[] | undefined,
  answersIn: (path: string, known: readonly string[] | undefined) => ReturnType<typeof readAnswers>,
  signal: AbortSignal,
): Promise<Read> {
  if (flags.fromDistances === undefined) {
    const { comparisons, names, dropped } = await answersIn(file, known);
    return {
      source: { kind: "answers", answers: comparisons },
      names,
      objects: comparisons.objects,
      dropped,
    };
  }
  const { distances, names } = await readDistanceFile(file, signal);
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
  return { source, names: known ?? names, objects: distances.rows, dropped: 0 };
}

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
