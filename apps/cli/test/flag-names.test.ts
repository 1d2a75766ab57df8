/** What the packages say of their options, in the words of the command that runs. */
import { badOption, CurvatureError, optionName, warning } from "@curvature/linalg";
import { Command } from "commander";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addDisentangleOptions } from "../src/commands/disentangle-flags.js";
import { addEmbedOptions } from "../src/commands/embed-flags.js";
import { addTrainOptions } from "../src/commands/train-flags.js";
import { callOptionsAs, flagNames, inFlags, outcomeInFlags } from "../src/run/flag-names.js";

beforeEach(() => callOptionsAs(flagNames(addEmbedOptions(new Command()))));
afterEach(() => callOptionsAs({}));

test.each([
  [`Lower ${optionName("dimensions")}.`, "Lower --dim."],
  [
    `Ask for the exact one (${optionName("neighborSearch", "exact")}).`,
    "Ask for the exact one (--neighbor-search exact).",
  ],
  [`Take ${optionName("initialization", "random")}.`, "Take --init random."],
  [`Raise ${optionName("validation")}.`, "Raise validation."],
  [`Give ${optionName("degenerate", "drop")}.`, 'Give degenerate: "drop".'],
  ["maxIterations is a column of points (pca).csv.", "maxIterations is a column of points (pca).csv."],
])("%s", (sentence, ours) => {
  expect(inFlags(warning("code", sentence))).toBe(ours);
});

test("an error begins with its option, or with its sentence, and not with the name of a function", () => {
  expect(inFlags(badOption("embed", "maxSeconds", "a number", "x"))).toBe(
    '--max-seconds must be a number; received "x".',
  );
  const details = { where: "Admm", path: "points" };
  expect(inFlags(new CurvatureError("ERR_MEMORY", "the ADMM takes 3 GiB.", details))).toBe(
    "The ADMM takes 3 GiB.",
  );
  expect(inFlags(new CurvatureError("ERR_PARSE", "points.csv: Line 3 is short."))).toBe(
    "points.csv: Line 3 is short.",
  );
});

test("a flag that says no stands for false", () => {
  callOptionsAs(flagNames(addDisentangleOptions(new Command())));
  const sentence = `${optionName("certify", "true")} asks for one, ${optionName("certify", "false")} for none.`;
  expect(inFlags(warning("code", sentence))).toBe("--certify asks for one, --no-certify for none.");
});

test("what nobody calls from a command line has another word, but in what a user has named", () => {
  const ours = `Test the gradients by ${optionName("checkGradient")}, or take ${optionName("LinearRegressor")}.`;
  expect(inFlags(warning("code", ours))).toBe(
    "Test the gradients by differences of the values, or take --loss squared-error.",
  );
  callOptionsAs(flagNames(addTrainOptions(new Command())));
  expect(inFlags(warning("code", `The mean of ${optionName("sampleWeights")} is 0.`))).toBe(
    "The mean of --weights is 0.",
  );
  const theirs = '"checkGradient" is a column of valueNoise.csv.';
  expect(inFlags(warning("code", theirs))).toBe(theirs);
  expect(outcomeInFlags("Its gradient is wrong: test it by checkGradient.")).not.toContain("checkGradient");
});

test("values have the words of the command line", () => {
  callOptionsAs(flagNames(addTrainOptions(new Command())));
  expect(inFlags(warning("code", `Scale them (${optionName("scale", "max-abs")}).`))).toBe(
    "Scale them (--scale max).",
  );
});
