/**
 * Partial-Hessian strategies, figure 4, on O(N) gradients: E against seconds on 20,000 images of MNIST, all methods from
 * small random maps, and the time of each to 1 % of E₀ − best.
 *
 * The contestants: spectral direction (SD), its L-BFGS (SD-LBFGS), fixed point (FP), gradient descent with growing steps
 * (GD), nonlinear CG, L-BFGS with a first step of length 1/‖∇E‖₁, and the same with a unit first step, which is how the
 * paper's L-BFGS came to stand still. "best" is the lowest E that any of them reached in its time. The factorisation of SD is in its time;
 * neighbours and affinities, which all share, are not. Each is in a process of its own (`figure-4-process.ts`), and they
 * take turns.
 *
 * Usage: node figure-4.ts [--quick] --mnist folder [--points 20000] [--methods ee,ssne,tsne] [--seconds 60] [--starts 3]
 *   [--perplexity 30] [--sdminus] [--name figure-4]
 * Quick without MNIST: the bundled digits.
 *
 * Vladymyrov, Carreira-Perpiñán: Partial-Hessian strategies for fast learning of nonlinear embeddings, ICML 2012,
 * section 4. Differs: s-SNE besides; perplexity 30 unless another is given (the paper's is 50), from three times as many neighbours, and
 * W⁻ constant (sparse affinities); the paper's are dense. SD− is left out unless it is asked for: it takes two full matrices of the
 * points, 6.4 GB for 20,000.
 */
import { fillNormal, RandomGenerator } from "@curvature/linalg";
import {
  type EmbeddingObjective,
  entropicAffinities,
  jointAffinities,
} from "@curvature/objectives/embedding";
import { chartSvg, type Panel } from "../../chart.ts";
import { type OwnProcess, ownProcess, withProcesses } from "../../contestants/own-process.ts";
import {
  experimentArguments,
  namesOf,
  positive,
  refuse,
  string,
  whole,
  yes,
} from "../../experiment-arguments.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { decimals, median, type Spread, spreadOf, spreadText } from "../../spread.ts";
import { mediansOf } from "../../words.ts";
import { type Course, contestants, KAPPA, type Moment, models, type Task } from "./figure-4-contestants.ts";
import { digits, mnist } from "./sets.ts";
import { isTimesAsLong, type Judgement, judged, standing } from "./time-limit.ts";

const values = experimentArguments({
  mnist: string(),
  points: whole(20_000, 1000, 100),
  methods: string("ee,ssne,tsne", "ee,tsne"),
  seconds: positive(60, 0.5),
  starts: whole(3, 1),
  perplexity: whole(30, 30, 2),
  sdminus: yes(),
  name: string("figure-4"),
});
const { isQuick, points: N, seconds: limit, starts, perplexity } = values;
const neighbors = 3 * perplexity;
const taking = Object.keys(contestants).filter((name) => name !== "SD−" || values.sdminus);
const methods = namesOf("methods", values.methods, Object.keys(models));

/** Seconds of each contestant that are not counted: the compiler's. */
const WARM_UP = isQuick ? 0.2 : 2;

const TURNS = 20;

interface Run {
  readonly name: string;
  readonly moments: Moment[];
}

/** In turns, until all have had their seconds or have ended. What they say of E is checked at the last map. */
async function race(
  processes: readonly OwnProcess<number, Course>[],
  objective: EmbeddingObjective,
): Promise<Run[]> {
  const runs = processes.map(({ name, turn }) => ({ name, turn, moments: [] as Moment[], isEnded: false }));
  for (let k = 1; k <= TURNS; k++)
    for (const run of runs) {
      const until = (limit * k) / TURNS;
      const spent = run.moments.at(-1)?.seconds ?? 0;
      if (run.isEnded || spent > until) continue;
      const { moments, isEnded, x } = await run.turn(until);
      run.moments.push(...moments);
      run.isEnded = isEnded;
      const [said, E] = [moments[moments.length - 1].E, objective.evaluate(x)];
      if (!(Math.abs(said - E) <= 1e-9 * Math.abs(E))) throw new Error(`${run.name}: E is ${E}, not ${said}`);
    }
  return runs;
}

const script = new URL("./figure-4-process.ts", import.meta.url);
if (values.mnist === undefined && !isQuick) refuse("Give --mnist, a folder with MNIST in IDX");
const { points, description } = values.mnist === undefined ? await digits(N) : await mnist(values.mnist, N);
const { conditional } = entropicAffinities(points, { perplexity, neighbors });
const P = jointAffinities(conditional);

function startOf(seed: number): Float64Array {
  const X0 = new Float64Array(2 * N);
  fillNormal(new RandomGenerator(seed), X0);
  return X0.map((x) => 1e-5 * x);
}

/** What the contestants did from one start. */
interface Contest {
  readonly runs: readonly Run[];
  readonly E0: number;
  /** The least E of all. */
  readonly best: number;
}

async function contestOf(method: string, seed: number): Promise<Contest> {
  const objective = models[method](P);
  const X0 = startOf(seed);
  const runs = await withProcesses(
    taking.map((contestant) => () => {
      const task = { model: method, contestant, P, X0, warmUp: WARM_UP };
      return ownProcess<Task, number, Course>(contestant, script, task);
    }),
    (processes) => race(processes, objective),
  );
  for (const { name, moments } of runs)
    note(`${method} ${name} from ${seed}: E ${moments.at(-1)?.E} after ${moments.length} iterations`);
  const best = Math.min(...runs.flatMap(({ moments }) => moments.map(({ E }) => E)));
  return { runs, E0: objective.evaluate(X0), best };
}

