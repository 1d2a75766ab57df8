/** `curvature embed --input` and `--metric` as a process. */
import { describe, expect, test } from "vitest";
import { isOneSentence, rowsOf, workplace } from "./cli.js";

const place = workplace();

const count = 24;
const at = (i: number): number[] => [Math.cos(i) + 3 * (i % 2), Math.sin(i)];
const distance = (i: number, j: number): number => Math.hypot(...at(i).map((x, k) => x - (at(j)[k] ?? 0)));
const all = Array.from({ length: count }, (_, i) => i);
const plain = all.map((i) => all.map((j) => distance(i, j)).join(",")).join("\n");
const named = [
  ["", ...all.map((i) => `n${i}`)].join(","),
  ...plain.split("\n").map((row, i) => `n${i},${row}`),
].join("\n");
const pairs = [
  "from,to,distance",
  ...all.flatMap((i) => all.filter((j) => j < i).map((j) => `n${i},n${j},${distance(i, j)}`)),
].join("\n");

async function embedded(file: string, text: string, ...words: string[]) {
  place().write(file, text);
  return await place().run(["embed", file, "--quiet", "--perplexity", "5", ...words]);
}

describe.concurrent("what is given in place of points", () => {
  test("distances with names are those without, and a list of all pairs is as good", async () => {
    const [without, withNames] = [
      await embedded("plain.csv", plain, "--input", "distances"),
      await embedded("named.csv", named, "--input", "distances"),
    ];
    const ofPairs = await embedded("pairs.csv", pairs, "--input", "neighbors");
    for (const ended of [without, withNames, ofPairs]) expect(ended.code).toBe(0);
    expect(rowsOf(without.stdout)[0]).toBe("x,y");
    expect(rowsOf(withNames.stdout)[1]).toBe(`${rowsOf(without.stdout)[1]},n0`);
    expect(rowsOf(ofPairs.stdout)).toHaveLength(count + 1);
    expect(rowsOf(ofPairs.stdout)[0]).toBe("x,y,name");
  });

  test("an asymmetric matrix is refused with what a map takes in its place", async () => {
    const ended = await embedded("asym.csv", "0,1,2\n1.5,0,1\n2,1,0\n", "--input", "distances");
    expect(ended.code).toBe(65);
    expect(ended.stderr).toMatch(
      /is 1\.5, but back it is 1\. A map takes one value for each pair: give the means/,
    );
  });

  test("similarities are read with names, and refused as distances", async () => {
    const similar = named.replaceAll(/(?<=,)[\d.e-]+/g, (d) => String(1 - Number(d) ** 2 / 2));
    expect((await embedded("similar.csv", similar, "--input", "similarities")).code).toBe(0);
    const refused = await embedded("similar.csv", similar, "--input", "distances");
    expect(refused.code).toBe(65);
    expect(refused.stderr).toContain("--input similarities");
  });

  test("a matrix of distances and a list of pairs that come as points name the option", async () => {
    for (const [file, text, input] of [
      ["a.csv", plain, "distances"],
      ["b.csv", pairs, "neighbors"],
    ] as const) {
      const ended = await embedded(file, text);
      expect(ended.code).toBe(65);
      expect(ended.stderr).toContain(`--input ${input}`);
    }
  });

  test.each([
    ["3,0,1\n0,1,x\n1,2,1\n", /no finite number/],
    ["a,b,1\nb,c,-2\n", /distance -2/],
    ["0,1.35,2\n1.35,0,3\n2,3,0\n", /"1.35" as an end of pair 2.*--input distances/],
    ["a,b,1,2\nb,c,2,3\n", /has 4 columns.*three: from, to, distance/],
  ])("pairs %j are refused in a sentence", async (text, message) => {
    const ended = await place().run(["embed", "-", "--input", "neighbors"], { stdin: text });
    expect(ended.code).toBe(65);
    expect(ended.stderr).toMatch(message);
  });

  test("a sparse matrix is a graph, and lacks distances as a matrix of them", async () => {
    const edges = all.slice(1).map((i) => `${i + 1} ${i} ${distance(i, i - 1)}`);
    const text = `%%MatrixMarket matrix coordinate real symmetric\n${count} ${count} ${edges.length}\n${edges.join("\n")}\n`;
    expect((await embedded("ring.mtx", text, "--input", "neighbors")).code).not.toBe(65);
    const refused = await embedded("ring.mtx", text, "--input", "distances");
    expect(refused.stderr).toMatch(/no distance at row 1, column 3.*--input neighbors/);
  });

  test("a sparse matrix may be large, and have neighbours at a distance of 0", async () => {
    const rows = 20_000;
    const edges = Array.from({ length: rows - 1 }, (_, i) => `${i + 2} ${i + 1} ${i % 3}`);
    const head = "%%MatrixMarket matrix coordinate real";
    const text = `${head} symmetric\n${rows} ${rows} ${rows - 1}\n${edges.join("\n")}\n`;
    place().write("long.mtx", text);
    const ended = await place().run(
      [
        "embed",
        "-",
        "--format",
        "matrix-market",
        "--input",
        "neighbors",
        "--quiet",
        "--max-evaluations",
        "2",
      ],
      { stdin: text },
    );
    expect([ended.code, rowsOf(ended.stdout).length]).toEqual([0, rows + 1]);
    const refused = await embedded("half.mtx", `${head} general\n2 3 1\n1 2 1\n`, "--input", "neighbors");
    expect(refused.stderr).toContain("half.mtx has 2 rows and 3 columns. Give a square matrix.");
    const lonely = await embedded("lonely.mtx", `${head} general\n3 3 1\n1 2 1\n`, "--input", "neighbors");
    expect(lonely.stderr).toContain('has no pair of "3" with another');
    const odd = await embedded("odd.mtx", `${head} general\n3 3 1\n1 2 nan\n`, "--input", "neighbors");
    expect(odd.stderr).toContain("Line 3 of the Matrix Market file has NaN");
  });

  test.each([
    ["--pca", "2"],
    ["--metric", "cosine"],
    ["--scale", "standard"],
    ["--columns", "0"],
    ["--labels", "n1"],
  ])("%s is for points", async (...words) => {
    const ended = await embedded("plain.csv", plain, "--input", "distances", ...words);
    expect(ended.code).toBe(64);
    isOneSentence(ended.stderr);
  });
});

test.concurrent("--metric changes the map, and LIBSVM text stays sparse under cosine", async () => {
  const points = all.map((i) => [1 + i, ...at(i).map((x) => x + 2)]);
  const csv = points.map((row) => row.join(",")).join("\n");
  const svm = points.map((row) => `0 ${row.map((x, j) => `${j + 1}:${x}`).join(" ")}`).join("\n");
  const maps = new Set<string>();
  for (const metric of [
    "euclidean",
    "cosine",
    "correlation",
    "manhattan",
    "chebyshev",
    "canberra",
    "hellinger",
  ]) {
    const ended = await embedded("points.csv", csv, "--metric", metric);
    expect(ended.code).toBe(0);
    maps.add(ended.stdout);
  }
  expect(maps.size).toBe(7);
  expect((await embedded("points.svm", svm, "--metric", "cosine")).code).toBe(0);
  const zeros = await embedded("zeros.csv", csv.replace(/^.*/, "0,0,0"), "--metric", "cosine");
  expect(zeros.code).toBe(65);
  expect(zeros.stderr).toContain("zeros.csv: Row 1 of the data has zeros only");
});
