import {
  applyPreparation,
  type DataTable,
  isPreparation,
  prepare,
  preparedNames,
  suggestedPreparation,
} from "@curvature/linalg/tables";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Cells, rowsOf, table } from "./support.js";

const flowers = table(
  {
    id: [7, 3, 9, 4],
    petal: [1.5, null, 4.5, 3],
    color: ["red", "white", null, "red"],
    size: ["small", "large", "large", "small"],
    kind: ["a", "b", "b", "a"],
  },
  { id: "id" },
);

describe("what stands in the way", () => {
  test("all of it is said at once, each column once, with what to do", () => {
    expect(() => prepare(flowers)).toThrow(
      '"petal" has no value in 1 row (row 2); "color" holds words ("red", "white") and has no value in 1 row (row 3); "size" holds words ("small", "large"); "kind" holds words ("a", "b"). Turn words into columns with words: "one-hot", leave them out with words: "drop", or choose one as labels; fill missing cells with missing: "mean", or leave their rows out with missing: "drop".',
    );
  });

  test("names of rows are left out with a note, dates and words that differ in all rows are refused", () => {
    const titles = Array.from({ length: 12 }, (_, i) => `title ${i}`);
    const dated = table(
      { title: titles, day: titles.map((_, i) => `2024-01-${10 + i}`), x: titles.map((_, i) => i * i) },
      { day: "date" },
    );
    expect(() => prepare(dated, { words: "one-hot" })).toThrow(
      /"title" holds different words in all rows .*; "day" holds dates .*Leave out "title" and "day" with ignore\./,
    );
    const { columns, notes } = prepare(table({ row: [5, 2], x: [1, 2] }, { row: "id" }));
    expect(columns).toEqual(["x"]);
    expect(notes).toEqual(['"row" names the rows and is no feature: left out.']);
  });

  describe("an infinite number", () => {
    const infinite = table({
      x: [1, Number.POSITIVE_INFINITY, 4, Number.NEGATIVE_INFINITY],
      y: [1, 2, 3, 4],
    });

    test("is named with its row and what takes it", () => {
      expect(() => prepare(infinite)).toThrow(
        'The columns cannot be used as they are: "x" is infinite in 2 rows (the first is row 2). Take infinite numbers for missing ones with missing: "drop" or missing: "mean".',
      );
      expect(suggestedPreparation(infinite)).toMatchObject({ ignore: [], missing: "mean" });
    });

    test("counts as missing, and says so", () => {
      const dropped = prepare(infinite, { missing: "drop" });
      expect(Array.from(dropped.points.data)).toEqual([1, 1, 4, 3]);
      expect(dropped.notes).toEqual([
        'Infinite numbers of "x" count as missing.',
        '2 of 4 rows are left out: "x" has no value there.',
      ]);
      const filled = prepare(infinite, { missing: "mean" });
      expect(Array.from(filled.points.data)).toEqual([1, 1, 2.5, 2, 4, 3, 2.5, 4]);
      expect(filled.preparation.columns[0].fill).toBe(2.5);
      const later = applyPreparation(filled.preparation, infinite);
      expect(Array.from(later.points.data)).toEqual(Array.from(filled.points.data));
    });

    test("as a target", () => {
      const options = { labels: "x", areTargets: true };
      expect(() => prepare(infinite, options)).toThrow('"x" is infinite in 2 rows');
      expect(Array.from(prepare(infinite, { ...options, missing: "mean" }).kept ?? [])).toEqual([0, 2]);
    });
  });

  test("a cell that is no number is named with its line, and may count as missing", () => {
    const { columns, ...rest } = table({ x: [1, null, 3], y: [1, 2, 3] });
    const odd = [{ row: 1, text: "2,5x" }];
    const typo: DataTable = {
      ...rest,
      lines: Int32Array.of(2, 3, 5),
      columns: columns.map((each) => (each.name === "x" ? { ...each, missing: 0, odd } : each)),
    };
    expect(() => prepare(typo)).toThrow('"x" has a cell that is no number (line 3: "2,5x"). Correct "x"');
    const { points, kept, notes } = prepare(typo, { missing: "drop" });
    expect(rowsOf(points)).toEqual([
      [1, 1],
      [3, 3],
    ]);
    expect(kept).toEqual(Int32Array.of(0, 2));
    expect(notes).toEqual([
      '"x" has a cell that is no number (line 3: "2,5x"), which counts as missing.',
      '1 of 3 rows are left out: "x" has no value there.',
    ]);
  });
});

