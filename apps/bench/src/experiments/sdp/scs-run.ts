/** SCS (O'Donoghue, Chu, Parikh, Boyd: J. Optim. Theory Appl. 169, 2016) in a Python of its own: `nomad-by-scs.py`. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type DenseMatrix, zeros } from "@curvature/linalg";
import { type NomadProblem, repairMatrix } from "@curvature/optim-sdp";

export interface ScsRun {
  /** Processor time of setting up and solving. */
  readonly seconds: number;
  readonly iterations: number;
  readonly isDone: boolean;
  /** Tr(D Q) of a feasible point. */
  readonly lower: number;
}

interface Found extends Omit<ScsRun, "lower"> {
  readonly Q: readonly number[];
}

/** On one thread, to its own residuals of this size; the point is made feasible as that of conditional gradients is. */
export function solveByScs(problem: NomadProblem, tolerance: number, most: number): ScsRun {
  const { gram, clusters } = problem;
  const { n } = gram;
  const { stdout, stderr, status } = spawnSync(
    "python3",
    [fileURLToPath(new URL("nomad-by-scs.py", import.meta.url))],
    {
      input: JSON.stringify({ gram: Array.from(gram.dense().data), clusters, tolerance, seconds: most }),
      encoding: "utf8",
      maxBuffer: 2 ** 28,
      env: { ...process.env, OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" },
    },
  );
  if (status !== 0)
    throw new Error(`nomad-by-scs.py ended with: ${stderr.trimEnd().split("\n").slice(-5).join("\n")}`);
  const { Q, iterations, isDone, seconds }: Found = JSON.parse(stdout);
  const point: DenseMatrix = { rows: n, columns: n, data: Float64Array.from(Q) };
  return { seconds, iterations, isDone, lower: repairMatrix(problem, point, zeros(n, n)) };
}
