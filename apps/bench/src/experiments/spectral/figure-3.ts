/**
 * Partial-Hessian strategies, figure 3: EE by homotopy, 50 values of λ from 1e-4 to 100, each minimised until E falls by less
 * than 1e-6 of itself in an iteration. Iterations and time of each λ; the steps of SD; and whether the end lies lower than
 * without homotopy.
 *
 * Usage: node figure-3.ts [--quick] [--set drawn|coil] [--objects 5] [--seconds 6] [--lambdas 50] [--starts 3]
 *
 * Vladymyrov, Carreira-Perpiñán: Partial-Hessian strategies for fast learning of nonlinear embeddings, ICML 2012,
 * section 3.1. Differs: 5 drawn objects of 72 poses in place of 10 of COIL-20, unless `--set coil --objects 10`; a limit of time for
 * each method, at which it stops wherever its λ is; maps that collapse below a threshold of λ get noise (see `Homotopy`).
 */
import { chartSvg } from "../../chart.ts";
import { withProcesses } from "../../contestants/own-process.ts";
import { experimentArguments, namesOf, positive, string, whole } from "../../experiment-arguments.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { decimals, median, type Spread, spreadOf, spreadText } from "../../spread.ts";
import { mediansOf } from "../../words.ts";
import { describeSet, noiseOf, PERPLEXITY, POSES, smallSets } from "./small-set.ts";
import { contestantsOn, type Race, race, TURN } from "./small-set-race.ts";
import { allOf, isTimesAsLong, judged } from "./time-limit.ts";

const values = experimentArguments({
  set: string("drawn"),
  objects: whole(5, 4),
  seconds: positive(6, 0.6),
  lambdas: whole(50, 15, 2),
  starts: whole(3, 1),
  name: string("figure-3"),
});
const { isQuick, objects, seconds: limit, lambdas: steps, starts } = values;
const [set] = namesOf("set", values.set, smallSets);
const choice = { set, objects, poses: isQuick ? 36 : POSES };
const LARGEST = 100;

interface Stage {
  readonly lambda: number;
  iterations: number;
  seconds: number;
  /** Of the last iteration at this λ. */
  alpha: number | undefined;
  E: number;
}

interface Runner {
  readonly name: string;
  readonly stages: readonly Stage[];
  readonly seconds: number;
  readonly evaluations: number;
  readonly isDone: boolean;
}

/** What a method did at each λ. */
function runnerOf({ name, moments, outcome }: Race): Runner {
  const stages: Stage[] = [];
  for (let k = 1; k < moments.length; k++) {
    const { lambda, seconds, stepLength, E } = moments[k];
    let stage = stages[stages.length - 1];
    if (stage?.lambda !== lambda) {
      stage = { lambda, iterations: 0, seconds: 0, alpha: undefined, E };
      stages.push(stage);
    }
    stage.iterations++;
    stage.seconds += seconds - moments[k - 1].seconds;
    stage.alpha = stepLength;
    stage.E = E;
  }
  const { seconds, evaluations } = moments[moments.length - 1];
  return { name, stages, seconds, evaluations, isDone: outcome !== undefined };
}

/** The last E of a method that started at the largest λ, and the E before the last tenth of its time. */
interface Direct {
  readonly E: number;
  readonly before: number;
}

function directOf({ moments }: Race): Direct {
  const { E, seconds } = moments[moments.length - 1];
  return { E, before: moments.findLast((moment) => moment.seconds <= 0.9 * seconds)?.E ?? Infinity };
}

interface Course {
  readonly runners: readonly Runner[];
  readonly direct: readonly Direct[];
}

/** All methods from one start. */
async function courseOf(seed: number): Promise<Course> {
  const X0 = noiseOf(objects * choice.poses, 1e-5, seed);
  return withProcesses(contestantsOn(choice), async (processes) => {
    const way = { model: "EE", X0, lambdas: steps };
    await race(processes, way, isQuick ? 0.1 : 0.4); // compiles
    const byHomotopy = await race(processes, way, limit);
    const direct = await race(processes, { model: "EE", X0 }, limit / 2);
    return {
      runners: byHomotopy.map(runnerOf),
      direct: direct.map(directOf),
    };
  });
}

