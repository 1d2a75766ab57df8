/**
 * The nine problems that the authors' program was run on: F after 5, 10 and 20 passes beside what it reached, and
 * beside SGD with momentum, AdaGrad, Adam and SAG with the best of a grid of settings, as they were recorded. The
 * problems are those of the solver's tests, which hold a part of this table.
 *
 * Usage: node reference-problems.ts [--quick] [--seeds 5] [--first-seed 0] [--problems toy-powers,mlp-digits]
 */
import { registerHooks } from "node:module";
import { experimentArguments, namesOf, string, whole } from "../../experiment-arguments.ts";
import { cpuSeconds, note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { type Spread, spreadOf } from "../../spread.ts";
import { verdict } from "../../words.ts";

// The tests import each other as the compiler wants it, by names that end in .js.
registerHooks({
  resolve: (specifier, context, next) => {
    const isOfTests = specifier.startsWith("./") && context.parentURL?.includes("/optim-sfo/test/") === true;
    return next(isOfTests ? specifier.replace(/\.js$/, ".ts") : specifier, context);
  },
});
const { problems, references } = await import("../../../../../packages/optim-sfo/test/problems/reference.ts");
const { PASSES, valuesAfterPasses } = await import(
  "../../../../../packages/optim-sfo/test/problems/values-after-passes.ts"
);

const args = experimentArguments({
  seeds: whole(5, 1),
  "first-seed": whole(0, 0, 0),
  problems: string(),
});
const { isQuick, seeds, "first-seed": firstSeed } = args;
const known = Object.keys(problems);
const names = args.problems === undefined ? known : namesOf("problems", args.problems, known);

/** What the rounding of a sum near its minimum may make of it. */
const ROUNDING = 1e-9;
/** How near to the program's median a convex sum has to be, after 10 and 20 passes. */
const NEAR = 1e-3;

const longText = (value: number): string =>
  Math.abs(value) < 1e6 ? Number(value.toPrecision(8)).toString() : value.toPrecision(3);

interface Finding {
  readonly name: string;
  /** After each number of passes. */
  readonly here: readonly Spread[];
  readonly restarts: number;
  readonly seconds: number;
}

function measure(name: string): Finding {
  const before = cpuSeconds();
  const runs = Array.from({ length: seeds }, (_, k) => valuesAfterPasses(name, firstSeed + k));
  const finding = {
    name,
    here: PASSES.map((_, at) => spreadOf(runs.map(({ values }) => values[at]))),
    restarts: runs.reduce((sum, run) => sum + run.restarts, 0),
    seconds: (cpuSeconds() - before) / seeds,
  };
  note(`${name}: ${finding.here.map(({ median }) => longText(median)).join(", ")}`);
  return finding;
}

const findings = names.map(measure);

/** What does not hold of a row, in words. */
function misses({ name, here }: Finding): string[] {
  const { median, max, fstar } = references[name];
  return PASSES.flatMap((passes, at) => {
    const own = here[at].median;
    const isAbove = own > max[at] + ROUNDING * Math.abs(max[at]);
    const isFar = fstar !== undefined && at > 0 && own - median[at] > NEAR * Math.abs(median[at]);
    return [
      ...(isAbove ? [`after ${passes} passes above the program's worst`] : []),
      ...(isFar ? [`after ${passes} passes more than ${NEAR} above its median`] : []),
    ];
  });
}

const missesText = (missed: readonly string[]): string =>
  missed.length === 0 ? "yes" : `**no**: ${missed.join("; ")}`;

function rows(): Cell[][] {
  return findings.flatMap((finding) => {
    const { name, here, restarts, seconds } = finding;
    const { median, max } = references[name];
    return PASSES.map((passes, at) => {
      const ofAll = at === 0 ? [missesText(misses(finding)), restarts, seconds.toFixed(2)] : ["", "", ""];
      return [
        at === 0 ? name : "",
        passes,
        longText(here[at].median),
        `${longText(here[at].least)} to ${longText(here[at].most)}`,
        longText(median[at]),
        longText(max[at]),
        ...ofAll,
      ];
    });
  });
}

/** Tuned rivals that are ahead of SFO after the last pass. */
function aheadOf({ name, here }: Finding): string[] {
  const own = here[PASSES.length - 1].median;
  return Object.entries(references[name].tuned)
    .filter(([, value]) => value !== null && value < own * (1 - ROUNDING))
    .map(([rival]) => rival);
}

function rivalRows(): Cell[][] {
  const last = PASSES.length - 1;
  return findings.map((finding) => {
    const { name, here } = finding;
    const { tuned, median } = references[name];
    const ahead = aheadOf(finding);
    const rivals = Object.values(tuned).map((value) => (value === null ? "broken off" : longText(value)));
    const standing = ahead.length === 0 ? "yes" : `**no**: ${ahead.join(", ")} ahead`;
    return [name, longText(here[last].median), longText(median[last]), ...rivals, standing];
  });
}

const failing = findings.filter((finding) => misses(finding).length > 0).map(({ name }) => name);
const behind = findings.filter((finding) => aheadOf(finding).length > 0).map(({ name }) => name);
const isWhole = names.length === known.length && firstSeed === 0;

writeReport(
  {
    paper: "sfo",
    name: "reference-problems",
    title: "SFO on the problems of its authors' program",
    claim:
      "SFO here reaches what its authors' program reaches, and without tuning it is at or below rivals that are tuned on a grid.",
    data: "The nine problems of the solver's tests, from the first points of the authors' program; its values and those of the rivals are as recorded (`sfo.py` as its authors published it, without changes; Python 3.11, numpy 1.24, one thread; which commit of it was not recorded), by passes, without seconds.",
    method:
      "F after 5, 10 and 20 passes, default options. F is that of the point where the solver stands, not of the best that it knows. " +
      `"Holds": the median is at or below the program's most after 5, 10 and 20 passes, and where F is convex within ${NEAR} of its median, or below, after 10 and 20. ` +
      `The rivals: each with the best of its grid (32, 9, 9 and 19 settings, judged by F after 20 passes); SFO is untuned. ` +
      "All runs are made in one process, one after the other. Seconds are those of 20 passes, the mean of the seeds, with the making of the problem and the three looks at F.",
    repeats: `Medians, least and most of ${seeds === 1 ? `seed ${firstSeed}` : `seeds ${firstSeed} to ${firstSeed + seeds - 1}`}; beside them the median and the most of the authors' program over seven seeds (five for the mixture). The rivals are as recorded: one value each.`,
    clock: "processor",
    findings: [
      `${verdict({ "the authors' program": failing.length === 0, "tuned rivals": behind.length === 0 })} The program's values are held on ${findings.length - failing.length} of ${findings.length} problems${failing.length === 0 ? "" : `, **not** on ${failing.join(", ")}`}; after 20 passes SFO is at or below all four tuned rivals on ${findings.length - behind.length} of ${findings.length}${behind.length === 0 ? "" : `, **not** on ${behind.join(", ")}`}.`,
    ],
    tables: [
      {
        columns: [
          "problem",
          "passes",
          "median",
          "least to most",
          "program: median",
          "program: most",
          "holds",
          "restarts, all seeds",
          "seconds",
        ],
        rows: rows(),
      },
      {
        title: "Beside methods tuned on a grid, after 20 passes",
        columns: [
          "problem",
          "SFO here",
          "SFO, program",
          "SGD + momentum",
          "AdaGrad",
          "Adam",
          "SAG",
          "at or below all four",
        ],
        rows: rivalRows(),
      },
    ],
  },
  isQuick || !isWhole,
);