describe("the matrix", () => {
  test("numbers, words, gaps", () => {
    const { points, columns, notes } = prepare(flowers, {
      words: "one-hot",
      missing: "mean",
      labels: "kind",
    });
    expect(columns).toEqual(["petal", "color=white", "size=small"]);
    expect(rowsOf(points)).toEqual([
      [1.5, 0, 1],
      [3, 1, 0],
      [4.5, 0, 0],
      [3, 0, 1],
    ]);
    expect(notes.at(-1)).toMatch(/^Missing cells of "petal" and "color" are filled/);
  });

  test("for a model, what was missing stays known", () => {
    const { columns, points } = prepare(flowers, {
      words: "one-hot",
      missing: "mean",
      labels: "kind",
      areTargets: true,
    });
    expect(columns).toEqual(["petal", "petal is missing", "color=white", "color is missing", "size=small"]);
    expect(rowsOf(points).map((row) => [row[1], row[3]])).toEqual([
      [0, 0],
      [1, 0],
      [0, 1],
      [0, 0],
    ]);
  });

  test("rows without a target are incomplete; rows without a mere label are not", () => {
    const some = table({ x: [1, 2, 3], y: ["a", null, "b"] });
    expect(rowsOf(prepare(some, { labels: "y" }).points)).toEqual([[1], [2], [3]]);
    expect(() => prepare(some, { labels: "y", areTargets: true })).toThrow(
      '"y" has no label in 1 row (row 2)',
    );
    expect(rowsOf(prepare(some, { labels: "y", areTargets: true, missing: "mean" }).points)).toEqual([
      [1],
      [3],
    ]);
  });

  test("free text is hashed to 64 columns, categories beside it are not", () => {
    const rows = 40;
    const text = Array.from({ length: rows }, (_, i) => `a report of case ${i} in ward ${i % 7}`);
    const group = Array.from({ length: rows }, (_, i) => (i % 3 === 0 ? "u" : i % 3 === 1 ? "v" : "w"));
    const { points, columns } = prepare(table({ text, group }), { words: "hash" });
    expect(columns).toHaveLength(64 + 3);
    const [first, second] = rowsOf(points);
    const differing = first.filter((value, k) => value !== second[k]).length;
    expect(differing).toBeGreaterThan(0);
    expect(differing).toBeLessThan(12); // of six words two differ, and the group
  });

  test("a table of numbers alone is not copied", () => {
    const data = Float64Array.of(1, 2, 3, 4);
    const column = (name: string, offset: number) => ({
      name,
      type: "number" as const,
      unit: undefined,
      missing: 0,
      numbers: { data, offset, stride: 2 },
      codes: undefined,
      levels: [],
      odd: [],
    });
    expect(prepare({ rows: 2, isNamed: true, columns: [column("a", 0), column("b", 1)] }).points.data).toBe(
      data,
    );
  });
});

describe("columns are chosen", () => {
  const numbers = table({ "2": [1, 2], a: [3, 4], b: [5, 6] });
  test.each([
    [{ columns: ["b", 0] }, ["b", "2"]],
    [{ columns: ["2"] }, ["2"]], // a name comes before an index
    [{ columns: ["1"] }, ["a"]],
    [{ columns: "numeric", ignore: ["a"] }, ["2", "b"]],
    [{ keep: ["a"] }, ["2", "b"]],
  ] as const)("%j", (options, names) => expect(prepare(numbers, options).columns).toEqual(names));

  test("what is not there is named with what is near", () => {
    expect(() => prepare(table({ weight: [1], size: [2] }), { ignore: ["wieght"] })).toThrow(
      'ignore: there is no column "wieght". Did you mean "weight"?',
    );
    expect(() => prepare(numbers, { columns: [3] })).toThrow("there is no column 3; the columns are 0 to 2.");
    expect(() => prepare(numbers, { labels: "a", ignore: ["a"] })).toThrow(
      'the column "a" is chosen as labels',
    );
  });
});

