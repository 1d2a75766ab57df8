/**
 * What packages say, in the words of the command that this thread runs: they mark the options in their sentences, and who types
 * commands knows flags. maxIterations is --max-iterations here, and certify: false is --no-certify.
 */
import { withOptionNames } from "@curvature/linalg";
import type { Command } from "commander";
import { methods } from "../tasks/scaling.js";

/** The flags of a command by the names of the options that they stand for; in front of those that say no an exclamation mark. */
export type FlagNames = Readonly<Record<string, string>>;

export const flagNames = ({ options }: Command): FlagNames =>
  Object.fromEntries(
    options.map((flag) => [`${flag.negate ? "!" : ""}${flag.attributeName()}`, flag.long ?? ""]),
  );

let names: FlagNames = {};

/** The command that this thread runs from now on. */
export function callOptionsAs(flags: FlagNames): void {
  names = flags;
}

export const currentFlagNames = (): FlagNames => names;

/** Errors, warnings and results of the packages. */
interface Said {
  readonly message: string;
  /** With its options marked. */
  readonly sentence?: string;
}

/** As a sentence begins: an error's has no name of a function in front here. */
export function inFlags({ message, sentence = message }: Said): string {
  if (sentence === message) return message;
  return withOptionNames(`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`, flagOf);
}

/** Options that have another name here. */
const ours: Readonly<Record<string, string>> = {
  sampleWeights: "weights",
  mustLink: "links",
  cannotLink: "links",
  groups: "trial",
};

/** What packages name that nobody calls from a command line. */
const words: Readonly<Record<string, string>> = {
  LinearRegressor: "--loss squared-error",
  checkGradient: "differences of the values",
  valueNoise: "--tolerance",
  "a smaller initialStep, and write every entry of the gradient": "a smaller initialStep",
  "a larger epsilon or smaller initialStep": "a larger --epsilon or a smaller initialStep",
  "a larger initialHessian": "another --initial point",
  "maxSeconds, or a tolerance": "--max-seconds, or a --tolerance",
};
const named = new RegExp(`\\b(${Object.keys(words).join("|")})\\b`, "g");

/** How a solver has ended by itself, in words of the command line. */
export const outcomeInFlags = (message: string): string =>
  message
    .replace(named, (name) => words[name] ?? name)
    .replace(/\binitialStep\b/, (step) => names[step] ?? "step");

function flagOf(given: string, value: string | undefined): string | undefined {
  if (Object.hasOwn(words, given)) return words[given];
  const option = ours[given] ?? given;
  if (value === "false") return names[`!${option}`];
  const flag = names[option];
  if (flag === undefined || value === undefined || value === "true") return flag;
  const [word = value] = Object.entries(methods).find(([, method]) => method === value) ?? [];
  return `${flag} ${word}`;
}