const courses: Course[] = [];
for (let seed = 0; seed < starts; seed++) {
  courses.push(await courseOf(seed));
  for (const { name, stages, seconds } of courses[seed].runners)
    note(`${name}: λ = ${stages[stages.length - 1].lambda.toPrecision(3)} after ${seconds.toFixed(1)} s`);
}
/** From the first start: those of the pictures. */
const [{ runners }] = courses;

const shownStep = (alpha: number | undefined): string => (alpha === undefined ? "-" : alpha.toPrecision(2));
const finalE = ({ stages }: Runner): number => stages[stages.length - 1].E;

/** A method from all starts. */
interface Summary {
  readonly name: string;
  readonly runs: readonly Runner[];
  /** From every start it came to the end. */
  readonly isDone: boolean;
  readonly seconds: Spread;
  readonly E: Spread;
}
const summaries = runners.map(({ name }, k): Summary => {
  const runs = courses.map((course) => course.runners[k]);
  return {
    name,
    runs,
    isDone: runs.every(({ isDone }) => isDone),
    seconds: spreadOf(runs.map(({ seconds }) => seconds)),
    E: spreadOf(runs.map(finalE)),
  };
});
const done = summaries.filter(({ isDone }) => isDone);
const first = done.toSorted((a, b) => a.seconds.median - b.seconds.median);
const rows = summaries.map(({ name, runs, isDone, seconds, E }): Cell[] => {
  const over = (of: (runner: Runner) => number): string => spreadText(spreadOf(runs.map(of)), String);
  const last = spreadOf(runs.map(({ stages }) => stages[stages.length - 1].lambda));
  return [
    name,
    isDone
      ? spreadText(E, decimals(5))
      : `not there: λ = ${spreadText(last, (lambda) => lambda.toPrecision(2))}`,
    over(({ stages }) => stages.reduce((sum, stage) => sum + stage.iterations, 0)),
    over(({ evaluations }) => evaluations),
    spreadText(seconds, decimals(2)),
    over(({ stages }) => Math.max(...stages.map((stage) => stage.iterations))),
  ];
});
const [sd] = runners;
const stepAt = (lambda: number): Stage =>
  sd.stages.reduce((a, b) =>
    Math.abs(Math.log(b.lambda / lambda)) < Math.abs(Math.log(a.lambda / lambda)) ? b : a,
  );
const stepRows = [...new Set([1e-3, 1e-2, 0.1, 1, 10, 100].map(stepAt))].map(
  ({ lambda, alpha, iterations }): Cell[] => [lambda.toPrecision(3), shownStep(alpha), iterations],
);
const late = summaries.filter(({ isDone }) => !isDone).map(({ name }) => name);
/** E's that lie no farther apart than this are of one embedding. */
const SAME = 1e-3;
/** So many times as fast is far faster. */
const FAR = 2;
/** Of those that came to the end, E by homotopy and without, where it may not have come to rest. */
const beside = summaries.flatMap(({ name, isDone, E }, k) => {
  if (!isDone) return [];
  const direct = courses.map((course) => course.direct[k]);
  const without = median(direct.map((each) => each.E));
  const isFalling = direct.some((each) => each.E < each.before * (1 - SAME));
  return [{ name, by: E.median, without, isFalling, isDeeper: E.median < without * (1 - SAME) }];
});
const deeper = beside.map(({ name, by, without, isFalling, isDeeper }) => {
  const direct = `${without.toFixed(4)} without${isFalling ? " and still falling" : ""}`;
  return `${name} ${by.toFixed(4)} by homotopy, ${direct}${isDeeper ? "" : " (**not lower**)"}`;
});
const [sdSummary] = summaries;
const slower = first.flatMap(({ name, seconds }) =>
  name === "SD" ? [] : [`${name} ${(seconds.median / sdSummary.seconds.median).toFixed(1)}`],
);
const least = Math.min(...done.map(({ E }) => E.least));
const highest = Math.max(...done.map(({ E }) => E.most));
/** Infinity of those that did not come to the end. */
const secondsOf = (name: string): number =>
  done.find((summary) => summary.name === name)?.seconds.median ?? Infinity;
