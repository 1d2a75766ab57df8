/** `--names`, `--color`, `--keep` and what a picture says of what it cannot show. */
import { describe, expect, test } from "vitest";
import { glyphWarnings, missingCharacters } from "../src/plot/glyphs.js";
import { dataNeighbors } from "../src/tasks/data-neighbors.js";
import { isOneSentence, rowsOf, workplace } from "./cli.js";

const place = workplace();

const lines = Array.from({ length: 30 }, (_, i) =>
  [(7 * i) % 13, (5 * i) % 11, `item ${i}`, i < 15 ? "low" : "high", i * i].join(","),
);
const header = "a,b,name,kind,square";
const written = (): string => place().write("items.csv", [header, ...lines, ""].join("\n"));

async function mapped(...words: string[]) {
  const ended = await place().run(["embed", written(), "--out", "map.csv", ...words]);
  return { ...ended, rows: ended.code === 0 ? rowsOf(place().read("map.csv")) : [] };
}

describe("--names and --color", () => {
  test("a column of names is no data and stands beside the map; one of words that colours is none either", async () => {
    const plain = await mapped("--columns", "a,b", "-q");
    const flags = ["--names", "name", "--color", "kind", "--ignore", "square", "-q", "--plot", "map.svg"];
    const named = await mapped(...flags);
    expect(named.code).toBe(0);
    expect(named.rows[0]).toBe("x,y,name");
    expect(named.rows[1]).toBe(`${plain.rows[1]},"item 0"`);
    const svg = place().read("map.svg");
    expect(svg).toContain(">kind</text>");
    for (const word of ["high", "low", "item 7"]) expect(svg).toContain(`>${word}</text>`);
  });

  test("a column of numbers that colours stays data", async () => {
    const all = await mapped("--columns", "a,b,square", "-q");
    const coloured = await mapped(
      "--names",
      "name",
      "--color",
      "square",
      "--ignore",
      "kind",
      "-q",
      "--plot",
      "map.svg",
    );
    expect(coloured.rows[1].split(",").slice(0, 2)).toEqual(all.rows[1].split(","));
    expect(place().read("map.svg")).toContain("linearGradient");
    expect(place().read("map.svg")).toContain(">841</text>");
  });

  test("files, with a heading or without, also beside distances", async () => {
    const names = Array.from({ length: 30 }, (_, i) => `called ${i}`);
    place().write("names.txt", ["heading", ...names].join("\n"));
    const named = await mapped("--columns", "a,b", "--names", "names.txt", "-q");
    expect(named.rows[0]).toBe("x,y,heading");
    expect(named.rows[3]).toMatch(/,"called 2"$/);
    const matrix = Array.from({ length: 30 }, (_, i) =>
      Array.from({ length: 30 }, (_, j) => Math.abs(i - j)).join(","),
    );
    place().write("distances.csv", matrix.join("\n"));
    const flags = ["--input", "distances", "--names", "names.txt", "--plot", "map.svg", "-q"];
    expect((await place().run(["embed", "distances.csv", ...flags])).code).toBe(0);
    expect(place().read("map.svg")).toContain(">called 2</text>");
  });

  test.each([
    ["a name of no column and no file", ["--names", "nam"], 64, /--names: .*no file of this name either/],
    ["the same for a colour", ["--color", "hue"], 64, /--color: .*no file of this name either/],
    [
      "a file with too few names",
      ["--columns", "a,b", "--names", "./few.txt"],
      65,
      /few\.txt has 2 names, but there are 30 points/,
    ],
    ["two of them", ["--names", "name", "--names", "kind"], 64, /--names is given twice/],
    ["two columns of labels", ["--labels", "name", "--labels", "kind"], 64, /--labels is given twice/],
    [
      "a column where there are no columns",
      ["--input", "distances", "--color", "kind"],
      64,
      /--color must be a file/,
    ],
  ])("%s", async (_, words, code, sentence) => {
    place().write("few.txt", "one\ntwo\n");
    const ended = await mapped(...words);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toMatch(sentence);
    expect(isOneSentence(ended.stderr.replaceAll(/^\{.*\}\n/gm, ""))).toBe(true);
  });

  test("labels of each row's own are names, which a note says, and stay labels in the file", async () => {
    const ended = await mapped("--columns", "a,b", "--labels", "name", "--plot", "map.svg");
    expect(ended.stderr).toMatch(
      /--labels .*name.* has 30 different words for 30 rows: in the picture they are names/,
    );
    expect(ended.rows[0]).toBe("x,y,name");
    const svg = place().read("map.svg");
    expect(svg).toContain(">item 7</text>");
    expect(svg).not.toContain(">name</text>"); // no legend
  });

  test("three dimensions are seen in perspective, within a box, whatever the form", async () => {
    const ended = await mapped("--columns", "a,b", "--dim", "3", "--plot", "map.svg", "-q");
    expect(ended.code).toBe(0);
    const svg = place().read("map.svg");
    const sizes = [...svg.matchAll(/<use href="#c0" transform="translate\([^)]*\) scale\(([\d.]+)\)"/g)].map(
      ([, size]) => Number(size),
    );
    expect(sizes).toHaveLength(30);
    expect([...sizes].sort((a, b) => a - b)).toEqual(sizes); // far ones first, and small
    expect(sizes[29] - sizes[0]).toBeGreaterThan(0.1);
    expect(svg).not.toContain("axes 1 and 2");
    expect(svg.match(/M[\d.]+ [\d.]+L[\d.]+ [\d.]+/g)?.length).toBeGreaterThanOrEqual(12);
  });
});

