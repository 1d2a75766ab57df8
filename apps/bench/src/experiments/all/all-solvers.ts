/**
 * Every finite-sum objective under every solver that applies to it, from the same start: passes until F is within a
 * thousandth of the way from the start to the least F that any of them found, and F after 1, 5, 20 and 100 passes.
 *
 * Usage: node all-solvers.ts [--quick] [--passes 100] [--seconds 1] [--objectives softmax] [--repeats 3]
 */
import { CurvatureError, type Solver } from "@curvature/optim-core";
import { experimentArguments, positive, refuse, string, whole } from "../../experiment-arguments.ts";
import { cpuSeconds, note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell, Table } from "../../report-types.ts";
import { decimals, median, spreadOf, spreadText } from "../../spread.ts";
import { mediansOf } from "../../words.ts";
import { type Contestant, contestantsFor } from "./contestants.ts";
import { type FiniteSum, finiteSums } from "./objectives.ts";

const values = experimentArguments({
  passes: whole(100, 5),
  seconds: positive(1, 0.1),
  objectives: string(),
  repeats: whole(3, 1),
});
const { isQuick, passes, seconds: limit, repeats } = values;
/** Processor time after which a run is broken off. */
const looks = [1, 5, 20, 100].filter((pass) => pass <= passes);
const NEAR = 1e-3;
/** A step that ends so little of a pass after the end of one counts for it: some solvers see a few rows twice. */
const OVER = 0.1;

interface Trace {
  /** F after 0, 1, … passes; Infinity after a run that ran away. */
  readonly values: readonly number[];
  /** Passes that were made before the time was over. */
  readonly reached: number;
  readonly seconds: number;
}

/** F after each pass; where a step goes over the end of a pass by more than a tenth of it, at the point before it. */
async function trace({ whole, start }: FiniteSum, solver: Solver<unknown>): Promise<Trace> {
  const F = (x: Float64Array): number => {
    const value = whole.evaluate(x);
    return Number.isFinite(value) ? value : Number.POSITIVE_INFINITY;
  };
  const found = [F(start)];
  const before = start.slice();
  let seconds = 0;
  let began = cpuSeconds();
  for (;;) {
    const step = solver.step();
    const { passes: done, outcome } = step instanceof Promise ? await step : step;
    const whole = Math.min(passes, Math.floor(done + 1e-9));
    if (found.length <= whole || outcome !== undefined) {
      seconds += cpuSeconds() - began;
      const { x } = solver.last;
      while (found.length <= whole) found.push(F(done - found.length < OVER ? x : before));
      if (outcome !== undefined) {
        const isBroken = outcome.status === "diverged" || outcome.status === "failed";
        const last = isBroken ? Number.POSITIVE_INFINITY : F(x);
        while (found.length <= passes) found.push(last);
      }
      began = cpuSeconds();
    }
    if (found.length > passes || seconds + cpuSeconds() - began > limit)
      return { values: found, reached: found.length - 1, seconds };
    before.set(solver.last.x);
  }
}

interface Measured {
  readonly name: string;
  readonly setting: string;
  readonly tried: number;
  /** By seed. */
  readonly traces: readonly Trace[];
}

/**
 * The best of the grid by F at the end with seed 0, then run with the other seeds; undefined where the solver says that it
 * is not for this objective.
 */
async function measure(problem: FiniteSum, { name, grid }: Contestant): Promise<Measured | undefined> {
  const found: { readonly point: Contestant["grid"][number]; readonly first: Trace }[] = [];
  for (const point of grid) {
    try {
      found.push({ point, first: await trace(problem, point.start(0)) });
    } catch (error) {
      if (!(error instanceof CurvatureError)) throw error;
      note(`${problem.name}, ${name}: ${error.message}`);
    }
  }
  const best = found.toSorted((a, b) => endOf(a.first) - endOf(b.first)).at(0);
  if (best === undefined) return undefined;
  const traces = [best.first];
  for (let seed = 1; seed < repeats; seed++) traces.push(await trace(problem, best.point.start(seed)));
  return { name, setting: best.point.setting, tried: grid.length, traces };
}

