/** What the packages say of their options, in the words of the command line. */
import { Command } from "commander";
import { expect, test } from "vitest";
import { addDisentangleOptions } from "../src/commands/disentangle-flags.js";
import { addEmbedOptions } from "../src/commands/embed-flags.js";
import { addFitOptions } from "../src/commands/fit-flags.js";
import { addOrdinalOptions } from "../src/commands/ordinal-flags.js";
import { addTrainOptions } from "../src/commands/train-flags.js";
import { flags, inOwnWords } from "../src/own-words.js";

test.each([
  ['Scale them (scale: "max-abs") unless that is meant.', "Scale them (--scale max) unless that is meant."],
  ['scale: "none" leaves them as they are.', "--scale none leaves them as they are."],
  [
    'Have them left out: degenerate "drop" (on the command line --degenerate drop).',
    "Have them left out: --degenerate drop.",
  ],
  ['Remove them, or set degenerate to "drop" or "keep".', "Remove them, or give --degenerate drop or keep."],
  ["If it is a name, let the option objects say so.", "If it is a name, let --objects say so."],
  ["Name all classes beforehand by the option classes.", "Name all classes beforehand with --classes."],
  ["Raise perplexity or neighbors to connect them.", "Raise --perplexity or --neighbors to connect them."],
  ["embed: 5 points take 3 GiB. Lower dimensions.", "5 points take 3 GiB. Lower --dim."],
  [
    'Ask for the exact one (neighborSearch "exact"), or for fewer dimensions (pca).',
    "Ask for the exact one (--neighbor-search exact), or for fewer dimensions (--pca).",
  ],
  ["certify: true asks for one, certify: false for none.", "--certify asks for one, --no-certify for none."],
  ["Raise memoryLimit, or options.maxIterations.", "Raise --memory-limit, or --max-iterations."],
  ["gramOfPoints: the points are equal.", "--input points: the points are equal."],
])("%s", (theirs, ours) => {
  expect(inOwnWords(theirs)).toBe(ours);
  expect(inOwnWords(ours)).toBe(ours);
});

test.each([
  'The column "maxIterations" lacks in data/maxSeconds.csv and maxPasses-2.csv.',
  "3 neighbours of a point; the tolerance is 0.1, the value is a lower bound.",
  'The snapshot was written by the solver "sgd".',
])("leaves alone what names no option: %s", (sentence) => {
  expect(inOwnWords(sentence)).toBe(sentence);
});

test.each([
  [{ place: "maxIterations" }, 'maxIterations: The cell at line 3, column 2 ("b") is "x".'],
  [{ place: "my maxPasses file.csv" }, "my maxPasses file.csv: Line 3 is short."],
  [{ place: "points (pca).csv" }, "points (pca).csv: Line 3 is short."],
  [{ place: "q.csv" }, 'q.csv: column 2 ("my maxIterations max") is "the option loss is", "scale: true".'],
  [{ place: "-" }, '-: The cell at line 1, column 3 is "-x-2", a half-known "max -1e-3".'],
  [{ place: "e" }, 'e: The cell at line 1, column 3 is "e", "ee e" or "1e5".'],
])("what is the user's comes back letter for letter: %j", (subject, sentence) => {
  expect(inOwnWords(sentence, subject)).toBe(sentence);
});

test("every flag is one that a command has", () => {
  const known = new Set(
    [addDisentangleOptions, addEmbedOptions, addFitOptions, addOrdinalOptions, addTrainOptions].flatMap(
      (add) => add(new Command()).options.map(({ long }) => long?.replace("--no-", "--")),
    ),
  );
  expect(Object.values(flags).filter((flag) => !known.has(flag))).toEqual([]);
});
