/**
 * The kernels that time goes into, in TypeScript, with SIMD and in native code, by turns in one run: how far the goals
 * that were set for them are met, and where native code is left behind or leaves us behind.
 *
 * Usage: node kernels.ts [--quick] [--repeats 7] [--only word,word] (kernels whose names have one of the words)
 *        [--wide] (V8 joins lanes of 128 bits to such of 256 where pairs of operations lie side by side: Node 24 and later)
 *        [--name kernels | kernels-intel | kernels-wide | kernels-intel-wide] (the result; those of the other machine are left
 *        alone, since ratios differ by what a processor does at a time: AMD's Zen four operations on lanes of 128 bits, Intel's
 *        three, and either two fused ones on 256)
 * Native code is built with g++ and Debian's libopenblas-dev, libsuitesparse-dev and libfftw3-dev; what is not there is
 * left out.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { builds, lacking, widestLanes } from "../../contestants/native-kernels.ts";
import { experimentArguments, refuse, string, whole, yes } from "../../experiment-arguments.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { decimals, type Spread, spreadText } from "../../spread.ts";
import { compilerVersion, debianVersion } from "../../versions.ts";
import { verdict } from "../../words.ts";
import { contests } from "./kernel-contests.ts";
import { type Measured, measure } from "./kernel-turns.ts";

const values = experimentArguments({
  repeats: whole(7, 1),
  only: string(),
  wide: yes(),
  name: string("kernels"),
});
const { isQuick, repeats, name } = values;
const isResult = !isQuick && values.only === undefined;
const own = `kernels${cpus()[0].model.includes("Intel") ? "-intel" : ""}${values.wide ? "-wide" : ""}`;
if (isResult && name !== own) {
  process.stdout.write(
    `Not measured: ${name} is of another machine, or of other lanes; here it is --name ${own}.\n`,
  );
  process.exit();
}
const WIDE_FLAG = "--experimental-wasm-revectorize";
if (values.wide && Number.parseInt(process.versions.node, 10) < 24)
  refuse("--wide: V8 joins lanes from Node 24 on");
if (values.wide) setFlagsFromString(WIDE_FLAG);
const lanes = values.wide
  ? `WebAssembly has lanes of 128 bits and no fused operations; V8 was told to join two such lanes to one of 256 bits (\`${WIDE_FLAG}\`, an experiment of V8's that it does only when told)`
  : "WebAssembly has lanes of 128 bits and no fused operations";
const turns = { repeats, least: isQuick ? 2e7 : 1.5e8 };
const words = values.only?.split(",") ?? [""];
/** The claim: times native code's time, at most. */
const CLAIMED = 3;

const folder = mkdtempSync(join(tmpdir(), "kernels-"));
const found: Measured[] = [];
const kernels = new Set<string>();
try {
  const all = await contests(folder, isQuick ? 0.05 : 1);
  for (const contest of all) {
    kernels.add(contest.kernel);
    if (words.some((word) => contest.kernel.includes(word))) found.push(await measure(contest, turns));
  }
} finally {
  rmSync(folder, { recursive: true });
}
if (found.length === 0)
  refuse(`--only: no kernel has "${values.only}" in its name, but there are ${[...kernels].join("; ")}`);

const three = (figure: number): string => String(Number(figure.toPrecision(3)));
/** The time beside native code with AVX2, for which goals were set, and with all that this machine has. */
const toGoal = ({ native }: Measured): Spread | undefined => native.avx2?.ratio;
const toAll = ({ native }: Measured): Spread | undefined => native.all?.ratio;
const isMet = (one: Measured): boolean =>
  (toGoal(one)?.median ?? Number.NaN) <= (one.contest.goal ?? Number.NaN);
const named = (some: readonly Measured[], ratio: (one: Measured) => Spread | undefined): string =>
  some
    .map((one) => `${one.contest.kernel} (${one.contest.size}): ${ratio(one)?.median.toFixed(2)}`)
    .join("; ");

