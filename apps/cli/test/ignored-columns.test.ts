// @module-tag full
/** `--ignore`: what comes out is what comes out of a file that never had these columns. */
import { describe, expect, test } from "vitest";
import { eventsOf, isOneSentence, workplace } from "./cli.js";

const place = workplace();

/** Three groups in the plane. */
const points = Array.from({ length: 36 }, (_, i) => {
  const group = i % 3;
  const x = group + ((i * 7919) % 100) / 400;
  const y = (group === 1 ? 2 : 0) + ((i * 104_729) % 100) / 400;
  return { x, y, group: "abc"[group] };
});
const table = (header: string, cells: (i: number) => readonly (string | number)[]): string =>
  `${header}\n${points.map((_, i) => cells(i).join(",")).join("\n")}\n`;
const kept = table("x,y,group", (i) => [points[i].x, points[i].y, points[i].group]);
const whole = table("id,x,note,y,group", (i) => [
  i % 2 ? `p${i}` : i,
  points[i].x,
  '"1,5"',
  points[i].y,
  points[i].group,
]);

async function output(...words: string[]): Promise<string> {
  const ended = await place().run([...words, "--quiet"]);
  expect(ended).toMatchObject({ stderr: "" });
  expect([0, 2]).toContain(ended.code);
  return ended.stdout;
}

/** What a command makes of the file without the columns, and of the file with them. */
async function pair(command: string, ...words: string[]): Promise<readonly [string, string]> {
  place().write("kept.csv", kept);
  place().write("whole.csv", whole);
  const without = await output(command, "kept.csv", ...words);
  return [without, await output(command, "whole.csv", "--ignore", "id,note", ...words)];
}

/** Of a model, which also knows what was ignored; any other output is itself. */
const parametersOf = (text: string): unknown => (text.startsWith("{") ? JSON.parse(text).data : text);

