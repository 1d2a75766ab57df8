/** `curvature questions` as a process. */
import { describe, expect, test } from "vitest";
import { isOneSentence, workplace } from "./cli.js";
import { answers, answersCsv, names, rowsOf } from "./eurodist.js";

const place = workplace();

describe.concurrent("questions", () => {
  test("before the first answer: drawn at random among the names", async () => {
    place().write("cities.txt", `${names.join("\n")}\n`);
    const ended = await place().run(["questions", "--names", "cities.txt", "--count", "30", "--quiet"]);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    const { header, rows } = rowsOf(ended.stdout);
    expect(header).toBe("i,j,k,gain,probability");
    expect(rows).toHaveLength(30);
    for (const [i, j, k, gain] of rows) {
      expect(new Set([i, j, k]).size).toBe(3);
      expect(names).toEqual(expect.arrayContaining([i, j, k]));
      expect(gain).toBe("");
    }
    const again = await place().run(["questions", "--names", "cities.txt", "--count", "30", "--quiet"]);
    expect(again.stdout).toBe(ended.stdout);
    const other = await place().run([
      "questions",
      "--names",
      "cities.txt",
      "--count",
      "30",
      "--seed",
      "1",
      "--quiet",
    ]);
    expect(other.stdout).not.toBe(ended.stdout);
  });

  test("after a map: by the information they give, none that was answered", async () => {
    const asked = answers(20);
    place().write("answers.csv", answersCsv(asked));
    const map = await place().run(["ordinal", "answers.csv", "--out", "map.csv", "--quiet"]);
    expect([0, 2]).toContain(map.code);
    const words = ["questions", "--map", "map.csv", "--answers", "answers.csv", "--count", "20"];
    const ended = await place().run([...words, "--out", "next.csv"]);
    expect(ended).toMatchObject({ code: 0, stdout: "" });
    const { rows } = rowsOf(place().read("next.csv"));
    expect(rows).toHaveLength(20);
    const known = new Set(asked.map(([i, j, k]) => [names[i], ...[names[j], names[k]].sort()].join()));
    for (const [i, j, k, gain, probability] of rows) {
      expect(known.has([i, ...[j, k].sort()].join())).toBe(false);
      expect(Number(gain)).toBeGreaterThanOrEqual(0);
      expect(Number(gain)).toBeLessThanOrEqual(1);
      expect(Number(probability)).toBeGreaterThanOrEqual(0);
      expect(Number(probability)).toBeLessThanOrEqual(1);
    }
  });

  test("what comes out is a file of answers, once the nearer one is j", { tags: ["full"] }, async () => {
    place().write("few.csv", answersCsv(answers(40)));
    await place().run(["questions", "--answers", "few.csv", "--count", "20", "--out", "asked.csv"]);
    const ended = await place().run(["ordinal", "asked.csv", "--quiet"]);
    expect([0, 2]).toContain(ended.code);
  });

  test("objects called by their numbers", { tags: ["full"] }, async () => {
    const ended = await place().run(["questions", "--answers", "-", "--count", "5", "--quiet"], {
      stdin: answersCsv(answers(10), false),
    });
    expect(ended.code).toBe(0);
    for (const [i, j, k] of rowsOf(ended.stdout).rows)
      for (const cell of [i, j, k]) expect(Number(cell)).toBeLessThan(21);
  });

  test("when all have been asked, fewer, with a warning", { tags: ["full"] }, async () => {
    place().write("abc.csv", "i,j,k\na,b,c\nb,c,a\n");
    const ended = await place().run(["questions", "--answers", "abc.csv", "--count", "9"]);
    expect(rowsOf(ended.stdout).rows).toEqual([["c", expect.anything(), expect.anything(), "", ""]]);
    expect(ended.stderr).toContain("There is only 1 question that was not");
    expect(ended.code).toBe(0);
  });

  test.each<[string, string, RegExp]>([
    ["no-map", "", /no-map\.csv holds no map/],
    ["no-header", "a,1,2\nb,3,4\n", /line 1 is no header/],
    ["twice", "object,x,y\na,1,2\na,3,4\n", /line 3 is the second one of "a"/],
    ["text", "object,x,y\na,1,2\nb,3,z\n", /line 3 has "z" in place of a number/],
    ["short", "object,x,y\na,1,2\nb,3\n", /line 3 has 2 cells, the header has 3/],
  ])("a map that is none: %s", async (name, content, sentence) => {
    place().write(`${name}.csv`, content);
    const ended = await place().run(["questions", "--map", `${name}.csv`, "--out", `${name}-out.csv`]);
    expect(ended.stderr).toMatch(sentence);
    expect(isOneSentence(ended.stderr), ended.stderr).toBe(true);
    expect(ended.code).toBe(65);
    expect(place().has(`${name}-out.csv`)).toBe(false);
  });

  test("answers about objects that are not on the map", async () => {
    place().write("small.csv", "object,x,y\na,1,2\nb,3,1\nc,0,0\n");
    place().write("foreign.csv", "a,b,d\n");
    const ended = await place().run(["questions", "--map", "small.csv", "--answers", "foreign.csv"]);
    expect(ended.stderr).toMatch(/"d", which is none of the 3 objects/);
    expect(ended.code).toBe(65);
  });
});
