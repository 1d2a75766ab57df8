/**
 * How time and memory grow: for each solver a quantity is made larger, and the exponent of the power law through what was
 * measured stands beside that of the operation counts, and beside it the exponent of the last step alone: what does not
 * grow (a process's own memory, set-up, caches that still hold everything) weighs less there.
 *
 * Usage: node complexity.ts [--quick] [--only gradient-exact,sfo-parameters] [--repeats 3]
 * Every size is a process of its own.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { chartSvg, type Series } from "../../chart.ts";
import { experimentArguments, namesOf, string, whole } from "../../experiment-arguments.ts";
import { powerLaw } from "../../fit.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { median } from "../../spread.ts";
import { verdict } from "../../words.ts";
import type { Workload } from "./workloads/workload.ts";
import { workloads } from "./workloads.ts";

interface Measurement {
  readonly seconds: number;
  /** Peak of the process, less what it held before the data. */
  readonly megabytes: number;
  /** Of the unit, where the run counts them. */
  readonly operations?: number;
}

const values = experimentArguments({
  only: string(),
  repeats: whole(3, 1),
  measure: string(),
});
const { isQuick, repeats } = values;
/** So near to the counts an exponent is called the same: caches alone move it by a tenth or two. */
const MARGIN = 0.15;
/** Sizes of the first look. */
const FEW = 2;
const quickKeys = [
  "gradient-exact",
  "gradient-fft",
  "sfo-parameters",
  "svrg-dimensions",
  "nomad-admm-points",
  "nomad-admm-few",
  "nomad-bm-clusters",
];

/** A picture for each: more curves in one could not be told apart. */
const groups: readonly (readonly [name: string, title: string, keys: RegExp])[] = [
  ["gradients", "neighbours and gradients of maps", /^(neighbors|gradient)/],
  ["maps", "solvers of maps", /^(spectral|sd)/],
  ["sums", "sums of functions", /^(sfo|sums)/],
  ["rows", "answers and rows", /^(svrg|sgdqn|dcd|newton)/],
  ["nomad", "NOMAD", /^nomad/],
];

if (values.measure === undefined) report();
else process.stdout.write(JSON.stringify(await measure(values.measure)));

async function measure(task: string): Promise<Measurement> {
  const [key, size] = task.split(":");
  const workload = workloads.find((one) => one.key === key);
  if (workload === undefined) throw new Error(`There is no ${key}.`);
  const before = process.resourceUsage().maxRSS;
  const found = await workload.work(Number(size));
  const cost = typeof found === "number" ? { seconds: found } : found;
  return { ...cost, megabytes: (process.resourceUsage().maxRSS - before) / 1024 };
}

function inProcess(key: string, size: number): Measurement {
  const args = [fileURLToPath(import.meta.url), "--measure", `${key}:${size}`];
  const { stdout, status } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`${key} at ${size} failed with status ${status}`);
  return JSON.parse(stdout);
}

interface Sized extends Measurement {
  readonly size: number;
  readonly range: readonly [low: number, high: number];
}

/** Sizes in turn, as often as there are repeats: medians. */
function measured({ key, sizes }: Workload): Sized[] {
  const few = isQuick ? sizes.slice(0, FEW) : sizes;
  const runs = Array.from({ length: repeats }, () => few.map((size) => inProcess(key, size)));
  return few.map((size, k) => {
    const seconds = runs.map((run) => run[k].seconds);
    return {
      ...runs[0][k],
      size,
      seconds: median(seconds),
      range: [Math.min(...seconds), Math.max(...seconds)] as const,
      megabytes: median(runs.map((run) => run[k].megabytes)),
    };
  });
}

