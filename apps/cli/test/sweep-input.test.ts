/** What `curvature sweep` refuses, before anything is written. */
import { existsSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { groupsCsv, isOneSentence, workplace } from "./cli.js";
import type { Ended } from "./resident.js";

const place = workplace();

type Case = readonly [string, readonly string[], number, string];
const ofEmbed = (words: readonly string[], sentence: string): Case => [
  words.join(" "),
  ["sweep", "embed", "refused.csv", ...words, "--out", "refused"],
  64,
  sentence,
];
const cases: readonly Case[] = [
  ofEmbed(["--grid", "perplexity=5,x"], "perplexity"),
  ofEmbed(["--grid", "perplexty=5"], "Did you mean perplexity?"),
  ofEmbed(["--grid", "perplexity"], "it must be name=a,b,c"),
  ofEmbed(["--grid", "perplexity=5,,6"], "one of its values is empty"),
  ofEmbed(["--grid", "perplexity=5,5"], "it has 5 twice"),
  ofEmbed(["--grid", "perplexity=5,10,5.0"], "it has 5.0 twice"),
  ofEmbed(["--grid", "perplexity=5", "--grid", "perplexity=6"], "names perplexity twice"),
  ofEmbed(["--grid", "perplexity=5", "--perplexity", "6"], "--grid varies it"),
  ofEmbed(["--grid", "homotopy=yes"], "its values are true and false"),
  ofEmbed(["--grid", "out=a,b"], "a run has no option of this name"),
  ofEmbed(["--grid", "seed=1,2"], "a run has no option of this name"),
  ofEmbed(["--method", "nonsense"], "It must be one of"),
  ofEmbed(["--compare-by", "beauty"], "It must be one of"),
  ofEmbed(["--restarts", "0"], "a whole number from 1"),
  ofEmbed(["--plot", "x.svg"], "--plot"),
  ofEmbed(["--name", "x"], "--name is for a sweep with --redis"),
  ofEmbed(["--redis", "nowhere"], "The address of Redis must be"),
  ofEmbed(["--labels", "-"], "Standard input"),
  ofEmbed(["--concurrency", "0"], "a whole number from 1"),
  ofEmbed(["--data", "."], "--data is for a sweep with --redis"),
  ["no file", ["sweep", "embed", "none.csv", "--out", "o"], 74, "none.csv"],
  ["no folder for the results", ["sweep", "embed", "refused.csv"], 64, "--out"],
  ["standard input", ["sweep", "embed", "-", "--out", "o"], 64, "Standard input"],
  ["a module", ["sweep", "fit", "x.csv", "--module", "m.mjs", "--out", "o"], 64, "--module"],
  ["an unknown command", ["sweep", "embde", "x.csv"], 64, "embed"],
  [
    "a command that cannot be swept",
    ["sweep", "predict", "x.csv", "--out", "o"],
    64,
    "See npx @curvature/cli sweep --help.",
  ],
];
let ends: readonly Ended[] = [];
beforeAll(async () => {
  place().write("refused.csv", groupsCsv(12));
  ends = await Promise.all(cases.map(([, words]) => place().run(words)));
});

test.each(cases.map((one, k) => [k, ...one] as const))("%i: %s", (k, _name, _words, code, part) => {
  expect(ends).toHaveLength(cases.length);
  expect(ends[k]).toMatchObject({ code, stdout: "" });
  expect(ends[k].stderr).toContain(part);
  expect(isOneSentence(ends[k].stderr)).toBe(true);
});

test("nothing has been written", () => {
  expect(existsSync(place().path("refused/runs"))).toBe(false);
  expect(existsSync(place().path("o/runs"))).toBe(false);
});
