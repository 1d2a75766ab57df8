/**
 * The answers of the ordinal experiments: the synthetic set of section 5.1 and the cities of 5.2 from the package's
 * fixtures (or a folder), the artists of 5.3 from a folder.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { RandomGenerator } from "@curvature/linalg";
import type { Comparisons } from "@curvature/objectives/ordinal";

export interface OrdinalSet {
  readonly name: string;
  readonly train: Comparisons;
  readonly test: Comparisons;
  /** p */
  readonly dimensions: number;
  /** Starts, n × p each. */
  readonly starts: readonly Float64Array[];
  /** The test error that counts as reached. */
  readonly target: number;
}

const fixtures = fileURLToPath(new URL("../../../../../packages/optim-svrg/test/fixtures/", import.meta.url));

type Rows = readonly (readonly number[])[];

function tripletsOf(objects: number, rows: Rows): Comparisons {
  const quadruplets = Int32Array.from(rows.flatMap(([i, j, k]) => [i, j, i, k]));
  return { objects, quadruplets };
}

const json = (folder: string, name: string): unknown => JSON.parse(readFileSync(join(folder, name), "utf8"));

function rowsIn(document: unknown, key: string): Rows {
  const rows: unknown =
    typeof document === "object" && document !== null ? Reflect.get(document, key) : undefined;
  if (Array.isArray(rows))
    return rows.map((row: unknown) => (Array.isArray(row) ? row.map(Number) : [Number(row)]));
  throw new Error(`The data have no "${key}".`);
}

function startsIn(folder: string, name: string): Float64Array[] {
  const document = json(folder, name);
  if (!Array.isArray(document)) throw new Error(`${name} holds no starts.`);
  return document.map((start: unknown) =>
    Float64Array.from(Array.isArray(start) ? start.flat(1).map(Number) : []),
  );
}

/** The starts of the record, then more of the same kind, U[0, 1]. */
export function startsFor(set: OrdinalSet, count: number): Float64Array[] {
  const size = set.train.objects * set.dimensions;
  const more = Array.from({ length: Math.max(0, count - set.starts.length) }, (_, k) => {
    const random = new RandomGenerator(1000 + k);
    return Float64Array.from({ length: size }, () => random.uniform());
  });
  return [...set.starts, ...more].slice(0, count);
}

/** Section 5.1: 100 points of N(0, I/20) in ten dimensions, 10,000 answers, 10,000 others to test. */
export function synthetic(folder: string = fixtures): OrdinalSet {
  const data = json(folder, "synthetic-5.1.json");
  return {
    name: "synthetic (section 5.1)",
    train: tripletsOf(100, rowsIn(data, "train")),
    test: tripletsOf(100, rowsIn(data, "test")),
    dimensions: 10,
    starts: startsIn(folder, "synthetic-5.1-inits.json"),
    target: 0.15,
  };
}

/** Section 5.2: 21 cities, 2,000 answers from their road distances, 1,986 others to test. */
export function cities(folder: string = fixtures): OrdinalSet {
  const data = json(folder, "eurodist-split.json");
  return {
    name: "eurodist (section 5.2)",
    train: tripletsOf(21, rowsIn(data, "train")),
    test: tripletsOf(21, rowsIn(data, "test")),
    dimensions: 2,
    starts: startsIn(folder, "eurodist-inits.json"),
    target: 0.1,
  };
}

/**
 * Section 5.3: 400 artists, 9,107 answers of people, four fifths of them to learn from. Lines that compare an artist
 * with himself cannot be learned from, and are left out; those in the test count as they stand.
 */
export function artists(folder: string): OrdinalSet {
  const lines = readFileSync(join(folder, "music-artists-triplets.csv"), "utf8").trim().split("\n").slice(1);
  const rows = lines.map((line) => line.split(",").map(Number));
  const split = json(folder, "music-artists-split80.json");
  const pick = (key: string): Rows => rowsIn(split, key).map(([row]) => rows[row]);
  const sound = ([i, j, k]: readonly number[]): boolean => i !== j && i !== k && j !== k;
  return {
    name: "music artists (section 5.3)",
    train: tripletsOf(400, pick("trainRows").filter(sound)),
    test: tripletsOf(400, pick("testRows")),
    dimensions: 9,
    starts: startsIn(folder, "music-inits.json"),
    target: 0.2,
  };
}

export const hasArtists = (folder: string | undefined): folder is string =>
  folder !== undefined && existsSync(join(folder, "music-artists-triplets.csv"));