describe("glyphs of a PNG", () => {
  test("what the font has is known by its own table", () => {
    expect(missingCharacters(["Straße, Łódź, Αθήνα, Москва, ∑ ≤ ½, ♞"])).toEqual([]);
    expect(missingCharacters(["漢字 漢", "🧪", undefined])).toEqual(["漢", "字", "🧪"]);
    expect(missingCharacters(["a\u200db\ufe0f\u0007"])).toEqual([]); // what is never seen
  });

  test("a warning for a PNG names them, and other forms have none", async () => {
    expect(glyphWarnings("map.png", ["漢字"])[0]).toMatch(
      /lacks 2 characters of the words in map.png \(漢 字\): boxes/,
    );
    expect(glyphWarnings("map.svg", ["漢字"])).toEqual([]);
    expect(glyphWarnings(undefined, ["漢字"])).toEqual([]);
    place().write(
      "cities.txt",
      Array.from({ length: 30 }, (_, i) => (i === 3 ? "東京" : `city ${i}`)).join("\n"),
    );
    const ended = await mapped("--columns", "a,b", "--names", "cities.txt", "--plot", "map.png");
    expect(ended.stderr).toMatch(/lacks 2 characters .*東 京/);
  });
});

describe("neighbours in the data", () => {
  const rows = 40;
  const points = {
    rows,
    columns: 3,
    data: Float64Array.from({ length: 3 * rows }, (_, k) => 1 + ((k * 7919) % 1009) / 100),
  };
  const row = (n: number): number[] => [...points.data.subarray(3 * n, 3 * n + 3)];
  const dot = (a: number[], b: number[]): number => a.reduce((sum, x, k) => sum + x * b[k], 0);
  const far = {
    euclidean: (a: number[], b: number[]) => Math.hypot(...a.map((x, k) => x - b[k])),
    manhattan: (a: number[], b: number[]) => a.reduce((sum, x, k) => sum + Math.abs(x - b[k]), 0),
    cosine: (a: number[], b: number[]) => 1 - dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b)),
  };
  const nearest = (distance: (a: number[], b: number[]) => number, n: number): number[] =>
    Array.from({ length: rows }, (_, m) => m)
      .filter((m) => m !== n)
      .sort((a, b) => distance(row(n), row(a)) - distance(row(n), row(b)))
      .slice(0, 10);

  test.each(["euclidean", "manhattan", "cosine"] as const)(
    "by %s, and the same from its distances",
    (metric) => {
      const found = dataNeighbors(points, metric);
      const distances = {
        rows,
        columns: rows,
        data: Float64Array.from({ length: rows * rows }, (_, k) =>
          far[metric](row(Math.floor(k / rows)), row(k % rows)),
        ),
      };
      for (let n = 0; n < rows; n++) distances.data[n * rows + n] = 0;
      const given = dataNeighbors({ distances }, "euclidean");
      // Of points that are equally far any may be the last.
      const farOf = (n: number, others: Iterable<number>): number[] =>
        Array.from(others, (m) => Number(far[metric](row(n), row(m)).toFixed(9)));
      for (let n = 0; n < rows; n++)
        for (const each of [found, given]) {
          const others = new Set(each?.indices.subarray(10 * n, 10 * n + 10));
          expect(others.size).toBe(10);
          expect(farOf(n, others)).toEqual(farOf(n, nearest(far[metric], n)));
        }
    },
  );

  test("of a graph those that it has; of two points the other; of one none", () => {
    const graph = { neighbors: { indices: [[1, 2], [0], [0]], distances: [[2, 1], [2], [1]] } };
    const found = dataNeighbors(graph, "euclidean");
    expect([...(found?.indices.subarray(0, 3) ?? [])]).toEqual([2, 1, -1]);
    const two = { rows: 2, columns: 1, data: Float64Array.of(0, 1) };
    expect([...(dataNeighbors(two, "euclidean")?.indices ?? [])]).toEqual([1, 0]);
    expect(dataNeighbors({ rows: 1, columns: 1, data: Float64Array.of(0) }, "euclidean")).toBeUndefined();
  });
});