function report(): void {
  const keys = workloads.map(({ key }) => key);
  const asked = values.only === undefined ? (isQuick ? quickKeys : keys) : namesOf("only", values.only, keys);
  const found = workloads
    .filter(({ key }) => asked.includes(key))
    .map((workload) => {
      const sized = measured(workload);
      const grown = (of: readonly Sized[], what: (one: Sized) => number): ReturnType<typeof powerLaw> =>
        powerLaw(of.map((one) => [one.size, Math.max(what(one), 1e-6)]));
      const seconds = (one: Sized): number => one.seconds;
      const megabytes = (one: Sized): number => one.megabytes;
      const operations = (one: Sized): number => one.operations ?? Number.NaN;
      const ends = sized.slice(-2);
      const [time, memory] = [grown(sized, seconds), grown(sized, megabytes)];
      const last = { time: grown(ends, seconds).exponent, memory: grown(ends, megabytes).exponent };
      const promised = workload.theory.time;
      const isCounted = promised === "counted";
      /** As they are over all sizes, and at the last step. */
      const counts = {
        time: isCounted ? grown(sized, operations).exponent : promised,
        memory: workload.theory.memory,
      };
      const lastCounts = { ...counts, time: isCounted ? grown(ends, operations).exponent : promised };
      note(`${workload.key}: time ${time.exponent.toFixed(2)}, memory ${memory.exponent.toFixed(2)}`);
      return { workload, sized, time, memory, last, counts, lastCounts };
    });
  const shown = ({ exponent, error }: ReturnType<typeof powerLaw>): string =>
    Number.isFinite(error) ? `${exponent.toFixed(2)} ± ${error.toFixed(2)}` : exponent.toFixed(2);
  const number = (exponent: number): string => String(Number(exponent.toFixed(2)));
  /** How many exponents are those of the counts, and which lie above or below, over all sizes and at the last step. */
  const compared = (
    what: "time" | "memory",
    at: "all" | "last",
  ): { readonly isHeld: boolean; readonly words: string } => {
    const promised = found.flatMap((one) => {
      const theory = (at === "all" ? one.counts : one.lastCounts)[what];
      const exponent = at === "all" ? one[what].exponent : one.last[what];
      return theory === undefined ? [] : [{ ...one, theory, exponent, excess: exponent - theory }];
    });
    const list = (some: typeof promised): string =>
      some
        .map(
          ({ workload: { solver, unit, variable }, theory, exponent }) =>
            `${solver}, ${unit}, in ${variable} (${exponent.toFixed(2)}, counts ${number(theory)})`,
        )
        .join("; ");
    const above = promised.filter(({ excess }) => excess > MARGIN);
    const below = promised.filter(({ excess }) => excess < -MARGIN);
    const within = promised.length - above.length - below.length;
    const where = at === "all" ? `exponents of ${what}` : `steps to the largest size, in ${what},`;
    const words = [
      `Of ${promised.length} ${where} ${within} are within ${MARGIN} of the counts, ${below.length} below, ${above.length} above.`,
      ...(above.length === 0 ? [] : [`**Above:** ${list(above)}.`]),
      ...(below.length === 0 ? [] : [`Below: ${list(below)}.`]),
    ];
    return { isHeld: above.length === 0, words: words.join(" ") };
  };
  const judged = {
    "time over all sizes": compared("time", "all"),
    "memory over all sizes": compared("memory", "all"),
    "time at the last step": compared("time", "last"),
    "memory at the last step": compared("memory", "last"),
  };
  const seconds = (value: number): string => value.toPrecision(3);
  writeReport(
    {
      paper: "all",
      name: "complexity",
      title: "How time and memory grow",
      claim: "Time and memory of each solver grow with its problem no faster than its operation counts say.",
      data: "Drawn sets of any size: a tree of clusters (maps), springs (SFO), answers from drawn points, rows of a given number of entries; the bundled digits (NOMAD; its factor on the tree), normal numbers (neighbours).",
      method:
        "Processor seconds of the unit in a warm process, every size in a fresh process, sizes in turn; memory: the peak of the process less what it held when its packages were loaded, the data included, and what the engine has not yet given back. " +
        `Exponents: least squares of the logarithms, ± the standard error of the slope; "last": between the two largest sizes. At the same rate: within ${MARGIN} of the counts. Counts are those of the formulas, or, marked with *, the operations that the run itself counted, of which the exponent is told. Why an exponent lies below is not measured here: a part that does not grow, such as the engine's own heap, weighs less at the last step.`,
      repeats: `${repeats === 1 ? "One run of each size" : `Medians of ${repeats} runs of each size, least and most in the second table`}; data and starts are drawn with seeds 0, 1, 2 and 5, solvers draw with their own default, 0, the same in each run.`,
      clock: "processor",
      findings: [
        verdict(Object.fromEntries(Object.entries(judged).map(([part, { isHeld }]) => [part, isHeld]))),
        ...Object.values(judged).map(({ words }) => words),
      ],
      tables: [
        {
          columns: [
            "solver",
            "unit",
            "what grows",
            "exponent of time",
            "last",
            "counts",
            "exponent of memory",
            "last",
            "counts",
            "in words: time; memory",
          ],
          rows: found.map(({ workload, time, memory, last, counts }): Cell[] => [
            workload.solver,
            workload.unit,
            workload.variable,
            shown(time),
            last.time.toFixed(2),
            counts.time === undefined
              ? "-"
              : `${number(counts.time)}${workload.theory.time === "counted" ? "*" : ""}`,
            shown(memory),
            last.memory.toFixed(2),
            workload.theory.memory ?? "-",
            workload.theory.words,
          ]),
        },
        {
          title: "What was measured",
          columns: ["solver", "what grows", "size", "seconds: median (least to most)", "MB"],
          rows: found.flatMap(({ workload, sized }) =>
            sized.map(({ size, seconds: middle, range, megabytes }): Cell[] => [
              workload.solver,
              workload.variable,
              size,
              `${seconds(middle)} (${range.map(seconds).join(" to ")})`,
              megabytes.toFixed(0),
            ]),
          ),
        },
      ],
      figures: groups.flatMap(([name, title, keys]) => {
        const own = found.filter(({ workload }) => keys.test(workload.key));
        const series = own.map(curveOf);
        const counts = new Set(own.map(({ workload: { theory } }) => theory.time));
        return series.length === 0
          ? []
          : [
              {
                name: `complexity-${name}`,
                caption: `${title}: seconds of the unit relative to the least size, by size relative to the least; both logarithmic. The lines called slope are growth by the counts.`,
                svg: chartSvg(`Growth of time: ${title}`, [
                  {
                    title: "",
                    xTitle: "log₂ of the size, relative",
                    yTitle: "seconds, relative",
                    logarithmic: true,
                    series: [
                      ...series,
                      ...slopes(
                        series,
                        [...counts].filter((count) => typeof count === "number").sort((a, b) => a - b),
                      ),
                    ],
                  },
                ]),
              },
            ];
      }),
    },
    isQuick || values.only !== undefined,
  );
}

function curveOf({
  workload,
  sized,
}: {
  readonly workload: Workload;
  readonly sized: readonly Sized[];
}): Series {
  const [least] = sized;
  return {
    name: workload.key,
    points: sized.map(
      ({ size, seconds }) => [Math.log2(size / least.size), seconds / least.seconds] as const,
    ),
  };
}

/** Lines of growth as powers of the size, over the widest range of the curves, no higher than they. */
function slopes(series: readonly Series[], exponents: readonly number[]): Series[] {
  const ends = series.flatMap(({ points }) => points);
  const [right, top] = [Math.max(...ends.map(([x]) => x)), Math.max(...ends.map(([, y]) => y))];
  return exponents.map((slope) => {
    const end = Math.min(right, Math.log2(top) / slope);
    return { name: `slope ${slope}`, points: [[0, 1] as const, [end, 2 ** (slope * end)] as const] };
  });
}