/** The first moment of a run with so little left of the way from E₀ to the best E. */
const within = ({ runs, E0, best }: Contest, c: number, share: number): Moment | undefined =>
  runs[c].moments.find(({ E }) => E <= best + share * (E0 - best));

const orNever =
  (shown: (value: number) => string) =>
  (value: number): string =>
    value === Infinity ? "never" : shown(value);

/** Of one who was not there in time a bound is known. */
function ratioText(seconds: number, own: number): string {
  const ratio = Math.min(seconds, limit) / Math.min(own, limit);
  if (seconds === Infinity && own === Infinity) return "-";
  const bound = seconds === Infinity ? "over " : own === Infinity ? "under " : "";
  return `${bound}${ratio.toFixed(1)}`;
}

const TEN_PERCENT = 0.1;
const ONE_PERCENT = 0.01;
/** An order of magnitude. */
const TEN = 10;
const rows: Cell[][] = [];
const claims: Record<string, Judgement> = {};
const standings: string[] = [];
const panels: Panel[] = [];
for (const method of methods) {
  const contests: Contest[] = [];
  for (let seed = 0; seed < starts; seed++) contests.push(await contestOf(method, seed));
  /** Of each start; Infinity where it is not reached. */
  const effort = (c: number, share: number, what: "seconds" | "evaluations"): number[] =>
    contests.map((contest) => within(contest, c, share)?.[what] ?? Infinity);
  const secondsOf = (c: number, share: number = ONE_PERCENT): number => median(effort(c, share, "seconds"));
  const own = secondsOf(0);
  const names = contests[0].runs.map(({ name }) => name);
  for (const [c, name] of names.entries()) {
    const cell = (share: number): string => {
      const seconds = effort(c, share, "seconds");
      if (seconds.every((each) => each === Infinity)) return "-";
      const evaluations = spreadText(spreadOf(effort(c, share, "evaluations")), orNever(String));
      return `${spreadText(spreadOf(seconds), orNever(decimals(2)))} s, ${evaluations}`;
    };
    const over = (of: (moments: readonly Moment[]) => number): Spread =>
      spreadOf(contests.map(({ runs }) => of(runs[c].moments)));
    rows.push([
      method,
      name,
      cell(TEN_PERCENT),
      ratioText(secondsOf(c, TEN_PERCENT), secondsOf(0, TEN_PERCENT)),
      cell(ONE_PERCENT),
      ratioText(secondsOf(c), own),
      spreadText(
        over((moments) => moments[moments.length - 1].E),
        decimals(4),
      ),
      spreadText(
        over((moments) => moments.length),
        String,
      ),
    ]);
  }
  const isSlower = (name: string): Judgement =>
    isTimesAsLong(TEN, secondsOf(names.indexOf(name)), own, limit);
  claims[`gradient descent (${method})`] = isSlower("GD (growing steps)");
  claims[`the fixed point (${method})`] = isSlower("FP");
  claims[`L-BFGS (${method})`] = isSlower("L-BFGS (scaled first step)");
  standings.push(
    `${method}, ${starts === 1 ? "seconds" : "median seconds"} to 1 % of E₀ − best: ${standing(
      names.map((name, c) => ({ name, seconds: secondsOf(c) })),
      names[0],
      limit,
    )}`,
  );
  const [{ E0, best }] = contests;
  panels.push({
    title: method,
    xTitle: "seconds (CPU)",
    yTitle: "(E − best) / (E₀ − best)",
    logarithmic: true,
    range: [1e-4, 1],
    series: contests[0].runs.map(({ name, moments }) => ({
      name,
      points: moments
        .filter(({ seconds }) => seconds <= limit)
        .map(({ seconds, E }) => [seconds, (E - best) / (E0 - best)] as const),
    })),
  });
}

writeReport(
  {
    paper: "spectral",
    name: values.name,
    title: `Partial-Hessian strategies, figure 4: E against time, ${methods.join(", ")}, N = ${N}`,
    claim:
      "Figure 4: on 20,000 images the spectral direction is one to two orders of magnitude faster than gradient descent, the fixed point and L-BFGS.",
    data: `${values.mnist === undefined ? "The bundled digits in place of MNIST" : "MNIST"}, ${description}; perplexity ${perplexity}, ${neighbors} neighbours.`,
    method:
      `From 1e-5 × normal; gradients by interpolation (fft); ${limit} s for each method (the iteration that is under way then is finished), each in a process of its own, warm after ${WARM_UP} s that are not counted, in ${TURNS} turns; ` +
      `κ = ${KAPPA} for SD${values.sdminus ? ", all pairs for SD−, with linear CG to 0.1, at most 50 steps" : ""}; L-BFGS of 100 pairs. Cells: seconds and evaluations of the gradient to 10 % and 1 % of E₀ − best; the ratios of these medians to SD's; the last E; a start from which it is not reached counts as infinitely long ("never"; "-" where that is so of all), and who is not there in ${limit} s takes longer, nobody knows how much. "best" is the lowest E that any of them reached from that start in its time. The picture shows the first start, up to ${limit} s. The claim is that SD is within 1 % at least ${TEN} times sooner.`,
    repeats: `${mediansOf(starts, "start", "starts")}.`,
    clock: "processor",
    findings: [judged(claims, limit), ...standings],
    tables: [
      {
        columns: [
          "method",
          "solver",
          "to 10 %",
          "ratio to SD",
          "to 1 %",
          "ratio to SD",
          "last E",
          "iterations",
        ],
        rows,
      },
    ],
    figures: [
      {
        name: values.name,
        caption: "What is left of the way to the best E, against seconds.",
        svg: chartSvg(`Figure 4, N = ${N}`, panels),
      },
    ],
  },
  isQuick,
);
