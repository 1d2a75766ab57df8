// @module-tag full
/** `curvature embed` of LIBSVM text as a process: sparse up to its principal components, dense without them. */
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { isOneSentence, rowsOf, workplace } from "./cli.js";

const place = workplace();

/** Words of four kinds of documents, seven of ten from the sixty that a kind likes: LIBSVM text and the counts. */
function documents(rows: number, columns: number, words: number): { text: string; table: string } {
  let state = 12345;
  const uniform = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const lines: string[] = [];
  const dense: string[] = [];
  for (let i = 0; i < rows; i++) {
    const counts = new Map<number, number>();
    while (counts.size < words) {
      const liked = uniform() < 0.7;
      const word = liked ? (i % 4) * 60 + Math.floor(60 * uniform()) : Math.floor(columns * uniform());
      counts.set(word + 1, (counts.get(word + 1) ?? 0) + 1);
    }
    if (i === 0) counts.set(columns, 1);
    const sorted = [...counts].sort(([a], [b]) => a - b);
    lines.push(`${i % 4} ${sorted.map(([j, count]) => `${j}:${count}`).join(" ")}\n`);
    if (columns <= 1000)
      dense.push(`${Array.from({ length: columns }, (_, j) => counts.get(j + 1) ?? 0).join(",")}\n`);
  }
  return { text: lines.join(""), table: dense.join("") };
}

/** Tells the most memory that a process had, in kilobytes, as its last word on standard error. */
const tellMemory = `import { isMainThread } from "node:worker_threads";
if (isMainThread)
  process.on("exit", () => process.stderr.write("resident " + process.resourceUsage().maxRSS + "\\n"));`;

describe.concurrent("LIBSVM text with --pca", () => {
  test("2,000 rows of 50,000 columns take a fraction of the 800 MB of their zeros", async () => {
    place().write("documents.svm", documents(2000, 50_000, 40).text);
    place().write("memory.mjs", tellMemory);
    const words = ["--pca", "10", "--max-evaluations", "20", "--report", "documents.json", "--out", "-"];
    const ended = await place().run(["embed", "documents.svm", "--quiet", ...words], {
      environment: { NODE_OPTIONS: `--import=${place().path("memory.mjs")}` },
    });
    expect(ended.code).toBe(0);
    expect(Number(/^resident (\d+)\n$/.exec(ended.stderr)?.[1])).toBeLessThan(400_000);
    const [header, ...rows] = rowsOf(ended.stdout);
    expect(header).toBe("x,y,label");
    expect(rows).toHaveLength(2000);
    expect(rows[7]).toMatch(/,3$/);
    const { input, options, metrics } = JSON.parse(place().read("documents.json"));
    expect(input).toMatchObject({ rows: 2000, columns: 50_000, labels: "label", classes: 4 });
    expect(options).toMatchObject({ pca: 10 });
    // By the ten components, in which the neighbours were searched, and in which the kinds lie apart.
    expect(metrics.trustworthiness).toBeGreaterThan(0.9);
  });

  test.each([["none"], ["max"], ["unit"]])("--scale %s: the map is that of the same table", async (scale) => {
    const { text, table } = documents(120, 400, 25);
    const words = ["--pca", "5", "--perplexity", "8", "--scale", scale, "--quiet", "--report"];
    const figures = async (file: string, content: string): Promise<Record<string, number>> => {
      place().write(`${scale}-${file}`, content);
      const ended = await place().run(["embed", `${scale}-${file}`, ...words, `${scale}-${file}.json`]);
      expect([ended.code, ended.stderr]).toEqual([0, ""]);
      return JSON.parse(place().read(`${scale}-${file}.json`)).metrics;
    };
    const [sparse, dense] = [await figures("counts.svm", text), await figures("counts.csv", table)];
    // Counts are whole numbers, which single precision holds; the descent enlarges the rounding of their components.
    expect(Math.abs(sparse["klDivergence"] / dense["klDivergence"] - 1)).toBeLessThan(1e-3);
    expect(Math.abs(sparse["knnPreservation"] - dense["knnPreservation"])).toBeLessThan(0.02);
  });

  test("from a file, from standard input, compressed or not, the map is one", async () => {
    const { text } = documents(60, 300, 10);
    place().write("plain.svm", text);
    const words = ["--pca", "4", "--max-evaluations", "10", "--quiet"];
    const expected = (await place().run(["embed", "plain.svm", ...words])).stdout;
    expect(rowsOf(expected)).toHaveLength(61);
    for (const stdin of [text, gzipSync(text)])
      expect((await place().run(["embed", "-", ...words], { stdin })).stdout).toBe(expected);
  });

  test("labels from a file take the place of its own, and gaps are told", async () => {
    place().write("named.svm", `\n${documents(40, 100, 8).text}`);
    place().write("kinds.txt", Array.from({ length: 40 }, (_, i) => `kind ${i % 4}\n`).join(""));
    const words = ["--pca", "3", "--max-evaluations", "5", "--labels", "kinds.txt"];
    const ended = await place().run(["embed", "named.svm", ...words]);
    expect(rowsOf(ended.stdout)[0]).toBe("x,y,kinds");
    expect(rowsOf(ended.stdout)[3]).toMatch(/,"kind 2"$/);
    expect(ended.stderr).toContain("named.svm: Line 1 is empty; empty lines are skipped.");
  });

  test.each<[string, string, readonly string[], number, RegExp]>([
    [
      "means of zeros",
      "0 1:1 9:2\n".repeat(20),
      ["--scale", "standard"],
      64,
      /--scale standard .*max or unit/,
    ],
    [
      "more components than columns",
      "0 1:1 2:2\n".repeat(20),
      [],
      64,
      /--pca must be at most 2, .*received 3/,
    ],
    ["labels only", "0\n1\n".repeat(20), [], 65, /labels\.svm: The input has labels only/],
    ["an index beyond all memory", "0 1:1 2147483646:1\n".repeat(20), [], 65, /--pca.*largest index/],
    ["a column of labels", "0 1:1 9:2\n".repeat(20), ["--labels", "3"], 64, /--labels: there is no file "3"/],
  ])("%s are refused with a sentence", async (name, content, words, code, sentence) => {
    const file = place().write(
      `${name.startsWith("labels") ? "labels" : name.replaceAll(" ", "-")}.svm`,
      content,
    );
    const ended = await place().run(["embed", file, "--pca", "3", "--quiet", ...words]);
    expect(ended.stderr).toMatch(sentence);
    expect(isOneSentence(ended.stderr)).toBe(true);
    expect(ended.code).toBe(code);
  });
});

test("without --pca the zeros are written out, and where they are too many the rows stay sparse", async () => {
  const { text, table } = documents(60, 300, 10);
  place().write("small.svm", text);
  place().write("small.csv", table);
  const map = async (file: string): Promise<string[]> =>
    rowsOf((await place().run(["embed", file, "--max-evaluations", "10", "--quiet"])).stdout).slice(1);
  expect((await map("small.svm")).map((row) => row.replace(/,[^,]*$/, ""))).toEqual(await map("small.csv"));
  place().write("wide.svm", documents(1500, 200_000, 3).text);
  const ended = await place().run(["embed", "wide.svm", "--max-evaluations", "10", "--quiet"]);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  expect(rowsOf(ended.stdout)).toHaveLength(1501);
});
