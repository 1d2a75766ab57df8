/**
 * Runs contestants of any language on the same points: each run in a process of its own on one thread, the points and
 * the map in files of raw little-endian float64. Reading the points and loading the library are not timed; everything
 * from data to map is, cold.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DenseMatrix } from "@curvature/linalg";

export interface MeasuredMap {
  readonly name: string;
  readonly description: string;
  /** "t-SNE" contestants minimise the same divergence and are compared by it; others are shown beside them. */
  readonly kind: "t-SNE" | "other";
  /** Draws anew each time, whatever the seed. */
  readonly hasNoSeed?: true;
  readonly seconds: number;
  /** The most memory that the process held, where its language tells. */
  readonly megabytes?: number;
  readonly map: DenseMatrix;
}

const beside = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Those that are no packages of npm; the arguments are points, rows, columns, seed, map. */
const programs: Readonly<Record<string, readonly [string, string]>> = {
  "scikit-learn": ["/usr/bin/python3", beside("sklearn-tsne.py")],
  Rtsne: ["Rscript", beside("rtsne.R")],
};

const oneThread = { OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1", MKL_NUM_THREADS: "1" };

/** @param contestant - "scikit-learn", "Rtsne", or a key of `contestants` */
export function measureMap(contestant: string, points: DenseMatrix, seed: number): MeasuredMap {
  const { rows, columns, data } = points;
  const folder = mkdtempSync(join(tmpdir(), "contestant-"));
  try {
    const [pointsFile, mapFile] = [join(folder, "points.f64"), join(folder, "map.f64")];
    writeFileSync(pointsFile, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    const [command, script, ...key] = programs[contestant] ?? [
      process.execPath,
      beside("in-process.ts"),
      contestant,
    ];
    const args = [script, ...key, pointsFile, String(rows), String(columns), String(seed), mapFile];
    const { stdout, status, error } = spawnSync(command, args, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, ...oneThread },
    });
    if (status !== 0) throw new Error(`${contestant} ended with ${error?.message ?? `status ${status}`}`);
    const bytes = readFileSync(mapFile);
    const map = { rows, columns: 2, data: new Float64Array(new Uint8Array(bytes).buffer) };
    return { ...JSON.parse(stdout.slice(stdout.lastIndexOf("{"))), map };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
