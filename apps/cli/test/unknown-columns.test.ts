// @module-tag full
/** Columns that a model does not know are ignored whatever they hold; those that it needs are not. */
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { eventsOf, isOneSentence, workplace } from "./cli.js";

const place = workplace();

interface Row {
  readonly x: number;
  readonly y: number;
  readonly kind: string;
}

const rows: readonly Row[] = Array.from({ length: 60 }, (_, i) => {
  const x = ((i * 7919) % 1000) / 500 - 1;
  const y = ((i * 104_729) % 1000) / 500 - 1;
  return { x, y, kind: x + 2 * y > 0.1 ? "yes" : "no" };
});
const table = (header: string, cells: (row: Row, i: number) => string): string =>
  `${header}\n${rows.map((row, i) => `${cells(row, i)}\n`).join("")}`;

const named = table("x,y,kind", ({ x, y, kind }) => `${x},${y},${kind}`);

async function predictions(model: string, file: string, words: readonly string[] = []): Promise<string> {
  const ended = await place().run(["predict", model, file, ...words]);
  expect(ended.stderr).not.toContain('"error"');
  expect(ended.code).toBe(0);
  return ended.stdout;
}

/** What models by name (`named.json`) and by position (`bare.json`) of the same rows say of them. */
let expected = "";

beforeAll(async () => {
  place().write("named.csv", named);
  place().write("rows.svm", rows.map(({ x, y, kind }) => `${kind} 1:${x} 2:${y}\n`).join(""));
  const train = ["--lambda", "0.01", "--quiet", "--model"];
  const ofNames = await place().run(["train", "named.csv", "--labels", "kind", ...train, "named.json"]);
  const ofPlaces = await place().run(["train", "rows.svm", ...train, "bare.json"]);
  expect([ofNames.code, ofPlaces.code]).toEqual([0, 0]);
  expected = await predictions("named.json", "named.csv", ["--labels", "kind"]);
});

