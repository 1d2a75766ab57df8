/** A map of a raw table that is saved, and rows that come later, in another form. */
import { beforeAll, expect, test } from "vitest";
import { isOneSentence, rowsOf, workplace } from "./cli.js";

const place = workplace();

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly size: string;
  readonly mass: string;
}

const rows: readonly Row[] = Array.from({ length: 60 }, (_, i) => ({
  id: `P${i}`,
  kind: ["ape", "bee", "cat"][i % 3],
  size: String((i % 3 === 0 ? 20 : 0) + ((i * 37) % 10) / 10),
  mass: String(1000 * ((i % 3 === 1 ? 100 : 20) + ((i * 53) % 10))),
}));

const csv = (names: readonly (keyof Row)[], of: readonly Row[]): string =>
  [names.join(","), ...of.map((row) => names.map((name) => row[name]).join(","))].join("\n");

const flags = ["--labels", "kind", "--ignore", "id", "--scale", "standard"];

beforeAll(async () => {
  place().write("known.csv", csv(["id", "kind", "size", "mass"], rows));
  const words = ["embed", "known.csv", ...flags, "--model", "map.model", "--out", "map.csv", "-q"];
  expect(await place().run(words)).toMatchObject({ code: 0, stderr: "" });
});

const transform = (...words: string[]) => place().run(["transform", "map.model", ...words]);

test("the rows of the map, in another order of columns, lie where they lay, and are like none outside", async () => {
  place().write("turned.csv", csv(["mass", "kind", "size", "id"], rows));
  const { code, stdout, stderr } = await transform("turned.csv", "--labels", "kind", "--keep", "id");
  expect(code, stderr).toBe(0);
  const [header, ...cells] = rowsOf(stdout);
  expect(header).toBe("x,y,quantile,outside,kind,id");
  const map = rowsOf(place().read("map.csv")).slice(1);
  let off = 0;
  for (const [i, line] of cells.entries()) {
    const [x, y, quantile, outside, kind, id] = line.split(",");
    const [mapX, mapY] = map[i].split(",").map(Number);
    off += Math.hypot(Number(x) - mapX, Number(y) - mapY) / 60;
    expect({ quantile, outside, kind, id }).toEqual({
      quantile: "0",
      outside: "0",
      kind: rows[i].kind,
      id: rows[i].id,
    });
  }
  const reach = Math.max(...map.map((line) => Math.abs(Number(line.split(",")[0]))));
  expect(off / reach).toBeLessThan(0.1);
});

test("one row far away is placed, flagged and warned of, and drawn", async () => {
  place().write("far.csv", csv(["size", "mass"], [{ ...rows[0], mass: "9e9" }]));
  const { code, stderr } = await transform("far.csv", "--out", "far.tsv", "--plot", "far.svg");
  expect({ code }).toEqual({ code: 0 });
  expect(stderr).toContain("lies farther from the nearest point of the map");
  expect(stderr).toContain("Placed 1 rows of far.csv; 1 outside.");
  expect(place().read("far.tsv").split("\n")[1].split("\t").slice(2)).toEqual(["1", "1"]);
  expect(place().read("far.svg")).toContain("the map");
  expect((await transform("turned.csv", "--plot", "all.html", "-q")).code).toBe(0);
});

test.each([
  ["a renamed column", "weight,size\n1,2\n", '"mass"'],
  ["a missing column", "size\n1\n2\n", '"mass"'],
  ["a gap", "size,mass\n1,\n", "mass"],
  ["a word that is no number", "size,mass\n1,NaN\n", "mass"],
])("%s is named", async (name, text, words) => {
  place().write("bad.csv", text);
  const { code, stderr } = await transform("bad.csv", "-q");
  expect({ code }, name).toEqual({ code: 65 });
  expect(stderr).toContain(words);
  expect(isOneSentence(stderr)).toBe(true);
});

test("a map that places no points is not made for a model", async () => {
  const words = [
    "embed",
    "turned.csv",
    "--columns",
    "size,mass",
    "--method",
    "nonsymmetric-tsne",
    "--model",
    "none.model",
    "-q",
  ];
  const { code, stderr } = await place().run(words);
  expect({ code }).toEqual({ code: 64 });
  expect(stderr).toContain("--model: a map of --method nonsymmetric-tsne places no new points");
});

test("--columns is the model's to say", async () => {
  const { code, stderr } = await transform("turned.csv", "--columns", "size", "-q");
  expect({ code }).toEqual({ code: 64 });
  expect(stderr).toContain("--columns: the model says which columns it takes");
});

test("--missing says what becomes of gaps", async () => {
  place().write("gaps.csv", "size,mass\n1,\n2,20000\n");
  expect(rowsOf((await transform("gaps.csv", "--missing", "drop", "-q")).stdout)).toHaveLength(2);
  expect(rowsOf((await transform("gaps.csv", "--missing", "mean", "-q")).stdout)).toHaveLength(3);
});

test("other models and damaged maps are named, and other commands name the one that takes a map", async () => {
  place().write("cut.model", place().bytes("map.model").subarray(0, 2000));
  place().write("later.model", place().read("map.model").replace('"version":1', '"version":2'));
  for (const [model, words] of [
    ["cut.model", "does not agree with its checksum"],
    ["later.model", "is of version 2; this library reads version 1"],
    ["known.csv", "does not begin with the header of a model"],
  ]) {
    const { code, stderr } = await place().run(["transform", model, "turned.csv", "-q"]);
    expect({ code }).toEqual({ code: 65 });
    expect(stderr).toContain(words);
  }
  for (const command of ["predict", "assign"])
    expect((await place().run([command, "map.model", "turned.csv", "-q"])).stderr).toContain(
      "curvature transform places",
    );
});

test("inspect says what a map is and takes, for people and programs", async () => {
  const lines = Array.from({ length: 40 }, (_, i) => `R${i},${i % 7},${(i * 31) % 11},${(i * 17) % 13}`);
  place().write("kept.csv", `id,size,mass,=age\n${lines.join("\n")}\n`);
  const made = ["--ignore", "id", "--scale", "standard", "--perplexity", "5", "--model", "kept.model", "-q"];
  expect((await place().run(["embed", "kept.csv", ...made])).code).toBe(0);
  const { code, stdout, stderr } = await place().run(["inspect", "kept.model"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("kept.model is a map of 40 rows on 2 axes.");
  for (const words of [
    "size, mass, =age",
    "scaled (standard)",
    "perplexity 5, metric euclidean",
    "40 × 3 numbers",
  ])
    expect(stdout).toContain(words);
  expect(stdout).toContain("curvature transform kept.model new.csv");
  const plain = await place().run(["inspect", "kept.model", "--json"]);
  expect(JSON.parse(plain.stdout)).toMatchObject({
    rows: 40,
    axes: 2,
    columns: 3,
    names: ["size", "mass", "=age"],
  });
  const refused = await place().run(["inspect", "kept.model", "--weights", "w.json"]);
  expect(refused.code).toBe(64);
  expect(refused.stderr).toContain("is a map: curvature transform places rows in it");
});
