/** Passes of stochastic solvers in C++ (`sparse-passes.cpp`), built here with g++. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface SparsePasses {
  /** CPU milliseconds of one pass, medians. */
  readonly svmsgd2: number;
  readonly sgdqn: number;
  /** Σ w_j after all passes. */
  readonly sums: readonly [number, number];
}

export interface PassSettings {
  readonly passes: number;
  readonly lambda: number;
  readonly t0: number;
  readonly skip: number;
}

const source = fileURLToPath(new URL("./sparse-passes.cpp", import.meta.url));

/** @returns what runs the program on a problem of `writeProblem` */
export function sparsePasses(
  folder: string,
  flags: readonly string[],
): (problemFile: string, settings: PassSettings) => SparsePasses {
  const program = join(folder, `sparse-passes${flags.join("")}`);
  execFileSync("g++", [...flags, "-o", program, source]);
  return (problemFile, { passes, lambda, t0, skip }) => {
    const words = [problemFile, ...[passes, lambda, t0, skip].map(String)];
    const [svmsgd2, sgdqn, a, b] = execFileSync(program, words, { encoding: "utf8" }).split(" ").map(Number);
    return { svmsgd2, sgdqn, sums: [a, b] };
  };
}
