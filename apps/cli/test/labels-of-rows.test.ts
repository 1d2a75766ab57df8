/** Labels that a model does not know, that are missing, that look like numbers, and columns that are called as results are. */
import { beforeAll, describe, expect, test } from "vitest";
import { isOneSentence, rowsOf, workplace } from "./cli.js";

const place = workplace();

/** Two clouds of points. @param nameOf - of a row's class, 0 or 1 */
function clouds(rows: number, nameOf: (kind: number, row: number) => string, label = "kind"): string {
  const lines = Array.from({ length: rows }, (_, i) => {
    const kind = i % 2;
    return `${3 * kind + Math.sin(7.1 * i)},${Math.cos(3.3 * i) - kind},${nameOf(kind, i)}`;
  });
  return `a,b,${label}\n${lines.join("\n")}\n`;
}

const plain = (kind: number): string => (kind === 0 ? "ham" : "spam");

beforeAll(async () => {
  place().write("mail.csv", clouds(60, plain));
  place().write(
    "later.csv",
    clouds(30, (kind, row) => (row < 3 ? "scam" : row === 5 ? "junk" : plain(kind))),
  );
  const words = ["train", "mail.csv", "--labels", "kind", "--model", "mail.json", "--quiet"];
  expect(await place().run(words)).toMatchObject({ code: 0 });
});

const unknown =
  /warning: .*4 rows have labels that the model does not know: "scam", "junk"\. They count as wrong, and there is no log loss\./;

test.each([
  ["evaluate", ["evaluate", "mail.json", "later.csv"]],
  ["train --test", ["train", "mail.csv", "--labels", "kind", "--test", "later.csv", "--model", "m.json"]],
  [
    "fit --test",
    [
      "fit",
      "mail.csv",
      "--labels",
      "kind",
      "--objective",
      "softmax",
      "--test",
      "later.csv",
      "--model",
      "f.json",
    ],
  ],
])("labels that the model does not know are named: %s", async (_, words) => {
  const { stderr, code } = await place().run(words);
  expect(code).toBe(0);
  expect(stderr.replace(/\s+/g, " ")).toMatch(unknown);
});