const endOf = ({ values: each }: Trace): number => each[each.length - 1];
const medianEnd = ({ traces }: Measured): number => median(traces.map(endOf));

interface Found {
  readonly problem: FiniteSum;
  readonly methods: readonly Measured[];
  readonly start: number;
  readonly least: number;
}

const shown = (value: number): string =>
  Number.isFinite(value) ? Number(value.toPrecision(6)).toString() : "ran away";

/** Passes to within a thousandth, by seed; Infinity where it was not reached. */
function passesOf({ traces }: Measured, { start, least }: Found): number[] {
  return traces.map(({ values: each }) => {
    const pass = each.findIndex((value) => value - least <= NEAR * (start - least));
    return pass < 0 ? Number.POSITIVE_INFINITY : pass;
  });
}

/** Their median. */
const passesTo = (method: Measured, found: Found): number => median(passesOf(method, found));

/** A run that does not get there counts as infinitely many passes, as it does in the order and in the findings. */
function passesText(method: Measured, found: Found): string {
  const passesBySeed = passesOf(method, found);
  const made = Math.min(...method.traces.map((trace) => trace.reached));
  if (!passesBySeed.some(Number.isFinite)) return made < passes ? `not in ${made} (time)` : "-";
  return spreadText(spreadOf(passesBySeed), (value) => (Number.isFinite(value) ? String(value) : "not"));
}

function tableOf(found: Found): Table {
  const { problem, methods } = found;
  /** Infinities are equal. */
  const rankOf = (method: Measured): number => Math.min(Number.MAX_VALUE, passesTo(method, found));
  const order = methods.toSorted((a, b) => rankOf(a) - rankOf(b) || medianEnd(a) - medianEnd(b));
  return {
    title: problem.name,
    note: `${problem.description}; ${problem.sum.dimension} parameters, ${problem.sum.count} subfunctions. F = ${shown(found.start)} at the start, ${shown(found.least)} the least found.`,
    columns: [
      "solver",
      "setting",
      "of",
      "passes to 1e-3",
      ...looks.map((pass) => `F after ${pass}`),
      "seconds",
    ],
    rows: order.map((method): Cell[] => [
      method.name,
      method.setting === "" ? "untuned" : method.setting,
      method.tried,
      passesText(method, found),
      ...looks.map((pass) => {
        const each = method.traces.map((trace) => trace.values[pass]).filter((value) => value !== undefined);
        return each.length < method.traces.length ? null : spreadText(spreadOf(each), shown);
      }),
      spreadText(spreadOf(method.traces.map(({ seconds }) => seconds)), decimals(2)),
    ]),
  };
}

async function measureAll(problem: FiniteSum): Promise<Found> {
  const measured: (Measured | undefined)[] = [];
  for (const contestant of contestantsFor(problem)) measured.push(await measure(problem, contestant));
  const methods = measured.filter((one) => one !== undefined);
  const all = methods.flatMap(({ traces }) =>
    traces.flatMap((trace) => trace.values.filter(Number.isFinite)),
  );
  const found = { problem, methods, start: methods[0].traces[0].values[0], least: Math.min(...all) };
  note(`${problem.name}: least ${shown(found.least)}`);
  return found;
}

const everything = await finiteSums({ linear: isQuick ? 200 : 600, models: isQuick ? 100 : 200 });
const quickNames = ["linear, squared-hinge", "linear, logistic", "ordinal, ste", "softmax regression"];
const wanted = values.objectives?.split(";") ?? (isQuick ? quickNames : undefined);
for (const name of wanted ?? [])
  if (!everything.some((problem) => problem.name === name))
    refuse(`--objectives: there is no "${name}", but ${everything.map((one) => one.name).join("; ")}`);
const findings: Found[] = [];
for (const problem of everything)
  if (wanted === undefined || wanted.includes(problem.name)) findings.push(await measureAll(problem));

