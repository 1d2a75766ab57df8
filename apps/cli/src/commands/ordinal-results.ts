/**
 * What `curvature ordinal` says of its result: under the plot's title, on the terminal, in the report.
 */

import { comparisonsOptions } from "@curvature/datasets";
import { printable } from "@curvature/linalg";
import type { DimensionCandidate, DimensionChoice } from "@curvature/optim-svrg";
import { glyphWarnings } from "../plot/glyphs.js";
import type { ChartData } from "../plot/index.js";
import { listed } from "../read/object-names.js";
import { inFlags } from "../run/flag-names.js";
import { count, duration, shortNumber } from "../run/terminal.js";
import type { OrdinalTaskOutput } from "../tasks/ordinal.js";
import type { PlacedByFeatures } from "../tasks/ordinal-features.js";
import type { PersonFigures } from "../tasks/ordinal-people.js";
import { programVersion } from "../version.js";
import type { Report } from "../write/report.js";
import { answerFlags, type OrdinalFlags } from "./ordinal-flags.js";

export const lossTitles: Readonly<Record<OrdinalFlags["loss"], string>> = {
  soe: "SOE",
  logistic: "logistic loss",
  tste: "t-STE",
  ste: "STE",
  gnmds: "GNMDS",
  ckl: "crowd kernel",
  "smooth-hinge": "smooth hinge",
};

/** What the words are about. */
export interface OrdinalSubject {
  readonly flags: OrdinalFlags;
  /** The files with the answers, or the one with the distances. */
  readonly files: readonly string[];
  /** Of all objects. */
  readonly called: readonly string[];
  readonly hasNames: boolean;
  readonly dropped: number;
  /** What the answers are. */
  readonly reading: Readonly<Record<string, unknown>> | undefined;
  /** Who answered, by number. */
  readonly people: readonly string[];
  readonly kind: "answers" | "distances";
  readonly output: OrdinalTaskOutput;
}

const unplacedNames = ({ called, output }: OrdinalSubject): string[] =>
  output.answers.unplaced.map((object) => called[object]);

export function plotSubtitle({ flags, called, output }: OrdinalSubject): string {
  const { map, metrics, answers } = output;
  const words = [
    `Ordinal embedding, ${lossTitles[flags.loss]}`,
    `${count(called.length - answers.unplaced.length)} objects`,
    `${count(answers.training)} answers`,
    metrics.testError === undefined
      ? `${percent(metrics.trainingError)} not met`
      : `test error ${percent(metrics.testError)}`,
  ];
  const { regions } = output;
  if (regions?.ellipses !== undefined) {
    const name = `${sharePercent(regions.share)} regions`;
    words.push(regions.isMeaningless ? `${name} mean nothing here` : name);
  }
  if (map.columns > 3) words.push(`axes 1 and 2 of ${map.columns}`);
  return words.join(" · ");
}

/** What the answers leave open, with the objects by their names. */
export function warningsOn(subject: OrdinalSubject): string[] {
  const { unplaced, components } = subject.output.answers;
  const warnings: string[] = [];
  if (unplaced.length > 0) {
    const fromOne = !subject.hasNames && unplaced.length === 1 && unplaced[0] === 0;
    const hint = fromOne
      ? " If they are numbered from 1, let --objects names take the numbers as names."
      : "";
    warnings.push(
      `No answer mentions ${listed(unplacedNames(subject))}: ${unplaced.length === 1 ? "it has" : "they have"} no place in the map.${hint}`,
    );
  }
  if (components > 1) {
    warnings.push(
      `The answers fall into ${components} groups of objects that none connects: how these lie to each other is arbitrary. Ask questions across them.`,
    );
  }
  warnings.push(
    ...choiceWarnings(subject.output),
    ...featureWarnings(subject.output),
    ...regionWarnings(subject.output),
    ...peopleWarnings(subject),
  );
  const shown = [...subject.files, ...(subject.hasNames ? subject.called : [])];
  warnings.push(...glyphWarnings(subject.flags.plot, shown));
  return warnings;
}

const intervalOf = (
  estimate: { readonly interval: readonly [number, number]; readonly units: number } | undefined,
): string =>
  estimate === undefined || estimate.units < 2
    ? ""
    : ` (95 %: ${percent(estimate.interval[0])} to ${percent(estimate.interval[1])})`;

