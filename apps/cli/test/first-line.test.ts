// @module-tag full
/** A first line of numbers that may be meant as names. */
import { describe, expect, test } from "vitest";
import { workplace } from "./cli.js";

const place = workplace();

const rows = Array.from({ length: 30 }, (_, i) => `${(i * 7) % 11}.5,${(i * 5) % 13}.25,${i % 2}\n`).join("");

describe.concurrent("a first line that may be names is asked for", () => {
  test.each([
    ["embed", "1,2,3\n", []],
    ["embed", "2022,2021,2020\n", []],
    ["embed", "2019,2020,0\n", ["--labels", "2"]],
    ["embed", "10,20,30\n", ["--labels", "1"]],
    ["embed", "1,2,3\n", ["--pca", "2"]],
    ["train", "0,1,2\n", ["--labels", "2"]],
    ["train", "kind,2019,2020\n", ["--labels", "0"]],
    ["disentangle", "1,2,3\n", ["-k", "2"]],
    ["fit", "0,1,2\n", ["--objective", "logistic", "--labels", "2"]],
  ] as const)("%s: %s", async (command, line, words) => {
    const turned = line.startsWith("kind") ? rows.replaceAll(/^(.*),(.*),(.*)$/gm, "$3,$1,$2") : rows;
    const file = place().write(`${command}-${line.trim()}-${words.length}.csv`, line + turned);
    const asked = await place().run([command, file, ...words, "--quiet"]);
    expect(asked).toMatchObject({ code: 65, stdout: "" });
    expect(asked.stderr).toMatch(
      /Line 1 may hold the columns' names or a row .* Say --header yes or --header no\./,
    );
    for (const header of ["yes", "no"]) {
      const ended = await place().run([
        command,
        file,
        ...words,
        "--quiet",
        "--header",
        header,
        "--report",
        "-",
      ]);
      if (header === "no" && (line.startsWith("kind") || command === "fit")) continue; // one class more
      expect(JSON.parse(ended.stdout).input.rows).toBe(header === "yes" ? 30 : 31);
    }
  });
});

describe.concurrent("no question", () => {
  test.each([
    ["of names", `a,b,c\n${rows}`, 30],
    ["of a row like the others", "1,2,3\n2,3,4\n5,9,1\n0,4,2\n7,7,1\n", 5],
    ["of numbers that do not count", `1,2,0\n${rows}`, 31],
    ["of two columns, as time and value are", "0,1\n0.5,2\n1.5,7\n2,4\n", 4],
    ["of years over a whole table", `2000,2001,2002,2003\n${rows.replaceAll("\n", ",7.5\n")}`, 30],
  ])("%s", async (name, text, count) => {
    const file = place().write(`${name.slice(-9)}.csv`, text);
    const ended = await place().run(["embed", file, "--perplexity", "1.5", "--quiet", "--report", "-"]);
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.stdout).input.rows).toBe(count);
  });
});
