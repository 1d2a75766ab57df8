/**
 * What SFO costs beside its subfunctions: the time of its steps against that of a plain loop of 4 M K multiply-adds for
 * each evaluation, which is what the projections alone take (into the subspace, out of it, and the step). M and N are those of
 * the run, K the mean dimension of the subspace in it; the loop is that of `dot` and `axpy`, on as many columns.
 *
 * Usage: node overhead.ts [--runs 100x10000,50x100000,50x1000000:float32] [--passes 6]
 * Each run is a process of its own.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { axpy, dot } from "@curvature/linalg";
import type { SumOfFunctions } from "@curvature/optim-core";
import { Sfo } from "@curvature/optim-sfo";
import { machine } from "../../machine.ts";

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

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "100x10000,50x100000,50x1000000:float32" },
    passes: { type: "string", default: "6" },
    measure: { type: "string" },
  },
});

if (values.measure === undefined) report();
else process.stdout.write(JSON.stringify(measure(values.measure, Number(values.passes))));

function report(): void {
  const rows = values.runs.split(",").map((name) => {
    const { stdout, status } = spawnSync(
      process.execPath,
      [fileURLToPath(import.meta.url), "--measure", name, "--passes", values.passes],
      { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
    );
    if (status !== 0) throw new Error(`${name} failed with status ${status}`);
    const m: Measurement = JSON.parse(stdout);
    return { name, ...m };
  });
  const table = [
    "# What SFO costs beside its subfunctions",
    "",
    `CPU seconds of ${values.passes} passes outside the subfunctions, and of a plain loop of 4 M K multiply-adds for each evaluation, K the mean dimension of the subspace; ${machine()}, on a busy machine: read the ratio.`,
    "",
    "| N x M | mean K | evaluations | seconds outside | plain loop | ratio | peak memory, MiB |",
    "|---|---|---|---|---|---|---|",
    ...rows.map(
      (r) =>
        `| ${r.name} | ${r.K.toFixed(0)} | ${r.evaluations} | ${r.outside.toFixed(2)} | ${r.plain.toFixed(2)} | ${(r.outside / r.plain).toFixed(2)} | ${r.peakMebibytes.toFixed(0)} |`,
    ),
    "",
  ].join("\n");
  process.stdout.write(table);
  writeFileSync(new URL("../../../../../docs/results/sfo/overhead.md", import.meta.url), table);
  process.exitCode = rows.every((r) => r.outside <= 2 * r.plain && r.peakMebibytes <= 2048) ? 0 : 1;
}

function measure(name: string, passes: number): Measurement {
  const [size, precision = "float64"] = name.split(":");
  const [N, M] = size.split("x").map(Number);
  if (precision !== "float64" && precision !== "float32") throw new Error(`no precision: ${precision}`);
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

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** f_i(x) = ½ Σ w_ik (x_k − c_ik)², weights and centres by a hash, so that they take no memory. */
function springs(count: number, dimension: number): SumOfFunctions {
  return {
    dimension,
    count,
    evaluate(i, x, gradient) {
      let value = 0;
      for (let k = 0; k < dimension; k++) {
        let bits = Math.imul(i + 1, 0x9e3779b1) ^ Math.imul(k + 1, 0x85ebca6b);
        bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
        const u = ((bits ^ (bits >>> 12)) >>> 0) / 2 ** 32;
        const weight = (0.1 + u) / (1 + (k % 50));
        const rest = x[k] + 1 - 2 * ((7 * u) % 1);
        value += 0.5 * weight * rest * rest;
        if (gradient !== undefined) gradient[k] = weight * rest;
      }
      return value;
    },
  };
}