/** What the choice says of itself, where it is no plain one. */
const choiceWarnings = ({ choice }: OrdinalTaskOutput): string[] =>
  choice === undefined || choice.outcome === "inside" ? [] : [`--dim auto: ${inFlags(choice)}`];

function regionWarnings({ regions, map, metrics }: OrdinalTaskOutput): string[] {
  if (regions === undefined) return [];
  // Of a map that is no better than chance another warning says so.
  const areOfFew = regions.isMeaningless && metrics.chance?.isBetter !== false;
  return [
    ...(areOfFew ? ["The regions mean nothing: of so few people nothing says how people differ."] : []),
    ...(map.columns === 2
      ? []
      : [
          `Only maps of 2 dimensions have ellipses: the report has how far each place varies (regions.objects).`,
        ]),
  ];
}

/** A guess by the middle of the map would miss them by as much. */
const featureWarnings = ({ placed }: OrdinalTaskOutput): string[] =>
  placed === undefined || placed.leaveOneOutError < 0.9 * placed.spread
    ? []
    : ["The features say next to nothing of the places: where they place new objects means little."];

/** Whose own maps are hardly more than the common one. */
function peopleWarnings({ output, people }: OrdinalSubject): string[] {
  const { individuals } = output;
  if (individuals === undefined) return [];
  const few = individuals.maps.filter(({ isOfFew }) => isOfFew).map(({ person }) => people[person]);
  const alike = individuals.isBetter
    ? []
    : [
        "The common map predicts answers that were held out as well as maps of the participants' own: what these show may be chance.",
      ];
  if (few.length === 0) return alike;
  return [
    ...alike,
    `${listed(few)} gave fewer answers than a map has coordinates: what ${few.length === 1 ? "the map" : "their maps"} of --individual shows is mostly the common map.`,
  ];
}

export function summaryLines(subject: OrdinalSubject): string[] {
  const { flags, called, dropped, output } = subject;
  const { result, metrics, answers, map } = output;
  const lines = [
    `Ordinal embedding (${lossTitles[flags.loss]}) of ${count(called.length)} objects in ${map.columns === 1 ? "one dimension" : `${count(map.columns)} dimensions`}. ${printable(result.message)}`,
  ];
  const figure = (name: string, value: string): unknown => lines.push(`  ${name.padEnd(22)}${value}`);
  const { duplicates, contradictions, ties = 0 } = answers;
  const remarks = [
    ...(duplicates > 0 ? [`${count(duplicates)} repeated`] : []),
    ...(contradictions > 0 ? [`${count(contradictions)} questions answered both ways`] : []),
    ...(dropped > 0 ? [`${count(dropped)} lines dropped`] : []),
    ...(ties > 0 ? [`${count(ties)} ties left out`] : []),
  ];
  if (output.choice !== undefined) figure("dimensions", choiceWords(output.choice));
  figure("answers", count(answers.training) + (remarks.length > 0 ? ` (${remarks.join(", ")})` : ""));
  const ridge = metrics.ridge > 0 ? `, with the ridge ${shortNumber(metrics.ridge)}` : "";
  if (result.value !== undefined) figure("objective F", shortNumber(result.value) + ridge);
  figure("not met by the map", percent(metrics.trainingError));
  if (metrics.testError !== undefined)
    figure(
      "test error",
      `${percent(metrics.testError)} of ${count(answers.test)} answers${intervalOf(metrics.testEstimate?.trials)}`,
    );
  const people = metrics.testEstimate?.people;
  if (people !== undefined) figure("on new people", `${percent(people.error)}${intervalOf(people)}`);
  if (metrics.noise !== undefined) {
    const [from, to] = metrics.noise.leastError;
    figure(
      "least possible error",
      `${percent(from)} to ${percent(to)} on the ${count(metrics.noise.repeated)} questions that were repeated`,
    );
  }
  const { placed } = output;
  if (placed !== undefined)
    figure(
      "by their features",
      `${count(placed.rows.length)} objects; ${count(placed.learnedFrom)} others, left out in turn, are missed by ${shortNumber(placed.leaveOneOutError)} (they spread by ${shortNumber(placed.spread)})`,
    );
  const regions = regionWords(output);
  if (regions !== undefined) figure("regions", regions);
  const own = individualWords(output);
  if (own !== undefined) figure("individual maps", own);
  for (const [k, words] of peopleWords(subject).entries()) figure(k === 0 ? "participants" : "", words);
  figure(
    "work",
    `${count(result.iterations)} iterations, ${count(Math.round(result.passes))} passes, ${duration(result.elapsedSeconds)}`,
  );
  return lines;
}

