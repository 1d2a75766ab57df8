/** `curvature ordinal` as a process: the maps of Europe that it writes. */
import { gzipSync } from "node:zlib";
import { procrustes } from "@curvature/optim-svrg";
import { describe, expect, test } from "vitest";
import { workplace } from "./cli.js";
import { answers, answersCsv, distancesCsv, names, positions, rowsOf } from "./eurodist.js";
import { errorOf, placesOf } from "./eurodist-map.js";

const place = workplace();

let fourth: Promise<string> | undefined;

/** The map of every fourth answer, by default; made once. */
function plainMap(): Promise<string> {
  fourth ??= place()
    .run(["ordinal", place().write("fourth.csv", answersCsv(answers(4))), "--quiet"])
    .then(({ stdout }) => stdout);
  return fourth;
}

describe.concurrent("Europe", () => {
  test("from its road distances: the map is Europe's, with the cities' names", async () => {
    place().write("distances.csv", distancesCsv());
    const ended = await place().run([
      "ordinal",
      "--from-distances",
      "distances.csv",
      "--out",
      "europe.csv",
      "--plot",
      "europe.svg",
      "--report",
      "europe.json",
    ]);
    expect([0, 2]).toContain(ended.code);
    const map = place().read("europe.csv");
    expect(rowsOf(map).header).toBe("object,x,y");
    expect(rowsOf(map).rows.map(([name]) => name)).toEqual(names);
    expect(errorOf(map)).toBeLessThan(0.05); // the best known map of two dimensions misses 0.044 of these
    expect(procrustes(positions, placesOf(map)).disparity).toBeLessThan(0.06);
    const svg = place().read("europe.svg");
    for (const name of names) expect(svg).toContain(`<title>${name}</title>`);
    expect(svg).toContain(">Stockholm</text>");
    const report = JSON.parse(place().read("europe.json"));
    expect(report).toMatchObject({
      command: "ordinal",
      input: {
        kind: "distances",
        objects: 21,
        named: true,
        answers: 3986,
        ties: 4,
        duplicates: 0,
        contradictions: 0,
        components: 1,
        unmentioned: [],
      },
      metrics: { testError: null },
    });
    expect(report.metrics.trainingError).toBeCloseTo(errorOf(map), 12);
  });

  test("from answers by name, a share of them held out", async () => {
    place().write("answers.csv", answersCsv(answers(1)));
    const words = ["ordinal", "answers.csv", "--test", "0.5", "--report", "half.json", "--out", "-"];
    const ended = await place().run(words);
    expect([0, 2]).toContain(ended.code);
    const { input, metrics } = JSON.parse(place().read("half.json"));
    expect(input).toMatchObject({ answers: 1993, testAnswers: 1993, objects: 21 });
    expect(metrics.trainingError).toBeLessThan(0.06);
    expect(metrics.testError).toBeLessThan(0.08);
    expect(errorOf(ended.stdout)).toBeCloseTo((metrics.trainingError + metrics.testError) / 2, 12);
  });

  test("the same from indices with names beside them, from standard input and compressed", {
    tags: ["full"],
  }, async () => {
    const half = answers(2);
    place().write("cities.txt", `${names.join("\n")}\n`);
    const stdin = answersCsv(half, false);
    const options = ["--names", "cities.txt", "--quiet"];
    const plain = await place().run(["ordinal", "-", ...options], { stdin });
    expect(plain.stderr).toBe("");
    expect(rowsOf(plain.stdout).rows.map(([name]) => name)).toEqual(names);
    const zipped = await place().run(["ordinal", "-", ...options], { stdin: gzipSync(stdin) });
    expect(zipped.stdout).toBe(plain.stdout);
    place().write("named.csv", answersCsv(half));
    const named = await place().run(["ordinal", "named.csv", ...options]);
    expect(named.stdout).toBe(plain.stdout);
  });

  test("a test in a file of its own; the columns in another order", { tags: ["full"] }, async () => {
    place().write("train.csv", answersCsv(answers(2)));
    const test = answers(2, 1).map(([i, j, k]) => `${names[k]};x;${names[i]};${names[j]}`);
    place().write("test.csv", `far;who;anchor;near\n${test.join("\n")}\n`);
    const ended = await place().run(["ordinal", "train.csv", "--test", "test.csv", "--report", "two.json"]);
    expect(ended.stderr).toContain("columns not used: who");
    const { input, metrics } = JSON.parse(place().read("two.json"));
    expect(input.testAnswers).toBe(1993);
    expect(metrics.testError).toBeLessThan(0.08);
  });

  test("a map goes on from another: --init", { tags: ["full"] }, async () => {
    place().write("more.csv", answersCsv(answers(1)));
    const first = await place().run(["ordinal", "more.csv", "--quiet", "--out", "first.csv"]);
    expect([0, 2]).toContain(first.code);
    const options = ["--solver", "lbfgs", "--init", "first.csv", "--max-iterations", "1", "--out", "-"];
    const again = await place().run(["ordinal", "more.csv", ...options, "--quiet"]);
    expect(again.code).toBe(2);
    expect(errorOf(again.stdout)).toBeLessThan(errorOf(place().read("first.csv")) + 0.01);
    place().write("few.csv", "object,x,y\nRome,1,2\nParis,,\n");
    const missing = await place().run(["ordinal", "more.csv", "--init", "few.csv", "--quiet"]);
    expect(missing.stderr).toContain("few.csv has no place for");
    expect(missing.code).toBe(65);
  });

  test.each([
    ["--loss", "ste"],
    ["--loss", "tste"],
    ["--loss", "gnmds"],
    ["--loss", "ckl"],
    ["--loss", "logistic"],
    ["--solver", "svrg-sbb"],
    ["--solver", "svrg-bb"],
    ["--solver", "svrg"],
    ["--solver", "lbfgs"],
    ["--solver", "gd"],
    ["--solver", "gram"],
    ["--restarts", "2", "--init", "random"],
    ["--dim", "3"],
    ["--seed", "5", "--init", "random"],
  ])("%s %s: another map, of more or less the same errors", { tags: ["full"] }, async (...options) => {
    const plain = await plainMap();
    const other = await place().run(["ordinal", "fourth.csv", "--quiet", ...options]);
    expect(other.stderr).toBe("");
    expect([0, 2]).toContain(other.code);
    // `auto` follows consistent answers as L-BFGS by itself.
    if (!options.includes("lbfgs")) expect(other.stdout).not.toBe(plain);
    expect(errorOf(other.stdout)).toBeLessThan(0.16);
  });

  test("names that a spreadsheet would run come back from a map", { tags: ["full"] }, async () => {
    place().write("formula.csv", "i,j,k\n=1+1,-b,c\n-b,c,=1+1\nc,-b,=1+1\n");
    await place().run(["ordinal", "formula.csv", "--quiet", "--out", "formula-map.csv"]);
    expect(place().read("formula-map.csv")).toContain("\n'=1+1,");
    for (const words of [
      ["ordinal", "formula.csv", "--init", "formula-map.csv"],
      ["questions", "--map", "formula-map.csv", "--answers", "formula.csv"],
    ]) {
      const ended = await place().run([...words, "--quiet"]);
      expect(ended).toMatchObject({ code: 0, stderr: "" });
    }
  });

  test("answers to one question are held out together", { tags: ["full"] }, async () => {
    const twice = answers(8).flatMap((row) => [row, row]);
    place().write("twice.csv", answersCsv(twice));
    await place().run(["ordinal", "twice.csv", "--test", "0.3", "--quiet", "--report", "twice.json"]);
    const { input } = JSON.parse(place().read("twice.json"));
    expect(input.answers + input.testAnswers).toBe(twice.length);
    expect(input.duplicates).toBe(input.answers / 2);
    place().write("lone.csv", "i,j,k\n0,1,2\n");
    const lone = await place().run(["ordinal", "lone.csv", "--test", "0.3", "--quiet"]);
    expect(lone.stderr).toMatch(/one question, too few to hold out/);
    expect(lone.code).toBe(65);
  });

  test("sgd runs, too, and its step is the user's business", { tags: ["full"] }, async () => {
    place().write("for-sgd.csv", answersCsv(answers(4)));
    const ended = await place().run(["ordinal", "for-sgd.csv", "--solver", "sgd", "--quiet"]);
    expect([0, 2]).toContain(ended.code);
    expect(rowsOf(ended.stdout).rows).toHaveLength(21);
  });

  test("pictures in pixels and as a page, with the names", { tags: ["full"] }, async () => {
    place().write("picture.csv", answersCsv(answers(4)));
    for (const form of ["png", "html"]) {
      const ended = await place().run(["ordinal", "picture.csv", "--plot", `map.${form}`, "--quiet"]);
      expect([0, 2]).toContain(ended.code);
    }
    expect([...place().bytes("map.png").subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47]);
    expect(place().read("map.html")).toContain('"Hook of Holland"');
    expect(place().read("map.html")).toContain('"names":["Athens",');
  });

  test("JSON and TSV", { tags: ["full"] }, async () => {
    place().write("forms.csv", answersCsv(answers(4)));
    for (const form of ["csv", "tsv", "json"])
      await place().run(["ordinal", "forms.csv", "--quiet", "--out", `map-form.${form}`]);
    const csv = place().read("map-form.csv");
    expect(place().read("map-form.tsv")).toBe(csv.replaceAll(",", "\t"));
    const { columns, labels, data } = JSON.parse(place().read("map-form.json"));
    expect(columns).toEqual(["x", "y"]);
    expect(data).toEqual(rowsOf(csv).rows.map(([, ...cells]) => cells.map(Number)));
    expect(labels).toEqual(rowsOf(csv).rows.map(([name]) => name));
  });
});