describe("later rows", () => {
  const { preparation } = prepare(flowers, {
    words: "one-hot",
    missing: "mean",
    labels: "kind",
    areTargets: true,
  });

  test("are matched by name in any order; new words, other columns and the labels are no harm", () => {
    const later = table({
      size: ["small", "huge"],
      note: ["x", "y"],
      color: ["white", "red"],
      kind: ["a", "b"],
      petal: [2, null],
    });
    const { points, notes } = applyPreparation(preparation, later);
    expect(rowsOf(points)).toEqual([
      [2, 0, 1, 0, 1],
      [3, 1, 0, 0, 0],
    ]);
    expect(notes).toEqual([
      '"note" did not occur in the fit and is ignored.',
      "The columns come in another order than in the fit; they are matched by name.",
      'Missing cells of "petal" are filled with the column\'s mean or its most frequent word.',
      '1 cell of "size" holds a word that the fit has not seen; they count as none of its words.',
    ]);
  });

  test("a cell that is no number is named, and counts as missing", () => {
    const later = table({ petal: [2, null], color: ["red", "red"], size: ["small", "large"] });
    const odd = [{ row: 1, text: "wide" }];
    const columns = later.columns.map((each) =>
      each.name === "petal" ? { ...each, missing: 0, odd } : each,
    );
    const said = '"petal" has a cell that is no number (row 2: "wide"), which counts as missing.';
    expect(applyPreparation(preparation, { ...later, columns }).notes).toContain(said);
    const { points, notes } = applyPreparation(preparation, { ...later, columns }, { missing: "drop" });
    expect(points.rows).toBe(1);
    expect(notes).toEqual([said, '1 of 2 rows are left out: "petal" has no value there.']);
    expect(() => applyPreparation(preparation, { ...later, columns }, { missing: "error" })).toThrow(
      '"petal" has a cell that is no number (row 2: "wide")',
    );
  });

  test("that lack a column are refused, and words where numbers were", () => {
    expect(() =>
      applyPreparation(preparation, table({ petal: [1], colour: ["red"], size: ["small"] })),
    ).toThrow('The table lacks "color", which the model was fitted on; it has "colour" instead.');
    expect(() =>
      applyPreparation(
        preparation,
        table({ petal: ["many", "few"], color: ["red", "red"], size: ["small", "small"] }),
      ),
    ).toThrow('"petal" held numbers in the fit, and here "many" (row 1)');
  });

  test("without names are matched by position", () => {
    const numbers = prepare(table({ a: [1, 2], b: [3, 4] })).preparation;
    const nameless = { ...table({ "column 1": [5], "column 2": [6] }), isNamed: false };
    const { points, notes } = applyPreparation(numbers, nameless);
    expect(rowsOf(points)).toEqual([[5, 6]]);
    expect(notes).toEqual([
      "Only one of table and model names its columns: they are matched by position. Check that they are in the order of the fit.",
    ]);
  });

  test("a preparation survives JSON; what is none is refused", () => {
    const saved: unknown = JSON.parse(JSON.stringify(preparation));
    expect(isPreparation(saved)).toBe(true);
    for (const broken of [
      undefined,
      {},
      { ...preparation, columns: [] },
      { ...preparation, columns: [{ ...preparation.columns[0], fill: null }] },
    ])
      expect(isPreparation(broken)).toBe(false);
  });
});

const words = fc.constantFrom("a", "b", "c", "NA", "__proto__", "constructor", "");
const cells = (rows: number): fc.Arbitrary<Cells> =>
  fc.oneof(
    fc.array(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })), {
      minLength: rows,
      maxLength: rows,
    }),
    fc.array(fc.option(words), { minLength: rows, maxLength: rows }),
  );
const tables = fc.integer({ min: 1, max: 14 }).chain((rows) =>
  fc
    .dictionary(fc.constantFrom("x", "y", "id", "__proto__x", "toString", "date"), cells(rows), {
      minKeys: 1,
    })
    .filter((columns) => Object.values(columns).some((each) => each.some((cell) => typeof cell === "number")))
    .map((columns) => table(columns)),
);

describe("of any table", () => {
  test("what is suggested is taken, and gives finite numbers under as many names", () => {
    fc.assert(
      fc.property(tables, (any) => {
        const { points, columns, preparation } = prepare(any, suggestedPreparation(any));
        expect(points.data.every(Number.isFinite)).toBe(true);
        expect(columns).toHaveLength(points.columns);
        expect(preparedNames(preparation)).toEqual(columns);
      }),
    );
  });

  test("the rows of the fit come out the same when they come later, in any order of columns", () => {
    fc.assert(
      fc.property(tables, fc.func(fc.double({ noNaN: true })), (any, by) => {
        const { points, preparation, kept } = prepare(any, suggestedPreparation(any));
        const shuffled = { ...any, columns: [...any.columns].sort((a, b) => by(a.name) - by(b.name)) };
        const later = applyPreparation(JSON.parse(JSON.stringify(preparation)), shuffled);
        expect(later.points).toEqual(points);
        expect(later.kept).toEqual(kept);
      }),
    );
  });
});
