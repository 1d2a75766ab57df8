/**
 * The kernels that time goes into, in TypeScript, with SIMD and in native code, by turns in one run: how far the goals
 * that were set for them are met, and where native code is left behind or leaves us behind.
 *
 * Usage: node kernels.ts [--quick] [--repeats 7] [--only word,word] (kernels whose names have one of the words)
 * Native code is built with g++ and Debian's libopenblas-dev, libsuitesparse-dev and libfftw3-dev; what is not there is
 * left out.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { disableSimd, enableSimd } from "@curvature/linalg/simd";
import { lacking, type NativeKernel, type NativeRun } from "../../contestants/native-kernels.ts";
import { experimentArguments, refuse, wholeNumber } from "../../experiment-arguments.ts";
import { cpuSeconds, note } from "../../processor.ts";
import { type Cell, writeReport } from "../../report.ts";
import { decimals, median, type Spread, spreadOf, spreadText } from "../../spread.ts";
import { compilerVersion, debianVersion } from "../../versions.ts";
import { verdict } from "../../words.ts";
import type { Call, Contest, Found } from "./kernel-contest.ts";
import { contests } from "./kernel-contests.ts";

const { values } = experimentArguments({
  options: {
    quick: { type: "boolean", default: false },
    repeats: { type: "string" },
    only: { type: "string" },
  },
});
const isQuick = values.quick;
const repeats = wholeNumber("repeats", values.repeats ?? (isQuick ? 1 : 7));
/** Nanoseconds of a measurement: the clock of processor time is coarse. */
const LEAST = isQuick ? 2e7 : 1.5e8;
const words = values.only?.split(",") ?? [""];
/** The claim: times native code's time, at most. */
const CLAIMED = 3;

const summed = (found: Found): number =>
  typeof found === "number" ? found : found.reduce((total, entry) => total + entry, 0);

/** A contestant in the form that `choose` puts to use; its times. */
class Own {
  readonly times: number[] = [];
  readonly found: number;
  private readonly choose: () => void;
  private readonly call: Call;
  private calls = 1;

  private constructor(choose: () => void, call: Call, found: number) {
    this.choose = choose;
    this.call = call;
    this.found = found;
  }

  static async of(contest: Contest, choose: () => void): Promise<Own> {
    choose();
    const call = contest.prepare();
    const found = summed(await call());
    const own = new Own(choose, call, found);
    while ((await own.total()) < LEAST) own.calls *= 2; // compiles, too
    return own;
  }

  private async total(): Promise<number> {
    this.choose();
    const before = cpuSeconds();
    for (let k = 0; k < this.calls; k++) await this.call();
    return 1e9 * (cpuSeconds() - before);
  }

  async measure(): Promise<void> {
    this.times.push((await this.total()) / this.calls);
  }
}

interface Measured {
  readonly contest: Contest;
  readonly typescript: number;
  readonly simd: number | undefined;
  readonly native: number | undefined;
  /** Of the faster form's time to native code's, over the turns. */
  readonly ratio: Spread | undefined;
  /** Relative errors of forces, ours and native. */
  readonly errors: string | undefined;
}

function check({ kernel, size, tolerance }: Contest, own: Own, run: NativeRun): void {
  const distance = Math.abs(own.found - run.found);
  if (distance > tolerance * Math.max(1, Math.abs(run.found)))
    throw new Error(`${kernel}, ${size}: ${own.found}, and in native code ${run.found}`);
}

/** Of a turn of native code; a single call is too short for its clock to tell how many that are. */
function callsOf(native: NativeKernel): number {
  let calls = 1;
  while (calls * native(calls).nanoseconds < LEAST) calls *= 2;
  return calls;
}

async function measure(contest: Contest): Promise<Measured> {
  const typescript = await Own.of(contest, disableSimd);
  const simd = contest.hasSimd ? await Own.of(contest, enableSimd) : undefined;
  const best = simd ?? typescript;
  const first = contest.native?.(1);
  if (first !== undefined) check(contest, typescript, first);
  if (simd !== undefined && !Object.is(simd.found, typescript.found))
    throw new Error(`${contest.kernel}: ${simd.found} with SIMD, ${typescript.found} without`);
  const calls = contest.native === undefined ? 0 : callsOf(contest.native);
  const times: number[] = [];
  for (let round = 0; round < repeats; round++) {
    await typescript.measure();
    await simd?.measure();
    if (contest.native !== undefined && first !== undefined) times.push(contest.native(calls).nanoseconds);
  }
  const ratios = times.map((time, round) => best.times[round] / time);
  const measured = {
    contest,
    typescript: median(typescript.times),
    simd: simd && median(simd.times),
    native: times.length === 0 ? undefined : median(times),
    ratio: ratios.length === 0 ? undefined : spreadOf(ratios),
    errors:
      contest.error === undefined
        ? undefined
        : `${contest.error().toExponential(1)} and ${first?.error?.toExponential(1) ?? "-"}`,
  };
  note(`${contest.kernel}, ${contest.size}: ${measured.ratio?.median.toFixed(2) ?? "-"} of native`);
  return measured;
}

const folder = mkdtempSync(join(tmpdir(), "kernels-"));
const found: Measured[] = [];
const kernels = new Set<string>();
try {
  const all = await contests(folder, isQuick ? 0.05 : 1);
  for (const contest of all) {
    kernels.add(contest.kernel);
    if (words.some((word) => contest.kernel.includes(word))) found.push(await measure(contest));
  }
} finally {
  rmSync(folder, { recursive: true });
}
if (found.length === 0)
  refuse(`--only: no kernel has "${values.only}" in its name, but there are ${[...kernels].join("; ")}`);

