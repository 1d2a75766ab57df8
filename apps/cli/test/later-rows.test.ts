/** A raw table with words, gaps and an id: from training to predictions on rows that come in another form. */
import { beforeAll, describe, expect, test } from "vitest";
import { isOneSentence, rowsOf, workplace } from "./cli.js";

const place = workplace();

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly island: string;
  readonly size: string;
  readonly mass: string;
}

const rows: readonly Row[] = Array.from({ length: 60 }, (_, i) => {
  const k = i % 3;
  return {
    id: `P${i + 100}`,
    kind: ["ape", "bee", "cat"][k],
    island: i % 11 === 0 ? "" : ["Biscoe", "Dream", "Torgersen"][(i * 7) % 3],
    size: String((k === 0 ? 20 : 0) + ((i * 37) % 10) / 10),
    mass: i % 12 === 0 ? "NA" : String((k === 1 ? 100 : 20) + ((i * 53) % 10)),
  };
});

const csv = (names: readonly (keyof Row | "extra")[], of: readonly Row[]): string =>
  [
    names.join(","),
    ...of.map((row) => names.map((name) => (name === "extra" ? "x" : row[name])).join(",")),
  ].join("\n");

const turned = ["mass", "extra", "island", "size", "id"] as const;

beforeAll(async () => {
  place().write("raw.csv", csv(["id", "kind", "island", "size", "mass"], rows));
  const words = ["--labels", "kind", "--ignore", "id", "--words", "one-hot", "--missing", "mean"];
  const { code, stderr } = await place().run(["train", "raw.csv", ...words, "-o", "model.json"]);
  expect(code, stderr).toBe(0);
});

const labelsOf = (table: string): string[] => rowsOf(table).slice(1);

test("columns in another order, and one more, give the same predictions, beside the ids that are kept", async () => {
  place().write("turned.csv", csv(turned, rows));
  const same = await place().run(["predict", "model.json", "raw.csv", "--keep", "id", "-q"]);
  expect(same).toMatchObject({ code: 0, stderr: "" });
  expect(rowsOf(same.stdout).slice(0, 3)).toEqual(["id,label", "P100,ape", "P101,bee"]);
  expect(labelsOf(same.stdout)).toEqual(rows.map(({ id, kind }) => `${id},${kind}`));
  const { code, stdout, stderr } = await place().run(["predict", "model.json", "turned.csv", "--keep", "id"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: same.stdout });
  expect(stderr).toContain('turned.csv: "extra" did not occur in the fit and is ignored.');
  expect(stderr).toContain(
    "turned.csv: The columns come in another order than in the fit; they are matched by name.",
  );
});

test("a word that the fit has not seen is named with its column, and counts as none", async () => {
  place().write("unseen.csv", csv(turned, [{ ...rows[1], island: "Utopia" }, rows[2]]));
  const { code, stdout, stderr } = await place().run(["predict", "model.json", "unseen.csv", "--keep", "id"]);
  expect({ code, rows: labelsOf(stdout) }).toEqual({ code: 0, rows: ["P101,bee", "P102,cat"] });
  expect(stderr).toContain('unseen.csv: 1 cell of "island" holds a word that the fit has not seen');
});

test("a column that is not there is an error that names it", async () => {
  place().write("absent.csv", csv(["id", "island", "size"], rows));
  for (const command of ["predict", "evaluate"]) {
    const { code, stdout, stderr } = await place().run([command, "model.json", "absent.csv"]);
    expect({ code, stdout }).toEqual({ code: 65, stdout: "" });
    expect(stderr).toMatch(/absent\.csv: The table lacks.* "mass", which the model was fitted on/);
    expect(isOneSentence(stderr)).toBe(true);
  }
});

describe("one bad cell", () => {
  const bad = (): string =>
    place().write(
      "bad.csv",
      csv(
        turned,
        rows.map((row, i) => (i === 4 ? { ...row, mass: "heavy" } : row)),
      ),
    );
  const cell = 'bad.csv: "mass" has a cell that is no number (line 6: "heavy")';

  test("is named, and filled as the model fills gaps", async () => {
    const { code, stdout, stderr } = await place().run(["predict", "model.json", bad(), "--keep", "id"]);
    expect({ code, rows: labelsOf(stdout).length }).toEqual({ code: 0, rows: 60 });
    expect(stderr).toContain(`${cell}, which counts as missing.`);
  });

  test("with --missing drop its row is left out, with a note", async () => {
    const words = ["predict", "model.json", bad(), "--keep", "id", "--missing", "drop"];
    const { code, stdout, stderr } = await place().run(words);
    expect(code).toBe(0);
    expect(stdout).not.toContain("P104");
    expect(stdout).toContain("P105");
    expect(stderr).toContain(`${cell}, which counts as missing.`);
    expect(stderr).toMatch(/bad\.csv: \d+ of 60 rows are left out/);
  });
});

describe("evaluate", () => {
  test("finds the labels by the name that the model remembers, wherever they stand", async () => {
    place().write("labelled.csv", csv([...turned, "kind"], rows));
    const { code, stdout } = await place().run(["evaluate", "model.json", "labelled.csv", "-q"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^error +0\.00 %/m);
  });

  test("without that column says which one it looked for", async () => {
    place().write("bare.csv", csv(turned, rows));
    const { code, stderr } = await place().run(["evaluate", "model.json", "bare.csv"]);
    expect(code).toBe(65);
    expect(stderr).toContain(
      'curvature: bare.csv has no column "kind", which the model learned as labels. Name their column or their file with --labels.',
    );
  });
});

describe("what tells the label", () => {
  const code = ["x", "y", "z"];
  const leaking = (): string =>
    place().write(
      "leaking.csv",
      [
        "id,kind,code,size",
        ...rows.map(({ id, kind, size }, i) => [id, kind, code[i % 3], size].join(",")),
      ].join("\n"),
    );
  const words = ["--labels", "kind", "--ignore", "id", "--words", "one-hot"];

  test("is warned of by train, with the command that leaves it out; with it nothing is said", async () => {
    const { code, stderr } = await place().run(["train", leaking(), ...words, "-o", "leaking.json"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^warning: leaking\.csv: "code" tells the label: a model that sees it learns nothing else\. To leave it out: npx @curvature\/cli train leaking\.csv .*--ignore id,code$/m,
    );
    const without = ["--labels", "kind", "--ignore", "id,code", "--folds", "3", "-o", "clean.json"];
    expect((await place().run(["train", "leaking.csv", ...without])).stderr).not.toContain("tells the label");
  });

  test("is in the report, and in cross-validation and a search for the weight", async () => {
    for (const more of [
      ["--folds", "3"],
      ["--lambda", "auto"],
    ]) {
      const run = ["train", leaking(), ...words, ...more, "-q", "--report", "leaks.json"];
      expect((await place().run(run)).stderr).toBe("");
      expect(JSON.parse(place().read("leaks.json")).warnings).toContainEqual(
        expect.stringContaining('"code" tells the label'),
      );
    }
  });
});