/** The choice, and the error that speaks for it. */
function choiceWords({ dimensions, outcome, candidates, standardErrors }: DimensionChoice): string {
  const own = candidates.find((each) => each.dimensions === dimensions);
  const error = `error ${percent(own?.error ?? Number.NaN)} on answers held out`;
  const tried = listed(
    candidates.map((each) => String(each.dimensions)),
    candidates.length,
  );
  const least = candidates.reduce((best, each) => (each.error < best.error ? each : best));
  if (outcome === "chance")
    return `${dimensions}, of ${tried}; none is seen to predict new answers better than a coin`;
  if (outcome === "edge") return `${dimensions}, at the edge of what was tried (${tried}); ${error}`;
  const best =
    least.dimensions === dimensions
      ? "the least of all"
      : `within ${standardErrors.toFixed(1)} standard errors of ${least.dimensions} dimensions (${percent(least.error)})`;
  return `${dimensions}, of ${tried}; ${error}, ${best}`;
}

const unitNames = { question: "questions", trial: "trials", participant: "people" } as const;

function regionWords({ regions }: OrdinalTaskOutput): string | undefined {
  if (regions === undefined) return undefined;
  const { share, samples, resampled, isMeaningless, ellipses, spread } = regions;
  const drawn = `${count(samples)} samples of ${count(resampled.units)} ${unitNames[resampled.kind]}`;
  if (isMeaningless) return `mean nothing, see the warnings (${drawn})`;
  const sizes = ellipses === undefined ? spread : ellipses.filter((_, k) => k % 4 === 0);
  const known = sizes.filter(Number.isFinite).sort();
  if (known.length === 0) return `too few samples to say (${drawn})`;
  const median = shortNumber(known[known.length >> 1]);
  return ellipses === undefined
    ? `places vary by ${median} (median), by ${drawn}`
    : `${sharePercent(share)}, half as long as ${median} (median), by ${drawn}`;
}

function individualWords({ individuals }: OrdinalTaskOutput): string | undefined {
  if (individuals === undefined) return undefined;
  const [common] = individuals.tried;
  const best = individuals.tried.find(({ others }) => others === individuals.others);
  return `error ${percent(best?.error ?? Number.NaN)} on answers held out, that of the common map ${percent(common.error)}`;
}

/** Whom the map satisfies least. */
const worstShown = 3;

function peopleWords({ output, people: names }: OrdinalSubject): string[] {
  const { people } = output;
  if (people.length < 2) return [];
  const errorOf = ({ testError, trainingError }: PersonFigures): number => testError ?? trainingError ?? 0;
  const isTested = people.some(({ testError }) => testError !== undefined);
  const judged = people.filter(({ testError }) => !isTested || testError !== undefined);
  const byError = [...judged].sort((a, b) => errorOf(b) - errorOf(a));
  const worst = byError.slice(0, worstShown).map((each) => {
    const answers = isTested ? each.testAnswers : each.answers;
    return `${printable(names[each.person] ?? String(each.person))} ${percent(errorOf(each))} of ${count(answers)}`;
  });
  const of = isTested ? "test error" : "not met";
  const middle = errorOf(byError[byError.length >> 1]);
  return [
    `${count(people.length)}; ${of} ${percent(errorOf(byError[byError.length - 1]))} to ${percent(errorOf(byError[0]))}, median ${percent(middle)}`,
    `most: ${worst.join(", ")}`,
  ];
}