const three = (figure: number): string => String(Number(figure.toPrecision(3)));
const isMet = ({ contest: { goal }, ratio }: Measured): boolean =>
  goal !== undefined && ratio !== undefined && ratio.median <= goal;
const named = (some: readonly Measured[]): string =>
  some
    .map(({ contest: { kernel, size }, ratio }) => `${kernel} (${size}): ${ratio?.median.toFixed(2)}`)
    .join("; ");

function line({ contest, typescript, simd, native, ratio, errors }: Measured): Cell[] {
  const figure = (nanoseconds: number | undefined): string =>
    nanoseconds === undefined ? "-" : three(contest.figure(nanoseconds));
  return [
    contest.kernel,
    errors === undefined ? contest.size : `${contest.size}; errors of forces ${errors}`,
    contest.unit,
    figure(typescript),
    figure(simd),
    simd === undefined ? "-" : `${(typescript / simd).toFixed(1)} times`,
    figure(native),
    ratio === undefined ? "-" : spreadText(ratio, decimals(2)),
    contest.goal ?? "-",
    ratio === undefined || contest.goal === undefined
      ? "-"
      : isMet({ contest, typescript, simd, native, ratio, errors })
        ? "met"
        : "not met",
  ];
}

const compared = found.filter(({ ratio }) => ratio !== undefined);
/** Like with like. */
const same = compared.filter(({ contest }) => contest.isOtherWay !== true);
const other = compared.filter(({ contest }) => contest.isOtherWay === true);
const judged = same.filter(({ contest }) => contest.goal !== undefined);
const missed = judged.filter((one) => !isMet(one));
const ratioOf = ({ ratio }: Measured): number => ratio?.median ?? Number.NaN;
const ahead = same.filter((one) => ratioOf(one) < 1);

/** Of kernels with SIMD, and of those that have no such form. */
function claimed(): string {
  const kinds = [true, false].map((hasSimd) => same.filter(({ contest }) => contest.hasSimd === hasSimd));
  const names = ["kernels with SIMD", "kernels in TypeScript alone"];
  const parts = Object.fromEntries(
    kinds.flatMap((kind, k) =>
      kind.length === 0 ? [] : [[names[k], kind.every((one) => ratioOf(one) <= CLAIMED)] as const],
    ),
  );
  const far = same.filter((one) => ratioOf(one) > CLAIMED);
  return `${verdict(parts)}${far.length === 0 ? "" : ` **More than ${CLAIMED} times native code's time:** ${named(far)}.`}`;
}

function findings(): string[] {
  const apart =
    other.length === 0
      ? []
      : [
          `Native code goes another way to the same end, so that these ratios compare algorithms, not code, and count neither for the claim nor for the goals: ${named(other)}.`,
        ];
  if (same.length === 0) return ["No kernel was compared with native code on the same way.", ...apart];
  return [
    claimed(),
    `${judged.length - missed.length} of ${judged.length} goals are met.${missed.length === 0 ? "" : ` **Not met:** ${named(missed)}.`}`,
    ahead.length === 0 ? "Native code is ahead everywhere." : `Ahead of native code: ${named(ahead)}.`,
    ...apart,
  ];
}

const versions = ["libopenblas-dev", "libsuitesparse-dev", "libfftw3-dev"].map(debianVersion);
const compiler = compilerVersion();

writeReport(
  {
    paper: "all",
    name: "kernels",
    title: "Kernels beside native code",
    claim: `Not a paper's: no kernel takes more than ${CLAIMED} times as long in one thread as native code that goes the same way.`,
    data: "Numbers drawn alike on both sides; Laplacians of graphs of 7 neighbours; drawn text for the sparse rows. What was found is compared in every row but two (the sparse factor, whose solutions are compared; the pass over sparse rows, which `sgdqn/one-pass` compares).",
    method: `One thread, turns of ${three(LEAST / 1e6)} ms and more, both forms in one warm process, native code a process for every turn, contestants by turns; the ratio is the faster form's time to that of native code in the same turn. Native code: g++ -O3 -march=native, for dense matrices, pairs and grids with -ffast-math, too (all pairs once each, the exponential by libmvec; a quadtree of cells and points; std::from_chars; the pass of stochastic gradients), OpenBLAS and its LAPACK in one thread, CHOLMOD, FFTW (FFTW_MEASURE): ${[compiler === undefined ? undefined : `g++ ${compiler}`, ...versions].filter((one) => one !== undefined).join(", ")}. "-" in the column of SIMD: there is no such form. dot and axpy by themselves have no goal: to bring vectors to WebAssembly takes longer than their product; it is the pass over dense rows, many products and sums in one call, that has one.${lacking().length === 0 ? "" : ` Left out for want of ${lacking().join(", ")}.`}`,
    repeats: `Medians of ${repeats} turns, in brackets the least and the most. Numbers are drawn with seeds 1 to 3, the same in every turn and on both sides.`,
    clock: "processor",
    findings: findings(),
    tables: [
      {
        columns: [
          "kernel",
          "size",
          "unit",
          "TypeScript",
          "SIMD",
          "gain",
          "native",
          "time to native",
          "goal",
          "goal is",
        ],
        rows: found.map(line),
      },
    ],
  },
  isQuick || values.only !== undefined,
);