/** Who gets near by the fewest passes, on how many objectives; ties count for all. */
function wins(): string[] {
  const counts = new Map<string, number>();
  for (const found of findings) {
    const reached = found.methods.map((method) => passesTo(method, found));
    const least = Math.min(...reached);
    found.methods.forEach(({ name }, k) => {
      if (reached[k] === least && Number.isFinite(least)) counts.set(name, (counts.get(name) ?? 0) + 1);
    });
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `${name} ${count}`);
}
const houses = ["SFO", "SVRG-SBB", "SGD-QN", "L-BFGS"];
const never = houses.map((name) => {
  const taking = findings.filter(({ methods }) => methods.some((method) => method.name === name));
  const missed = taking.filter((found) =>
    found.methods.some((method) => method.name === name && !Number.isFinite(passesTo(method, found))),
  );
  const text = `${name} on ${missed.length} of ${taking.length}`;
  return missed.length === 0 ? text : `**${text}** (${missed.map(({ problem }) => problem.name).join("; ")})`;
});

const medianSeconds = ({ traces }: Measured): number => median(traces.map(({ seconds }) => seconds));

/** Where the fewest passes are SFO's: how its seconds lie to those of others that get there, too. */
function secondsOfSfo(): string[] {
  const ratios = findings.flatMap((found) => {
    const own = found.methods.find(({ name }) => name === "SFO");
    if (own === undefined) return [];
    const reached = found.methods.map((method) => passesTo(method, found));
    const passesOfOwn = passesTo(own, found);
    if (!Number.isFinite(passesOfOwn) || passesOfOwn > Math.min(...reached)) return [];
    const others = found.methods.filter((one, k) => one !== own && Number.isFinite(reached[k]));
    if (others.length === 0) return [];
    return [medianSeconds(own) / Math.min(...others.map(medianSeconds))];
  });
  if (ratios.length === 0) return [];
  const slower = ratios.filter((ratio) => ratio > 1);
  const text = `longer on ${slower.length} of ${ratios.length}`;
  return [
    `Fewest passes are not fewest seconds: where SFO needs the fewest passes, and others get there, too, its run takes ${slower.length === 0 ? text : `**${text}**`} than the quickest run of theirs, ${median(ratios).toFixed(1)} times as long in the median (${Math.min(...ratios).toFixed(1)} to ${Math.max(...ratios).toFixed(1)}).`,
  ];
}

writeReport(
  {
    paper: "all",
    name: "all-solvers",
    title: "Every objective under every solver",
    claim:
      "One contract holds all objectives and all solvers: what a solver is worth on objectives that its paper does not have.",
    data: "The bundled digits (rows, minibatches of them), 21 European cities (answers), drawn curves; see each objective.",
    method:
      `All solvers from one start, all in one process, one after the other and not by turns, an objective at a time, so that later ones find warmer code: seconds tell orders of magnitude, passes are what is compared. F by one function after each of ${passes} passes or up to ${limit} s of processor time. ` +
      "Seconds are those of the whole run, evaluations included, F that is looked at not. Passes to 1e-3: until F − least is a thousandth of F at the start − least, the least F found by any of them; 'not' and '-' are runs that do not get there, which count as infinitely many passes. A pass is as many evaluations as there are subfunctions, products with the curvature included; a step over the end of a pass by more than a tenth of it is looked at where it began. " +
      "Sums over rows or answers are split into 50 parts of the same F for SFO, momentum, AdaGrad, Adam, SAG and minibatch L-BFGS. `of`: settings tried, in units of the curvature at the start, the best at the end with seed 0 taken; all others run with their defaults. Solvers that say that an objective is not for them are left out.",
    repeats: `${mediansOf(repeats)}; the start is one for all.`,
    clock: "processor",
    findings: [
      `Fewest passes to 1e-3, objectives of ${findings.length}, ties counted for all: ${wins().join(", ") || "nobody gets there"}.`,
      ...secondsOfSfo(),
      `Not within ${passes} passes or ${limit} s: ${never.join(", ")}.`,
    ],
    tables: findings.map(tableOf),
  },
  isQuick || wanted !== undefined,
);
