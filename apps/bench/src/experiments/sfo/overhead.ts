/**
 * What SFO costs beside its subfunctions: the time of its steps against that of a plain loop of 4 M K multiply-adds for
 * each evaluation, which is what the projections alone take (into the subspace, out of it, and the step). M and N are those of
 * the run, K the mean dimension of the subspace in it; the loop is that of `dot` and `axpy`, on as many columns.
 *
 * Usage: node overhead.ts [--quick] [--runs 100x10000,50x100000,50x1000000:float32] [--passes 6] [--repeats 3]
 * Each run is a process of its own.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { axpy, dot } from "@curvature/linalg";
import { Sfo } from "@curvature/optim-sfo";
import { experimentArguments, refuse, string, whole, wholeNumber } from "../../experiment-arguments.ts";
import { cpuSeconds } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import { decimals, type Spread, spreadOf, spreadText } from "../../spread.ts";
import { verdict } from "../../words.ts";
import { springs } from "./springs.ts";

interface Measurement {
  readonly K: number;
  readonly evaluations: number;
  readonly passes: number;
  /** CPU seconds outside the subfunctions, and of the plain loop. */
  readonly outside: number;
  readonly plain: number;
  /** Of the whole process, before the plain loop. */
  readonly peakMebibytes: number;
}

const values = experimentArguments({
  runs: string("100x10000,50x100000,50x1000000:float32", "20x10000,20x30000"),
  passes: whole(6, 3),
  measure: string(),
  repeats: whole(3, 1),
});
const { isQuick, passes: passesAsked, repeats } = values;

const runsAsked = values.runs;

if (values.measure === undefined) report();
else process.stdout.write(JSON.stringify(measure(values.measure, passesAsked)));

/** "50x100000:float32" */
function sizesOf(name: string): [N: number, M: number, precision: "float64" | "float32"] {
  const [whole, N, M, precision] = /^(\d+)x(\d+)(:float32|:float64)?$/.exec(name) ?? [];
  if (whole === undefined)
    return refuse(`--runs must be sizes as 50x100000 or 50x100000:float32, not "${name}"`);
  return [
    wholeNumber("runs", N, 2),
    wholeNumber("runs", M),
    precision === ":float32" ? "float32" : "float64",
  ];
}

/** In a process of its own. */
function measureApart(name: string): Measurement {
  const { stdout, status } = spawnSync(
    process.execPath,
    [fileURLToPath(import.meta.url), "--measure", name, "--passes", String(passesAsked)],
    { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
  );
  if (status !== 0) throw new Error(`${name} failed with status ${status}`);
  return JSON.parse(stdout);
}

function report(): void {
  const names = runsAsked.split(",");
  for (const name of names) sizesOf(name);
  const turns = Array.from({ length: repeats }, () => names.map(measureApart));
  const rows = names.map((name, k) => {
    const runs = turns.map((turn) => turn[k]);
    const over = (of: (run: Measurement) => number): Spread => spreadOf(runs.map(of));
    return {
      name,
      K: over((run) => run.K),
      evaluations: over((run) => run.evaluations),
      outside: over((run) => run.outside),
      plain: over((run) => run.plain),
      ratio: over(({ outside, plain }) => outside / plain),
      peakMebibytes: over((run) => run.peakMebibytes),
    };
  });
  const ratios = rows.map(({ ratio }) => ratio.median);
  const dear = rows.filter(({ ratio }) => ratio.median > 2);
  writeReport(
    {
      paper: "sfo",
      name: "overhead",
      title: "What SFO costs beside its subfunctions",
      claim:
        "Appendix B: the leading cost beside the subfunctions is that of the projections into the subspace and out of it, 4 M K multiply-adds an evaluation with the step; SFO here takes at most twice as long.",
      data: "Springs, quadratics whose coefficients are hashes of their indices: they take no memory. N subfunctions, M parameters.",
      method: `CPU seconds of ${passesAsked} passes outside the subfunctions, and of a plain loop of 4 M K multiply-adds for each evaluation, K the mean dimension of the subspace; each run in a process of its own, by turns. Read the ratio.`,
      repeats: `${repeats === 1 ? "One run of each" : `Medians of ${repeats} runs of each, in brackets the least and the most`}; nothing is drawn but the order of the evaluations (seed 0).`,
      clock: "processor",
      findings: [
        `${verdict({ "a cost of at most twice the projections": dear.length === 0 })} Outside its subfunctions SFO takes ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)} times the plain loop${dear.length === 0 ? "" : `; **more than twice** on ${dear.map(({ name }) => name).join(", ")}`}.`,
      ],
      tables: [
        {
          columns: [
            "N x M",
            "mean K",
            "evaluations",
            "seconds outside",
            "plain loop",
            "ratio",
            "peak memory, MiB",
          ],
          rows: rows.map((r) => [
            r.name,
            spreadText(r.K, decimals(0)),
            spreadText(r.evaluations, String),
            spreadText(r.outside, decimals(2)),
            spreadText(r.plain, decimals(2)),
            spreadText(r.ratio, decimals(2)),
            spreadText(r.peakMebibytes, decimals(0)),
          ]),
        },
      ],
    },
    isQuick,
  );
}

function measure(name: string, passes: number): Measurement {
  const [N, M, precision] = sizesOf(name);
  const sum = springs(N, M);
  const solver = new Sfo(sum, new Float64Array(M).fill(0.5), { precision, tolerance: 0 });
  const gradient = new Float64Array(M);
  let [wallInside, dimensions, steps, evaluations, done] = [0, 0, 0, 0, 0];
  const cpuBefore = cpuSeconds();
  const wallBefore = performance.now();
  while (done < passes) {
    for (const { index, point, ticket } of solver.ask()) {
      const start = performance.now();
      const value = Number(sum.evaluate(index, point, gradient));
      wallInside += performance.now() - start;
      const iteration = solver.tell(ticket, value, gradient);
      if (iteration === undefined) continue;
      done = iteration.passes;
      evaluations = iteration.evaluations;
      dimensions += iteration.details.subspaceDimension;
      steps++;
      if (iteration.outcome !== undefined) throw new Error(iteration.outcome.message);
    }
  }
  const share = 1 - wallInside / (performance.now() - wallBefore);
  const outside = (cpuSeconds() - cpuBefore) * share;
  const K = dimensions / steps;
  const peakMebibytes = process.resourceUsage().maxRSS / 1024;
  return {
    K,
    evaluations,
    passes: done,
    outside,
    plain: plainLoop(M, Math.round(K), evaluations),
    peakMebibytes,
  };
}

/** CPU seconds; the loop runs for a part of the evaluations if there are many. */
function plainLoop(M: number, K: number, evaluations: number): number {
  const columns = Array.from({ length: K }, (_, k) => new Float64Array(M).fill(1 / (k + 1)));
  const v = new Float64Array(M).fill(1);
  const repeats = Math.min(evaluations, Math.max(4, Math.round(2e9 / (4 * M * K))));
  let total = 0;
  const before = cpuSeconds();
  for (let e = 0; e < repeats; e++) {
    for (let half = 0; half < 2; half++) {
      for (const column of columns) total += dot(column, v);
      for (const column of columns) axpy(1e-12, column, v);
    }
  }
  if (!(total > 0)) throw new Error("the loop is not to be left out");
  return ((cpuSeconds() - before) / repeats) * evaluations;
}