describe("numbers with leading zeros are names", () => {
  const codes = (kind: number): string => (kind === 0 ? "007" : "7");

  test.each([
    ["train", []],
    ["fit", ["--objective", "softmax"]],
  ])("007 and 7 are two classes: %s", async (command, words) => {
    place().write("codes.csv", clouds(40, codes));
    const model = ["--model", "codes.json", "--quiet"];
    const { code, stderr } = await place().run([
      command,
      "codes.csv",
      "--labels",
      "kind",
      ...words,
      ...model,
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { stdout } = await place().run(["predict", "codes.json", "codes.csv", "--quiet"]);
    expect(new Set(rowsOf(stdout).slice(1))).toEqual(new Set(["007", "7"]));
    const { stdout: table } = await place().run(["evaluate", "codes.json", "codes.csv", "--quiet"]);
    expect(table).toMatch(/^007 +[\d.]+ +[\d.]+ +[\d.]+ +20$/m);
  });

  test("1, 1.0 and +1 are one", async () => {
    const one = ["1", "1.0", "+1"];
    place().write(
      "ones.csv",
      clouds(40, (kind, row) => (kind === 0 ? "0" : one[row % 3])),
    );
    const words = ["train", "ones.csv", "--labels", "kind", "--model", "ones.json", "--quiet"];
    expect(await place().run(words)).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(place().read("ones.json")).classes).toHaveLength(2);
  });

  test("and numbers where numbers are predicted", async () => {
    const lines = Array.from(
      { length: 30 },
      (_, i) => `${((7 * i) % 31) / 2},${String(3 * i).padStart(3, "0")}`,
    );
    place().write("padded.csv", `x,y\n${lines.join("\n")}\n`);
    const words = ["--labels", "y", "--loss", "squared-error", "--model", "padded.json", "--quiet"];
    expect(await place().run(["train", "padded.csv", ...words])).toMatchObject({ code: 0, stderr: "" });
  });
});

test("a column that is called as a result is kept, and the result is called otherwise", async () => {
  place().write("named.csv", clouds(40, plain, "label"));
  const model = ["--labels", "label", "--model", "named.json", "--quiet"];
  await place().run(["train", "named.csv", ...model]);
  const kept = ["predict", "named.json", "named.csv", "--keep", "label"];
  const { stdout, stderr } = await place().run(kept);
  const [header, ...rows] = rowsOf(stdout).map((line) => line.split(","));
  expect(header).toEqual(["label", "predicted_label"]);
  expect(rows.map(([label]) => label)).toEqual(
    rowsOf(place().read("named.csv"))
      .slice(1)
      .map((line) => line.split(",")[2]),
  );
  expect(stderr).toContain('that of the predictions is "predicted_label"');
  place().write(
    "places.csv",
    `x,y,z,kind\n${Array.from({ length: 30 }, (_, i) => `${i % 7},${i % 5},${i % 3},k${i % 2}`).join("\n")}\n`,
  );
  const embed = ["embed", "places.csv", "--labels", "kind", "--keep", "x,kind", "--max-evaluations", "5"];
  const map = await place().run([...embed, "--quiet"]);
  expect(rowsOf(map.stdout)[0]).toBe("map_x,y,x,kind");
});

test("rows without a label are left out where gaps are: as the model was trained, or by --missing drop", async () => {
  place().write(
    "gaps.csv",
    clouds(20, (kind, row) => (row === 4 || row === 9 ? "" : plain(kind))),
  );
  const words = ["train", "gaps.csv", "--labels", "kind", "--missing", "mean", "--model", "gaps.json"];
  expect(await place().run([...words, "--quiet"])).toMatchObject({ code: 0 });
  for (const measured of [["gaps.json"], ["mail.json", "--missing", "drop"]]) {
    const [model, ...how] = measured;
    const { stdout, stderr } = await place().run(["evaluate", model, "gaps.csv", ...how]);
    expect(stdout).toMatch(/^rows +18$/m);
    expect(stderr).toContain('2 of 20 rows are left out: "kind" has no value there.');
  }
});

describe("a missing label", () => {
  beforeAll(() => {
    place().write(
      "gap.csv",
      clouds(20, (kind, row) => (row === 4 || row === 9 ? "" : plain(kind))),
    );
    place().write(
      "labels.txt",
      `${Array.from({ length: 60 }, (_, i) => (i === 7 ? "" : plain(i % 2))).join("\n")}\n`,
    );
  });

  test.each([
    [
      "evaluate mail.json gap.csv",
      /gap\.csv: "kind" has no label in 2 rows \(the first is line 6\)\. Give each/,
    ],
    [
      "train mail.csv --ignore kind --labels labels.txt",
      /labels\.txt has no label in 1 row \(row 8\)\. Give each/,
    ],
    [
      "fit mail.csv --ignore kind --labels labels.txt --objective softmax",
      /labels\.txt has no label in 1 row \(row 8\)\. Give each/,
    ],
    ["train gap.csv --labels kind", /"kind" has no label in 2 rows \(the first is line 6\).*--missing drop/],
  ])("%s", async (words, sentence) => {
    const ended = await place().run(words.split(" "));
    expect(ended.code).toBe(65);
    expect(ended.stderr).toMatch(sentence);
    expect(isOneSentence(ended.stderr)).toBe(true);
  });
});

test("numbers that are taken for classes are warned of once, by a flag", async () => {
  const lines = Array.from({ length: 90 }, (_, i) => `${(i * 7) % 31},${(i * 11) % 17},${(i * 13) % 83}.5`);
  place().write("prices.csv", `a,b,price\n${lines.join("\n")}\n`);
  const { stderr } = await place().run([
    "train",
    "prices.csv",
    "--labels",
    "price",
    "--model",
    "prices.json",
  ]);
  expect(stderr.replace(/\s+/g, " ").match(/taken for a class/g)).toHaveLength(1);
  expect(stderr).toContain("--loss squared-error");
  expect(stderr).not.toContain("LinearRegressor");
});
