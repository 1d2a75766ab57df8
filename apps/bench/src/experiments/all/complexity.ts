/**
 * How time and memory grow: for each solver a quantity is made larger, and the exponent of the power law through what was
 * measured stands beside that of the operation counts.
 *
 * Usage: node complexity.ts [--quick] [--only gradient-exact,sfo-parameters] [--repeats 3]
 * Every size is a process of its own.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { chartSvg } from "../../chart.ts";
import { experimentArguments } from "../../experiment-arguments.ts";
import { powerLaw } from "../../fit.ts";
import { note } from "../../processor.ts";
import { type Cell, writeReport } from "../../report.ts";
import { median } from "../../spread.ts";
import type { Workload } from "./workloads/workload.ts";
import { workloads } from "./workloads.ts";

interface Measurement {
  readonly seconds: number;
  /** Peak of the process, less what it held before the data. */
  readonly megabytes: number;
}

const { values } = experimentArguments({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    repeats: { type: "string" },
    measure: { type: "string" },
  },
});
const repeats = Number(values.repeats ?? (values.quick ? 1 : 3));
/** By so much caches may raise an exponent. */
const MARGIN = 0.15;
/** Sizes of the first look. */
const FEW = 2;
const quickKeys = [
  "gradient-exact",
  "gradient-fft",
  "sfo-parameters",
  "svrg-dimensions",
  "nomad-admm-points",
];

if (values.measure === undefined) report();
else process.stdout.write(JSON.stringify(await measure(values.measure)));

async function measure(task: string): Promise<Measurement> {
  const [key, size] = task.split(":");
  const workload = workloads.find((one) => one.key === key);
  if (workload === undefined) throw new Error(`There is no ${key}.`);
  const before = process.resourceUsage().maxRSS;
  const seconds = await workload.work(Number(size));
  return { seconds, megabytes: (process.resourceUsage().maxRSS - before) / 1024 };
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
  const few = values.quick ? sizes.slice(0, FEW) : sizes;
  const runs = Array.from({ length: repeats }, () => few.map((size) => inProcess(key, size)));
  return few.map((size, k) => {
    const seconds = runs.map((run) => run[k].seconds);
    return {
      size,
      seconds: median(seconds),
      range: [Math.min(...seconds), Math.max(...seconds)] as const,
      megabytes: median(runs.map((run) => run[k].megabytes)),
    };
  });
}

function report(): void {
  const asked = values.only?.split(",") ?? (values.quick ? quickKeys : undefined);
  const found = workloads
    .filter(({ key }) => asked === undefined || asked.includes(key))
    .map((workload) => {
      const sized = measured(workload);
      const time = powerLaw(sized.map(({ size, seconds }) => [size, seconds]));
      const memory = powerLaw(sized.map(({ size, megabytes }) => [size, Math.max(megabytes, 1e-3)]));
      note(`${workload.key}: time ${time.exponent.toFixed(2)}, memory ${memory.exponent.toFixed(2)}`);
      return { workload, sized, time, memory };
    });
  const shown = ({ exponent, error }: ReturnType<typeof powerLaw>): string =>
    Number.isFinite(error) ? `${exponent.toFixed(2)} ± ${error.toFixed(2)}` : exponent.toFixed(2);
  /** Whose exponents are further above those of the counts than the machine's caches make them. */
  const above = (what: "time" | "memory"): string => {
    const promised = found.flatMap((one) => {
      const theory = one.workload.theory[what];
      return theory === undefined ? [] : [{ ...one, theory, exponent: one[what].exponent }];
    });
    const worse = promised.filter(({ exponent, theory }) => exponent > theory + MARGIN);
    const count = `${promised.length - worse.length} of ${promised.length} exponents of ${what} are at most ${MARGIN} above those of the operation counts`;
    const list = worse.map(
      ({ workload, exponent, theory }) =>
        `${workload.solver} in ${workload.variable} (${exponent.toFixed(2)} against ${theory})`,
    );
    return `${count}${list.length === 0 ? "" : `, **not** ${list.join("; ")}`}.`;
  };
  const seconds = (value: number): string => value.toPrecision(3);
  writeReport(
    {
      paper: "all",
      name: "complexity",
      title: "How time and memory grow",
      claim: "Time and memory of each solver grow with its problem as its operation counts say.",
      data: "Drawn sets of any size: a tree of clusters (maps), springs (SFO), answers from drawn points, rows of a given number of entries; the bundled digits (NOMAD; its factor on the tree), normal numbers (neighbours).",
      method: `Processor seconds of the unit in a warm process, every size in a fresh process, sizes in turn, medians of ${repeats}; memory: the peak of the process less what it held when its packages were loaded, the data included. Exponents: least squares of the logarithms, ± the standard error of the slope. Small sizes fit into caches and large ones do not, so that an exponent a tenth or two above the count is the machine's.`,
      findings: [above("time"), above("memory")],
      tables: [
        {
          columns: [
            "solver",
            "unit",
            "what grows",
            "exponent of time",
            "counts",
            "exponent of memory",
            "counts",
            "in words: time; memory",
          ],
          rows: found.map(({ workload, time, memory }): Cell[] => [
            workload.solver,
            workload.unit,
            workload.variable,
            shown(time),
            workload.theory.time ?? "-",
            shown(memory),
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
      figures: [
        {
          name: "complexity",
          caption:
            "Seconds of the unit relative to the least size, by size relative to the least; both logarithmic.",
          svg: chartSvg("Growth of time", panelsOf(found)),
        },
      ],
    },
    values.quick || values.only !== undefined,
  );
}

function panelsOf(found: readonly { readonly workload: Workload; readonly sized: readonly Sized[] }[]) {
  const papers: readonly (readonly [string, RegExp])[] = [
    ["maps", /^(neighbors|gradient|spectral)/],
    ["SFO", /^sfo/],
    ["ordinal and linear", /^(svrg|sgdqn|dcd|newton)/],
    ["NOMAD", /^nomad/],
  ];
  return papers
    .map(([title, keys]) => ({
      title,
      xTitle: "log₂ of the size, relative",
      yTitle: "seconds, relative",
      logarithmic: true,
      series: found
        .filter(({ workload }) => keys.test(workload.key))
        .map(({ workload, sized }) => ({
          name: workload.key,
          points: sized.map(
            ({ size, seconds }) => [Math.log2(size / sized[0].size), seconds / sized[0].seconds] as const,
          ),
        })),
    }))
    .filter(({ series }) => series.length > 0);
}
