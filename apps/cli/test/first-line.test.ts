// @module-tag full
/** A first line of numbers that may be meant as names. */
import { describe, expect, test } from "vitest";
import { eventsOf, workplace } from "./cli.js";

const place = workplace();

const rows = Array.from({ length: 30 }, (_, i) => `${(i * 7) % 11}.5,${(i * 5) % 13}.25,${i % 2}\n`).join("");
const warningsIn = (log: string): unknown[] =>
  eventsOf(log).flatMap(({ event, message }) => (event === "warning" ? [message] : []));
const doubt = /first line \(.*\) looks like the names of the columns, but is taken as data.*write words/;

describe.concurrent("a first line that counts is doubted", () => {
  test.each([
    ["embed", "1,2,3\n", []],
    ["embed", "2022,2021,2020\n", []],
    ["embed", "2010,2015,2018\n", []],
    ["embed", "2019,2020,0\n", ["--labels", "2"]],
    ["embed", "2019,2020,2021\n", ["--labels", "2"]],
    ["embed", "10,20,30\n", ["--labels", "1"]],
    ["embed", "1,2,3\n", ["--pca", "2"]],
    ["train", "0,1,2\n", ["--labels", "2"]],
    ["train", "kind,2019,2020\n", ["--labels", "0"]],
    ["disentangle", "1,2,3\n", ["-k", "2"]],
    ["fit", "0,1,2\n", ["--objective", "logistic", "--labels", "0"]],
  ] as const)("%s: %s", async (command, line, words) => {
    const name = `${command}-${line.trim()}-${words.length}.csv`;
    const turned = line.startsWith("kind") || command === "fit";
    const lines = turned ? rows.replaceAll(/^(.*),(.*),(.*)$/gm, "$3,$1,$2") : rows;
    const file = place().write(name, line + lines);
    const ended = await place().run([command, file, ...words, "--report", `${name}.json`]);
    expect(warningsIn(ended.stderr)).toContainEqual(expect.stringMatching(doubt));
    expect(JSON.parse(place().read(`${name}.json`)).warnings).toContainEqual(expect.stringMatching(doubt));
  });
});

describe.concurrent("nothing is said", () => {
  test.each([
    ["of names", `a,b,c\n${rows}`],
    ["of a row like the others", "1,2,3\n2,3,4\n5,9,1\n0,4,2\n7,7,1\n"],
    ["of numbers that do not count", `1,2,4\n${rows}`],
    ["of two columns, as time and value are", "0,1\n0.5,2\n1.5,7\n2,4\n"],
  ])("%s", async (name, text) => {
    const file = place().write(`${name.slice(-9)}.csv`, text);
    const ended = await place().run(["embed", file, "--perplexity", "1.5"]);
    expect(warningsIn(ended.stderr).filter((message) => doubt.test(String(message)))).toEqual([]);
    expect(ended.code).toBe(0);
  });
});

test("names of which some are numbers: the cell that is none is refused, and what to call them is said", async () => {
  const file = place().write("half.csv", `kind,2019,2020\n${rows}`);
  const ended = await place().run(["embed", file, "--quiet"]);
  expect(ended.code).toBe(65);
  expect(ended.stderr).toMatch(
    /line 1, column 1 is "kind", .* If the first line names the columns, none of them/,
  );
});
