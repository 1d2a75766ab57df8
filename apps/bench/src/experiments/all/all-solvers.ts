/**
 * Every finite-sum objective under every solver that applies to it, from the same start: passes until F is within a
 * thousandth of the way from the start to the least F that any of them found, and F after 1, 5, 20 and 100 passes.
 *
 * Usage: node all-solvers.ts [--quick] [--passes 100] [--seconds 1] [--objectives softmax]
 */
import { CurvatureError, type Solver } from "@curvature/optim-core";
import { experimentArguments } from "../../experiment-arguments.ts";
import { cpuSeconds, note } from "../../processor.ts";
import { type Cell, type Table, writeReport } from "../../report.ts";
import { type Contestant, contestantsFor } from "./contestants.ts";
import { type FiniteSum, finiteSums } from "./objectives.ts";

const { values } = experimentArguments({
  options: {
    quick: { type: "boolean", default: false },
    passes: { type: "string" },
    seconds: { type: "string" },
    objectives: { type: "string" },
  },
});
const isQuick = values.quick;
const passes = Number(values.passes ?? (isQuick ? 5 : 100));
/** Processor time after which a run is broken off. */
const limit = Number(values.seconds ?? (isQuick ? 0.1 : 1));
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
  readonly trace: Trace;
}

/** The best of the grid by F at the end; undefined where the solver says that it is not for this objective. */
async function measure(problem: FiniteSum, { name, grid }: Contestant): Promise<Measured | undefined> {
  const found: Measured[] = [];
  for (const { setting, start } of grid) {
    try {
      found.push({ name, setting, tried: grid.length, trace: await trace(problem, start()) });
    } catch (error) {
      if (!(error instanceof CurvatureError)) throw error;
      note(`${problem.name}, ${name}: ${error.message}`);
    }
  }
  const [best] = found.toSorted((a, b) => endOf(a) - endOf(b));
  return best;
}

const endOf = ({ trace: { values: each } }: Measured): number => each[each.length - 1];

interface Found {
  readonly problem: FiniteSum;
  readonly methods: readonly Measured[];
  readonly start: number;
  readonly least: number;
}

const shown = (value: number): string =>
  Number.isFinite(value) ? Number(value.toPrecision(6)).toString() : "ran away";

/** Passes to within a thousandth. */
function passesTo({ trace: { values: each } }: Measured, { start, least }: Found): number | undefined {
  const pass = each.findIndex((value) => value - least <= NEAR * (start - least));
  return pass < 0 ? undefined : pass;
}

function tableOf(found: Found): Table {
  const { problem, methods } = found;
  const order = methods.toSorted(
    (a, b) =>
      (passesTo(a, found) ?? Number.POSITIVE_INFINITY) - (passesTo(b, found) ?? Number.POSITIVE_INFINITY) ||
      endOf(a) - endOf(b),
  );
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
      passesTo(method, found) ??
        (method.trace.reached < passes ? `not in ${method.trace.reached} (time)` : "-"),
      ...looks.map((pass) => {
        const value = method.trace.values[pass];
        return value === undefined ? null : shown(value);
      }),
      method.trace.seconds.toFixed(2),
    ]),
  };
}

async function measureAll(problem: FiniteSum): Promise<Found> {
  const measured: (Measured | undefined)[] = [];
  for (const contestant of contestantsFor(problem)) measured.push(await measure(problem, contestant));
  const methods = measured.filter((one) => one !== undefined);
  const all = methods.flatMap(({ trace: { values: each } }) => each.filter(Number.isFinite));
  const found = { problem, methods, start: methods[0].trace.values[0], least: Math.min(...all) };
  note(`${problem.name}: least ${shown(found.least)}`);
  return found;
}

const everything = await finiteSums({ linear: isQuick ? 200 : 600, models: isQuick ? 100 : 200 });
const quickNames = ["linear, squared-hinge", "linear, logistic", "ordinal, ste", "softmax regression"];
const wanted = values.objectives?.split(";") ?? (isQuick ? quickNames : undefined);
const findings: Found[] = [];
for (const problem of everything)
  if (wanted === undefined || wanted.includes(problem.name)) findings.push(await measureAll(problem));

/** Who gets near by the fewest passes, on how many objectives; ties count for all. */
function wins(): string[] {
  const counts = new Map<string, number>();
  for (const found of findings) {
    const reached = found.methods.map((method) => passesTo(method, found) ?? Number.POSITIVE_INFINITY);
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
    found.methods.some((method) => method.name === name && passesTo(method, found) === undefined),
  );
  return `${name} on ${missed.length} of ${taking.length}${missed.length === 0 ? "" : ` (${missed.map(({ problem }) => problem.name).join("; ")})`}`;
});

writeReport(
  {
    paper: "all",
    name: "all-solvers",
    title: "Every objective under every solver",
    claim:
      "One contract holds all objectives and all solvers: what a solver is worth on objectives that its paper does not have.",
    data: "The bundled digits (rows, minibatches of them), 21 European cities (answers), drawn curves; see each objective.",
    method:
      `All solvers from one start, one run each (seed 0), F by one function after each of ${passes} passes or up to ${limit} s of processor time. ` +
      "Passes to 1e-3: until F − least is a thousandth of F at the start − least, the least F found by any of them. A pass is as many evaluations as there are subfunctions, products with the curvature included; a step over the end of a pass by more than a tenth of it is looked at where it began. " +
      "Sums over rows or answers are split into 50 parts of the same F for SFO, momentum, AdaGrad, Adam, SAG and minibatch L-BFGS. `of`: settings tried, in units of the curvature at the start, the best at the end taken; all others run with their defaults. Solvers that say that an objective is not for them are left out.",
    findings: [
      `Fewest passes to 1e-3, objectives of ${findings.length}: ${wins().join(", ")}.`,
      `Not within ${passes} passes or ${limit} s: ${never.join(", ")}.`,
    ],
    tables: findings.map(tableOf),
  },
  isQuick || wanted !== undefined,
);