describe("predict", () => {
  test("leaves out text, gaps and dates in columns that the model does not know", async () => {
    const cases: readonly (readonly [string, string | Uint8Array])[] = [
      ["labels-last.csv", named],
      ["labels-first.csv", table("kind,y,x", ({ x, y, kind }) => `${kind},${y},${x}`)],
      [
        "gaps.csv",
        table("x,note,y,when", ({ x, y }, i) => `${x},${i % 2 ? "" : "NaN"},${y},2026-11-0${i % 9}`),
      ],
      ["quoted.csv", table('"x","a ""note""","y"', ({ x, y }) => `${x},"two\nlines, ""quoted""",${y}`)],
      ["crlf.csv", `\ufeff${named.replaceAll("\n", "\r\n")}`],
      ["tabs.tsv", named.replaceAll(",", "\t")],
      ["packed.csv.gz", gzipSync(named)],
      ["twice.csv", table("note,x,note,y", ({ x, y, kind }) => `${kind},${x},${kind},${y}`)],
      ["lines.jsonl", rows.map(({ x, y, kind }) => `${JSON.stringify({ kind, y, x })}\n`).join("")],
      ["lines.jsonl.gz", gzipSync(rows.map((row) => `${JSON.stringify(row)}\n`).join(""))],
      [
        "some-keys.jsonl",
        rows.map(({ x, y, kind }, i) => `${JSON.stringify(i % 3 ? { x, y } : { x, kind, y })}\n`).join(""),
      ],
      ["rows.json", JSON.stringify(rows)],
      [
        "parts.json",
        JSON.stringify({ columns: ["kind", "x", "y"], data: rows.map(({ x, y, kind }) => [kind, x, y]) }),
      ],
    ];
    for (const [file, content] of cases) {
      place().write(file, content);
      expect(await predictions("named.json", file), file).toBe(expected);
    }
    const piped = await place().run(["predict", "named.json", "-"], { stdin: named });
    expect([piped.code, piped.stdout]).toEqual([0, expected]);
    place().write("news.csv", named.replace("kind", "news"));
    const { stderr } = await place().run(["predict", "named.json", "news.csv", "--json"]);
    expect(eventsOf(stderr).map(({ message }) => message)).toContain(
      'news.csv: "news" did not occur in the fit and is ignored.',
    );
  });

  test("by position leaves out what lies beyond the model's columns", async () => {
    place().write("beyond.csv", named);
    place().write("beyond-bare.csv", named.replace("x,y,kind\n", ""));
    place().write("beyond.jsonl", rows.map(({ x, y, kind }) => `${JSON.stringify([x, y, kind])}\n`).join(""));
    for (const file of ["beyond.csv", "beyond-bare.csv", "beyond.jsonl"]) {
      expect(await predictions("bare.json", file), file).toBe(expected);
      expect(await predictions("named.json", file === "beyond.jsonl" ? file : "beyond-bare.csv")).toBe(
        expected,
      );
    }
    place().write(
      "labelled.csv",
      table("kind,x,y,note", ({ x, y, kind }) => `${kind},${x},${y},${kind}`),
    );
    expect(await predictions("bare.json", "labelled.csv", ["--labels", "0"])).toBe(expected);
    place().write("numbered.csv", named.replace("x,y,kind", "0,1,kind"));
    const numbered = await place().run(["predict", "bare.json", "numbered.csv", "--quiet"]);
    expect(numbered.stderr).toMatch(
      /Line 1 may hold the columns' names or a row .* Say --header yes or --header no/,
    );
    expect([numbered.code, numbered.stdout]).toEqual([65, ""]); // no row is made of the header
    const refused = await place().run(["predict", "bare.json", "labelled.csv", "--quiet"]);
    expect(refused.stderr).toMatch(
      /labelled\.csv: .*"kind" held numbers in the fit, and here "(yes|no)" \(line 2\)/,
    );
    expect(refused.code).toBe(65);
  });

  test.each([
    ["named.json", rows.map(({ x }) => `${x}\n`).join("")],
    ["bare.json", table("x", ({ x }) => `${x}`)],
  ])("by position a column that %s lacks is no column of zeros", async (model, text) => {
    place().write("one.csv", text);
    place().write("kinds.txt", rows.map(({ kind }) => `${kind}\n`).join(""));
    for (const words of [
      ["predict", model, "one.csv"],
      ["evaluate", model, "one.csv", "--labels", "kinds.txt"],
    ]) {
      const { code, stdout, stderr } = await place().run(words);
      expect([code, stdout], words.join(" ")).toEqual([65, ""]);
      expect(stderr).toContain("one.csv: The table has 1 column, and the model was fitted on 2.");
    }
  });

  test("by position a model with names says which columns it takes", async () => {
    place().write("beyond-bare.csv", named.replace("x,y,kind\n", ""));
    const { code, stderr } = await place().run(["predict", "named.json", "beyond-bare.csv", "--json"]);
    expect(code).toBe(0);
    expect(eventsOf(stderr).map(({ message }) => message)).toContain(
      "beyond-bare.csv: The table has 3 columns where the model knows 2: the first 2 are taken.",
    );
  });

  test.each<[string, string, RegExp]>([
    ["text", "note,x,y\na,1,2\nb,3,oops\n", /"y" held numbers in the fit, and here "oops" \(line 3\)/],
    ["gap", 'note,x,y\n"a\n\nb",1,2\n\nc,,5\n', /"x" has no value in 1 row \(line 6\)/],
    ["ragged", "note,x,y\na,1,2\nb,3\n", /Line 3 has 2 cells, the others have 3/],
    ["lacking", "note,x\na,1\n", /lacks "y", which the model was fitted on; it has "note" instead/],
    ["doubled", "x,y,x,note\n1,2,3,a\n", /has the column "x" twice/],
    ["header only", "note,x,y\n", /has a header and no rows/],
  ])("still says what is wrong in a column that it needs: %s", async (name, content, sentence) => {
    const file = place().write(`wrong-${name.replace(" ", "-")}.csv`, content);
    const ended = await place().run(["predict", "named.json", file, "--out", "wrong-out.csv", "--quiet"]);
    expect(ended.stderr).toMatch(sentence);
    expect(isOneSentence(ended.stderr), ended.stderr).toBe(true);
    expect([ended.code, ended.stdout, place().has("wrong-out.csv")]).toEqual([65, "", false]);
  });

  test.each<[string, string, RegExp]>([
    [
      "wrong.jsonl",
      '{"x":1,"y":2,"note":"a"}\n{"x":"one","y":2,"note":"b"}\n',
      /"x" held numbers in the fit, and here "one" \(line 2\)/,
    ],
    ["broken.jsonl", '{"x":1,"y":2,"note":"a"}\n{"x":1,\n', /Line 2 is not JSON|Line 2/],
    [
      "wrong.json",
      '[{"x":1,"y":2,"note":"a"},{"x":null,"y":2,"note":"b"}]',
      /"x" has no value in 1 row \(row 2\)/,
    ],
    ["wrong.svm", "yes 1:1 2:2\nno 1:a 2:1\n", /Line 2 has feature 1 with "a"/],
  ])("%s", async (file, content, sentence) => {
    place().write(file, content);
    const ended = await place().run(["predict", "named.json", file, "--quiet"]);
    expect(ended.stderr).toMatch(sentence);
    expect([ended.code, ended.stdout]).toEqual([65, ""]);
  });
});

test("evaluate and train --test do so too", async () => {
  place().write(
    "notes.csv",
    table("note,kind,y,x", ({ x, y, kind }) => `<b>${kind}</b> 漢字,${kind},${y},${x}`),
  );
  const figures = async (file: string): Promise<unknown> => {
    const ended = await place().run(["evaluate", "named.json", file, "--labels", "kind", "--report", "-"]);
    expect(ended.code).toBe(0);
    return JSON.parse(ended.stdout).metrics;
  };
  expect(await figures("notes.csv")).toEqual(await figures("named.csv"));
  const words = ["train", "named.csv", "--labels", "kind", "--test", "notes.csv", "--report", "t.json"];
  expect((await place().run([...words, "--quiet"])).code).toBe(0);
  const { metrics } = JSON.parse(place().read("t.json"));
  expect(metrics.testError).toBe(metrics.trainingError);
});
