/**
 * The packages speak of their options by the names in their API; who types commands knows flags: maxIterations is
 * --max-iterations here, and degenerate "drop" is --degenerate drop. Every sentence of theirs passes here once before it is shown;
 * one that names no option stays as it is, and so does what is the user's: quoted text, and the place that an error names.
 */

/** Options by their names in the packages. */
export const flags: Readonly<Record<string, string>> = {
  bias: "--bias",
  certify: "--certify",
  classes: "--classes",
  classWeights: "--class-weight",
  clusters: "--clusters",
  degenerate: "--degenerate",
  dimensions: "--dim",
  gradient: "--gradient",
  homotopy: "--homotopy",
  ignore: "--ignore",
  indexBase: "--index-base",
  initialization: "--init",
  input: "--input",
  kappa: "--kappa",
  labels: "--labels",
  lambda: "--lambda",
  layers: "--layers",
  loss: "--loss",
  lossWidth: "--loss-width",
  maxEvaluations: "--max-evaluations",
  maxIterations: "--max-iterations",
  maxPasses: "--max-passes",
  maxSeconds: "--max-seconds",
  memoryLimit: "--memory-limit",
  method: "--method",
  neighbors: "--neighbors",
  neighborSearch: "--neighbor-search",
  objects: "--objects",
  pca: "--pca",
  perplexity: "--perplexity",
  probabilities: "--probabilities",
  repulsion: "--repulsion",
  restarts: "--restarts",
  ridge: "--ridge",
  scale: "--scale",
  seed: "--seed",
  shuffle: "--shuffle",
  solver: "--solver",
  t0: "--t0",
  theta: "--theta",
  threads: "--threads",
  tolerance: "--tolerance",
};

/** Values that are called otherwise here. */
const values: Readonly<Record<string, string>> = { "max-abs": "max", "unit-rows": "unit" };

/** Functions that a sentence may begin with: whose argument is the user's file here, or nothing that he knows of. */
const functions: readonly (readonly [RegExp, string])[] = [
  [/^gramOfPoints: /, "--input points: "],
  [/^gramOfMatrix: /, "--input gram: "],
  [/^gramOfDistances: /, "--input distances: "],
  [/^(embed|nomad|ordinalEmbedding|minimizeSum|Linear(Classifier|Regressor)(\.\w+)?): /, ""],
];

const any = Object.keys(flags).join("|");
/** Names that are no words of English: options wherever they stand. */
const unmistakable = Object.keys(flags)
  .filter((name) => /[A-Z]/.test(name))
  .join("|");
const withValue = (name: string, value: string): string => `${flags[name]} ${values[value] ?? value}`;

type Rule = readonly [RegExp, (...parts: string[]) => string];

/** In their order: what stands in one place may be a part of another. */
const rules: readonly Rule[] = [
  [/\w+ "[\w-]+" \(on the command line (--[^)]*)\)/g, (_, ours) => ours],
  [
    new RegExp(`\\bset (${any}) to "([\\w-]+)" or "([\\w-]+)"`, "g"),
    (_, name, one, other) => `give ${withValue(name, one)} or ${other}`,
  ],
  [new RegExp(`\\bby the option (${any})\\b`, "g"), (_, name) => `with ${flags[name]}`],
  [new RegExp(`\\b(?:the )?option (${any})\\b`, "g"), (_, name) => flags[name]],
  [new RegExp(`\\b(${any}): true\\b`, "g"), (_, name) => flags[name]],
  [new RegExp(`\\b(${any}): false\\b`, "g"), (_, name) => flags[name].replace("--", "--no-")],
  [new RegExp(`(?<!\\bthe )\\b(${any}):? "([\\w-]+)"`, "g"), (_, name, value) => withValue(name, value)],
  [
    new RegExp(`\\b(Raise|Lower) (${any})(?: or (${any}))?\\b`, "g"),
    (_, verb, one, other) =>
      [`${verb} ${flags[one]}`, ...(other === undefined ? [] : [flags[other]])].join(" or "),
  ],
  [new RegExp(`\\boptions\\.(${any})\\b`, "g"), (_, name) => flags[name]],
  [new RegExp(`(?<![\\w."'/\\\\-])(${unmistakable})(?![\\w"'/-]|\\.\\w)`, "g"), (_, name) => flags[name]],
  [/\(pca\)/g, () => "(--pca)"],
  [/\bTake the file as saveModel wrote it\./g, () => "Take one that curvature train wrote with --model."],
];

/** What an error is about: an option, with whose name the sentence may begin, or a place, as a file. */
export type Subject = { readonly option: string } | { readonly place: string };

export function inOwnWords(sentence: string, subject?: Subject): string {
  const kept: string[] = [];
  const keep = (text: string): string => `${mark}${kept.push(text) - 1}${mark}`;
  const unplaced =
    subject !== undefined && "place" in subject ? sentence.replace(wordOf(subject.place), keep) : sentence;
  const masked = unplaced.replace(/"[^"]*"/g, (text) => (/^"[\w-]*"$/.test(text) ? text : keep(text)));
  const begun = functions.reduce((words, [name, ours]) => words.replace(name, ours), masked);
  const named =
    subject !== undefined && "option" in subject && /^[a-z]+$/i.test(subject.option)
      ? begun.replace(new RegExp(`^(\\w+: )?${subject.option}\\b`), flagOf(subject.option))
      : begun;
  const ours = rules.reduce((words, [pattern, replaced]) => words.replace(pattern, replaced), named);
  const restored = (text: string): string => text.replace(marked, (_, k) => restored(kept[Number(k)]));
  return restored(ours);
}

/** A place where it stands by itself: a file may be called -, or e. */
const wordOf = (place: string): RegExp =>
  new RegExp(`(?<![\\w-])${place.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")}(?![\\w-])`, "g");

/** Stands around the number of what is kept; no text has it. */
const mark = "\uE000";
const marked = new RegExp(`${mark}(\\d+)${mark}`, "g");

const flagOf = (name: string): string =>
  flags[name] ?? `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
