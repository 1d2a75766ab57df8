/** The recorded data: triplets, splits and starts. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Comparisons } from "@curvature/objectives/ordinal";

export interface OrdinalData {
  readonly objects: number;
  readonly dimensions: number;
  readonly train: Comparisons;
  readonly test: Comparisons;
  readonly starts: readonly Float64Array[];
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(resolve(import.meta.dirname, "fixtures", name), "utf8"));

function numbers(value: unknown, what: string): readonly number[] {
  if (!Array.isArray(value) || !value.every((entry) => typeof entry === "number")) throw new Error(what);
  return value;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

function list(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(what);
  return value;
}

const comparisons = (objects: number, rows: unknown): Comparisons => ({
  objects,
  quadruplets: Int32Array.from(
    list(rows, "triplets").flatMap((row) => {
      const [i, j, k] = numbers(row, "a triplet");
      return [i, j, i, k];
    }),
  ),
});

function load(split: string, inits: string, objects: number, dimensions: number): OrdinalData {
  const data = read(split);
  return {
    objects,
    dimensions,
    train: comparisons(objects, field(data, "train")),
    test: comparisons(objects, field(data, "test")),
    starts: list(read(inits), "starts").map((start) =>
      Float64Array.from(list(start, "a start").flatMap((row) => numbers(row, "a row"))),
    ),
  };
}

export const synthetic = (): OrdinalData => load("synthetic-5.1.json", "synthetic-5.1-inits.json", 100, 10);
export const eurodist = (): OrdinalData => load("eurodist-split.json", "eurodist-inits.json", 21, 2);