describe("the same as of a file without them", () => {
  test.each([
    ["embed", "--labels", "group"],
    ["embed", "--labels", "group", "--pca", "2"],
    ["disentangle", "--labels", "group", "--clusters", "3"],
    ["train", "--labels", "group"],
    ["fit", "--labels", "group", "--objective", "softmax", "--max-passes", "5"],
  ])("%s %s %s %s", async (command, ...words) => {
    const [without, ignored] = await pair(command, ...words);
    expect(without.length).toBeGreaterThan(0);
    expect(parametersOf(ignored)).toEqual(parametersOf(without));
  });

  test("models of files without names, and what is predicted and measured", async () => {
    const bare = (text: string): string => text.slice(text.indexOf("\n") + 1);
    place().write("bare-kept.csv", bare(kept));
    place().write("bare-whole.csv", bare(whole).replaceAll('"1,5"', "n/a"));
    const ignored = ["--ignore", "0,2"];
    await output("train", "bare-kept.csv", "--labels", "2", "--model", "kept.json");
    await output("train", "bare-whole.csv", "--labels", "4", ...ignored, "--model", "whole.json");
    expect(parametersOf(place().read("whole.json"))).toEqual(parametersOf(place().read("kept.json")));
    for (const command of ["predict", "evaluate"])
      expect(await output(command, "whole.json", "bare-whole.csv", "--labels", "4", ...ignored)).toBe(
        await output(command, "kept.json", "bare-kept.csv", "--labels", "2"),
      );
  });

  test("rows to test on need not have them", async () => {
    place().write("kept.csv", kept);
    place().write("whole.csv", whole);
    const words = ["--labels", "group", "--ignore", "id,note", "--report", "-", "--test"];
    const tested = async (file: string): Promise<unknown> =>
      JSON.parse(await output("train", "whole.csv", ...words, file)).metrics.testError;
    expect(await tested("kept.csv")).toBe(await tested("whole.csv"));
  });

  test("of rows to test on, what was ignored is no news, and a label that is counted is found", async () => {
    place().write("kept.csv", kept);
    place().write("whole.csv", whole);
    const named = await place().run([
      "train",
      "whole.csv",
      "--labels",
      "group",
      "--ignore",
      "id,note",
      "--test",
      "whole.csv",
      "--json",
    ]);
    expect(eventsOf(named.stderr).filter(({ event }) => event === "warning")).toEqual([]);
    const counted = ["train", "whole.csv", "--labels", "4", "--ignore", "id,note", "--test"];
    expect((await place().run([...counted, "whole.csv"])).code).toBe(0);
    place().write(
      "moved.csv",
      table("x,y,group,u,v,w", (i) => [points[i].x, points[i].y, points[i].group, 1, i % 2, 3]),
    );
    expect((await place().run([...counted, "moved.csv"])).code).toBe(0);
  });

  test("rows to test on without names cannot tell which columns they are", async () => {
    const numbered = table("id,x,y,group", (i) => [i, points[i].x, points[i].y, points[i].group]);
    place().write("numbered.csv", numbered);
    place().write("bare.csv", numbered.slice(numbered.indexOf("\n") + 1));
    const words = ["train", "numbered.csv", "--labels", "3", "--ignore", "id", "--test"];
    const ended = await place().run([...words, "bare.csv"]);
    expect(ended).toMatchObject({ code: 64, stdout: "" });
    expect(ended.stderr).toContain(
      '--ignore: there is no column "id", since the table does not name its columns.',
    );
  });

  test("columns by name in another order, and given one by one", async () => {
    place().write("whole.csv", whole);
    const turned = table("note,group,y,id,x", (i) => [
      "n.a.",
      points[i].group,
      points[i].y,
      `p${i}`,
      points[i].x,
    ]);
    place().write("turned.csv", turned);
    const options = ["--labels", "group", "--ignore", "id,note"];
    await output("train", "whole.csv", ...options, "--model", "model.json");
    expect(JSON.parse(place().read("model.json")).preparation.columns).toMatchObject([
      { name: "x" },
      { name: "y" },
    ]);
    expect(await output("predict", "model.json", "turned.csv", ...options)).toBe(
      await output("predict", "model.json", "whole.csv", ...options),
    );
    const ended = await place().run(["predict", "model.json", "whole.csv", "--ignore", "x,id,note,group"]);
    expect(ended.code).toBe(65);
    expect(ended.stderr).toContain('The table lacks, or --ignore leaves out, "x"');
  });

  test("a sweep over what is left out has the labels' colours, too", async () => {
    place().write("whole.csv", whole);
    const words = ["--labels", "group", "--grid", "ignore=id,note;0,2,x", "--perplexity", "4"];
    await output("sweep", "embed", "whole.csv", ...words, "--out", "varied");
    expect(place().read("varied/picture.svg")).toMatch(/>a<.*>b<.*>c</s);
    const again = ["--labels", "group", "--grid", "perplexity=4", "--ignore", "id,note"];
    await output("sweep", "embed", "whole.csv", ...again, "--out", "again");
    expect(place().read("again/summary.csv")).toContain("\n1,4,0,");
  });

  test("a sweep", async () => {
    place().write("kept.csv", kept);
    place().write("whole.csv", whole);
    const words = ["--labels", "group", "--grid", "perplexity=4,8"];
    await output("sweep", "embed", "kept.csv", ...words, "--out", "kept");
    await output("sweep", "embed", "whole.csv", ...words, "--ignore", "id,note", "--out", "whole");
    expect(place().read("whole/summary.csv")).toBe(place().read("kept/summary.csv"));
    const colours = (svg: string): number => new Set(svg.match(/#[0-9a-f]{6}/g)).size;
    expect(colours(place().read("whole/picture.svg"))).toBe(colours(place().read("kept/picture.svg")));
  });
});

describe("refused, in one sentence", () => {
  test.each([
    ["whole.csv", "ids", 64, '--ignore: there is no column "ids". Did you mean "id"? (In whole.csv.)'],
    ["whole.csv", "9", 64, "--ignore: there is no column 9; the columns are 0 to 4. (In whole.csv.)"],
    ["whole.csv", "id,group", 64, '--ignore: the column "group" is chosen as labels.'],
    [
      "whole.csv",
      "id,,note",
      64,
      "It must be columns with commas between, each by its name, or by its index from 0",
    ],
    ["whole.csv", "--plot", 64, "It must be columns with commas between"],
    ["whole.csv", "x,-id", 64, "It must be columns with commas between"],
    ["whole.csv", "id", 65, '"note" holds words ("n.a.")'],
    ["whole.csv", "id,note,x,y", 65, "The table has no column of numbers besides the labels."],
  ])("%s --ignore %s", async (file, ignored, code, part) => {
    place().write("whole.csv", whole.replaceAll('"1,5"', "n.a."));
    const ended = await place().run(["embed", file, "--labels", "group", "--ignore", ignored]);
    expect(ended).toMatchObject({ code, stdout: "" });
    expect(ended.stderr).toContain(part);
    expect(isOneSentence(ended.stderr)).toBe(true);
  });

  test("for LIBSVM text, whose columns have no cells", async () => {
    place().write("rows.svm", "1 1:2 2:1\n2 1:3 2:4\n");
    const ended = await place().run(["train", "rows.svm", "--ignore", "0"]);
    expect(ended).toMatchObject({ code: 64, stdout: "" });
    expect(ended.stderr).toContain(
      "--ignore is for tables, and rows.svm is LIBSVM text, whose features have no names. Leave it out.",
    );
    const streamed = await place().run(["train", "-", "--ignore", "0"], { stdin: "1 1:2\n" });
    expect(streamed.stderr).toContain("--ignore is for tables, and a stream is LIBSVM text");
  });

  test("for distances, whose columns are objects", async () => {
    const words = ["disentangle", "d.csv", "--input", "distances", "-k", "2", "--ignore", "0"];
    const ended = await place().run(words);
    expect(ended).toMatchObject({ code: 64 });
    expect(ended.stderr).toContain("--ignore is for points; leave it out.");
  });

  test("for a module", async () => {
    const ended = await place().run(["fit", "--module", "m.mjs", "--ignore", "a"]);
    expect(ended).toMatchObject({ code: 64 });
    expect(ended.stderr).toContain("--ignore is for objectives made from data");
  });
});
