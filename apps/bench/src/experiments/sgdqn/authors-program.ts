/**
 * The authors' own program of the corrected SGD-QN (`svm/old/svmsgdqn.cpp` of Bottou's sgd 2, LGPL), where it is on the PATH. It is no part of
 * this repository: it visits the rows as they lie in a file, in its own format, and prints P after every pass.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { DenseProblem } from "./second-order.ts";

/** P after each pass; undefined where the program is not there. Its loss is the squared hinge. */
export function authorsCosts(
  { rows, targets, lambda }: DenseProblem,
  order: Int32Array,
  passes: number,
): number[] | undefined {
  if (spawnSync("sh", ["-c", "command -v svmsgdqn"]).status !== 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "sgdqn-"));
  try {
    const records = Array.from(order, (i) =>
      record(rows.data.subarray(i * rows.columns, (i + 1) * rows.columns), targets[i]),
    );
    writeFileSync(join(folder, "rows.bin.gz"), gzipSync(Buffer.concat(records), { level: 1 }));
    const words = ["-lambda", String(lambda), "-epochs", String(passes), "rows.bin.gz"];
    const { stdout } = spawnSync("svmsgdqn", words, { cwd: folder, encoding: "utf8" });
    return Array.from(stdout.matchAll(/train: Cost: (\S+)\.\n/g), ([, cost]) => Number(cost));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The target as 0 or 1, the number of entries that are not 0, and those entries with their columns. */
function record(x: Float64Array, target: number): Buffer {
  const columns = Array.from(x.keys()).filter((j) => x[j] !== 0);
  const bytes = Buffer.alloc(5 + 8 * columns.length);
  bytes[0] = target > 0 ? 1 : 0;
  bytes.writeInt32LE(columns.length, 1);
  for (const [k, j] of columns.entries()) {
    bytes.writeInt32LE(j, 5 + 8 * k);
    bytes.writeFloatLE(x[j], 9 + 8 * k);
  }
  return bytes;
}