const [firstStep, lastStep] = [sd.stages[0].alpha ?? 0, sd.stages[sd.stages.length - 1].alpha ?? 0];
const claims = {
  "all but gradient descent at the end": late.every((name) => name === "GD") ? true : undefined,
  "one embedding": done.length < 2 ? undefined : highest / least - 1 <= SAME,
  "deeper than without homotopy": allOf(
    beside.filter(({ isFalling, isDeeper }) => !(isFalling && isDeeper)).map(({ isDeeper }) => isDeeper),
  ),
  "SD far faster than FP and gradient descent": isTimesAsLong(
    FAR,
    Math.min(secondsOf("FP"), secondsOf("GD")),
    secondsOf("SD"),
    limit,
  ),
  "the steps of SD": sdSummary.isDone ? firstStep === 1 && lastStep <= 0.2 : undefined,
};
const atTheEnd = [
  ...(done.length === 0
    ? []
    : [first.map(({ name, seconds }) => `${name} ${seconds.median.toFixed(2)}`).join(", ")]),
  ...(late.length === 0 ? [] : [`**not** in ${limit} s: ${late.join(", ")}`]),
].join("; ");
const inUnits = sdSummary.isDone && slower.length > 0 ? ` In units of SD's time: ${slower.join(", ")}.` : "";
const ends = done.length === 0 ? "" : ` Their E lie between ${least.toFixed(4)} and ${highest.toFixed(4)}.`;

writeReport(
  {
    paper: "spectral",
    name: values.name,
    title: "Partial-Hessian strategies, figure 3: EE by homotopy",
    claim:
      "Figure 3: followed closely through 50 values of λ all methods but gradient descent come to the same embedding, deeper than from a random map; SD is far faster than FP and gradient descent, and its steps shrink from 1 below λ = 0.02 to 0.1.",
    data: `${describeSet(choice)}; perplexity ${PERPLEXITY}, all pairs; EE.`,
    method: `λ from 1e-4 to ${LARGEST} in ${steps} equal ratios from X₀ = 1e-5 × normal; a λ is done when E falls by less than 1e-6 of itself and X moves by less than a tenth. At most ${limit} s of processor time each, every method in a process of its own, in turns of ${TURN} s, after a run that is not counted; SD's factor is in its time. "Without" starts from X₀ at λ = ${LARGEST}, for ${limit / 2} s. The steps of SD and the picture are those of the first start. One embedding: E within ${SAME} of each other, relatively; deeper: lower by more than that; still falling: from some start by more than that in the last tenth of its time, which leaves open how deep it comes without, so that it does not count for the claim; far faster: ${FAR} times and more; the steps of SD: from 1 to 0.2 or less.`,
    repeats: `${mediansOf(starts, "start", "starts")}.`,
    clock: "processor",
    findings: [
      judged(claims, limit),
      `At λ = ${LARGEST}, in seconds: ${atTheEnd}.${inUnits}${ends}`,
      ...(deeper.length === 0 ? [] : [`Deeper than without homotopy: ${deeper.join("; ")}.`]),
      `The steps of SD: ${stepRows.map(([lambda, alpha]) => `${alpha} at λ = ${lambda}`).join(", ")}.`,
    ],
    tables: [
      {
        title: "The whole way",
        columns: ["method", "E at the end", "iterations", "evaluations", "seconds", "most iterations of a λ"],
        rows,
      },
      { title: "Steps of SD", columns: ["λ", "last step", "iterations"], rows: stepRows },
    ],
    figures: [
      {
        name: values.name,
        caption: "Iterations and seconds of each λ, and the last step of SD at each λ.",
        svg: chartSvg(`Figure 3, N = ${objects * choice.poses}`, [
          ...(["iterations", "seconds"] as const).map((what) => ({
            title: `${what} of each λ`,
            xTitle: "log₁₀ λ",
            yTitle: what,
            logarithmic: true,
            series: runners.map(({ name, stages, isDone }) => ({
              name,
              points: (isDone ? stages : stages.slice(0, -1)).map(
                (stage) => [Math.log10(stage.lambda), stage[what]] as const,
              ),
            })),
          })),
          {
            title: "Last step of SD at each λ",
            xTitle: "log₁₀ λ",
            yTitle: "α",
            range: [0, 1],
            series: [
              {
                name: "SD",
                points: sd.stages.map(({ lambda, alpha = 0 }) => [Math.log10(lambda), alpha] as const),
              },
            ],
          },
        ]),
      },
    ],
  },
  isQuick,
);
