/**
 * What `curvature ordinal` says of its result: under the plot's title, on the terminal, in the report.
 */

import { comparisonsOptions } from "@curvature/datasets";
import { glyphWarnings } from "../plot/glyphs.js";
import { listed } from "../read/object-names.js";
import { count, duration, printable, shortNumber } from "../run/terminal.js";
import type { OrdinalTaskOutput } from "../tasks/ordinal.js";
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

export function summaryLines({ flags, called, dropped, output }: OrdinalSubject): string[] {
  const { result, metrics, answers } = output;
  const lines = [
    `Ordinal embedding (${lossTitles[flags.loss]}) of ${count(called.length)} objects in ${count(flags.dimensions)} dimensions. ${printable(result.message)}`,
  ];
  const figure = (name: string, value: string): unknown => lines.push(`  ${name.padEnd(22)}${value}`);
  const { duplicates, contradictions, ties = 0 } = answers;
  const remarks = [
    ...(duplicates > 0 ? [`${count(duplicates)} repeated`] : []),
    ...(contradictions > 0 ? [`${count(contradictions)} questions answered both ways`] : []),
    ...(dropped > 0 ? [`${count(dropped)} lines dropped`] : []),
    ...(ties > 0 ? [`${count(ties)} ties left out`] : []),
  ];
  figure("answers", count(answers.training) + (remarks.length > 0 ? ` (${remarks.join(", ")})` : ""));
  if (result.value !== undefined) figure("objective F", shortNumber(result.value));
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
  figure(
    "work",
    `${count(result.iterations)} iterations, ${count(Math.round(result.passes))} passes, ${duration(result.elapsedSeconds)}`,
  );
  return lines;
}

export function ordinalReport(subject: OrdinalSubject, warnings: readonly string[]): Report {
  const { flags, files, called, hasNames, dropped, reading, kind, output } = subject;
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
      ties,
      ...(reading === undefined ? {} : { reading }),
      components,
      unmentioned: unplacedNames(subject),
    },
    options: kind === "answers" ? options : { ...options, answers: flags.answers },
    result,
    metrics: { ...output.metrics },
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

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