/** The error by the number of dimensions, and how far each is from the least. */
export function choiceChart(title: string, { output }: OrdinalSubject): ChartData {
  const { dimensions = 0, candidates = [], outcome = "inside", standardErrors = 1 } = output.choice ?? {};
  const line = (name: string, y: (candidate: DimensionCandidate) => number) => ({
    name,
    points: candidates.map((each) => ({ x: each.dimensions, y: y(each) })),
  });
  const band = (y: (candidate: DimensionCandidate) => readonly [number, number]) =>
    candidates.map((each) => {
      const [middle, error] = y(each);
      return { x: each.dimensions, low: middle - 2 * error, high: middle + 2 * error };
    });
  const [first, last] = [candidates[0]?.dimensions ?? 0, candidates[candidates.length - 1]?.dimensions ?? 1];
  const zero = { name: "", points: [first, last].map((x) => ({ x, y: 0 })), isReference: true };
  const found = {
    inside: `${dimensions} ${dimensions === 1 ? "is" : "are"} the fewest within ${standardErrors.toFixed(1)} standard errors of the least`,
    edge: `${dimensions}, at the edge of what was tried`,
    chance: "none is seen to predict new answers better than a coin",
  }[outcome];
  const inPercent = (value: number): number => 100 * value;
  return {
    title,
    subtitle: [found, "bands: two standard errors"].join(" · "),
    xTitle: "dimensions",
    panels: [
      {
        title: "Error on answers held out, in %",
        lines: [line("error", ({ error }) => inPercent(error))],
        band: band(({ error, standardError }) => [inPercent(error), inPercent(standardError)]),
      },
      {
        title: "More than the least, on the same answers, in %",
        lines: [line("excess", ({ excess }) => inPercent(excess)), zero],
        band: band(({ excess, excessError }) => [inPercent(excess), inPercent(excessError)]),
      },
    ],
  };
}

/** Of a report: the regions by object, and the accuracy by person. */
function regionRecord({ called, output: { regions } }: OrdinalSubject): object | undefined {
  if (regions === undefined) return undefined;
  const { ellipses, spread, ...others } = regions;
  const objects = called.map((object, n) => {
    if (ellipses === undefined) return { object, spread: spread[n] };
    const [major, minor, ...direction] = ellipses.subarray(4 * n, 4 * n + 4);
    return { object, spread: spread[n], major, minor, direction };
  });
  return { ...others, objects };
}

function placedRecord({ rows, learnedFrom, leaveOneOutError, spread }: PlacedByFeatures): object {
  return { objects: rows.length, learnedFrom, leaveOneOutError, spread };
}

export interface OrdinalReport extends Report {
  readonly choice?: OrdinalTaskOutput["choice"];
  readonly regions?: object | undefined;
  readonly placed?: object;
  readonly participants?: readonly object[];
  readonly individuals?: object;
}

export function ordinalReport(subject: OrdinalSubject, warnings: readonly string[]): OrdinalReport {
  const { flags, files, called, hasNames, dropped, reading, kind, people, output } = subject;
  const { training, test, duplicates, contradictions, ties, components } = output.answers;
  const { usable: _, ...result } = output.result;
  const { initialization, names, test: tested } = flags;
  const options = { ...output.options, ...statedAnswers(flags), initialization, names, test: tested };
  return {
    command: "ordinal",
    version: programVersion(),
    input: {
      ...(files.length === 1 ? { file: files[0] } : { files }),
      kind,
      objects: called.length,
      named: hasNames,
      answers: training,
      testAnswers: test,
      duplicates,
      contradictions,
      dropped,
      ties: ties ?? reading?.["ties"],
      ...(reading === undefined ? {} : { reading }),
      components,
      unmentioned: unplacedNames(subject),
    },
    options: kind === "answers" ? options : { ...options, answers: flags.answers },
    result,
    metrics: { ...output.metrics },
    ...(output.choice === undefined ? {} : { choice: output.choice }),
    ...(output.regions === undefined ? {} : { regions: regionRecord(subject) }),
    ...(output.placed === undefined ? {} : { placed: placedRecord(output.placed) }),
    ...(output.people.length === 0
      ? {}
      : {
          participants: output.people.map(({ person, ...figures }) => ({
            participant: people[person],
            ...figures,
          })),
        }),
    ...(output.individuals === undefined
      ? {}
      : {
          individuals: {
            ...output.individuals,
            maps: output.individuals.maps.map(({ person, map: _map, ...figures }) => ({
              participant: people[person],
              ...figures,
            })),
          },
        }),
    phases: output.phases,
    warnings,
  };
}

/** How the answers were read: what differs from the defaults, and the two that always matter. */
function statedAnswers(flags: OrdinalFlags): Readonly<Record<string, unknown>> {
  const { objects, degenerate, ...others } = answerFlags.options(flags);
  const defaults: Readonly<Record<string, unknown>> = comparisonsOptions.defaults;
  const differing = Object.entries(others).filter(
    ([name, value]) => value !== defaults[name] && !(Array.isArray(value) && value.length === 0),
  );
  return { objects, degenerate, ...Object.fromEntries(differing) };
}

/** As it was given. */
const sharePercent = (share: number): string => `${Number((100 * share).toPrecision(6))} %`;
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