function line(one: Measured): Cell[] {
  const { contest, typescript, simd, native, errors } = one;
  const figure = (nanoseconds: number | undefined): string =>
    nanoseconds === undefined ? "-" : three(contest.figure(nanoseconds));
  const ratio = (spread: Spread | undefined): string =>
    spread === undefined ? "-" : spreadText(spread, decimals(2));
  return [
    contest.kernel,
    errors === undefined ? contest.size : `${contest.size}; errors of forces ${errors}`,
    contest.unit,
    figure(typescript),
    figure(simd),
    simd === undefined ? "-" : `${(typescript / simd).toFixed(1)} times`,
    figure(native.avx2?.time),
    ratio(toGoal(one)),
    contest.goal ?? "-",
    toGoal(one) === undefined || contest.goal === undefined ? "-" : isMet(one) ? "met" : "not met",
    figure(native.all?.time),
    ratio(toAll(one)),
  ];
}

/** Like with like. */
const same = found.filter((one) => toAll(one) !== undefined && one.contest.isOtherWay !== true);
const other = found.filter((one) => toAll(one) !== undefined && one.contest.isOtherWay === true);
const judged = same.filter((one) => one.contest.goal !== undefined && toGoal(one) !== undefined);
const missed = judged.filter((one) => !isMet(one));
const ratioOf = (one: Measured): number => toAll(one)?.median ?? Number.NaN;
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
  return `${verdict(parts)}${far.length === 0 ? "" : ` **More than ${CLAIMED} times native code's time:** ${named(far, toAll)}.`}`;
}

function findings(): string[] {
  const apart =
    other.length === 0
      ? []
      : [
          `Native code goes another way to the same end, so that these ratios compare algorithms, not code, and count neither for the claim nor for the goals: ${named(other, toAll)}.`,
        ];
  if (same.length === 0) return ["No kernel was compared with native code on the same way.", ...apart];
  return [
    claimed(),
    `${judged.length - missed.length} of ${judged.length} goals, set beside native code with AVX2, are met.${missed.length === 0 ? "" : ` **Not met:** ${named(missed, toGoal)}.`}`,
    ahead.length === 0 ? "Native code is ahead everywhere." : `Ahead of native code: ${named(ahead, toAll)}.`,
    ...apart,
  ];
}

const versions = ["libopenblas-dev", "libsuitesparse-dev", "libfftw3-dev"].map(debianVersion);
const compiler = compilerVersion();

writeReport(
  {
    paper: "all",
    name,
    title: values.wide ? "Kernels on lanes of 256 bits beside native code" : "Kernels beside native code",
    claim: `Not a paper's: no kernel takes more than ${CLAIMED} times as long in one thread as native code that goes the same way, with all instructions that the machine has.`,
    data: "Numbers drawn alike on both sides; Laplacians of graphs of 7 neighbours; drawn text for the sparse rows. What was found is compared in every row but two (the sparse factor, whose solutions are compared; the pass over sparse rows, which `sgdqn/one-pass` compares).",
    method: `One thread, turns of ${three(turns.least / 1e6)} ms and more, both forms in one warm process, native code a process for every turn, contestants by turns; the ratio is the faster form's time to that of native code in the same turn. ${lanes}; native code is built twice: with AVX2 and FMA, lanes of 256 bits (g++ -O3 ${builds.avx2.march}, OpenBLAS's kernels for ${builds.avx2.openblas}), beside which the goals were set, and with all that the machine has (${builds.all.march}, OpenBLAS's own choice; here ${widestLanes()}). FFTW chooses for itself in both. For dense matrices, pairs and grids with -ffast-math, too (all pairs once each, the exponential by libmvec; a quadtree of cells and points; std::from_chars; the pass of stochastic gradients), OpenBLAS and its LAPACK in one thread, CHOLMOD, FFTW (FFTW_MEASURE): ${[compiler === undefined ? undefined : `g++ ${compiler}`, ...versions].filter((one) => one !== undefined).join(", ")}. "-" in the column of SIMD: there is no such form. dot and axpy by themselves have no goal: to bring vectors to WebAssembly takes longer than their product; it is the pass over dense rows, many products and sums in one call, that has one.${lacking().length === 0 ? "" : ` Left out for want of ${lacking().join(", ")}.`}`,
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
          "native, AVX2",
          "time to native, AVX2",
          "goal",
          "goal is",
          "native, all",
          "time to native, all",
        ],
        rows: found.map(line),
      },
    ],
  },
  !isResult,
);
