import { gzipSync } from "node:zlib";
import {
  readCells,
  readIdx,
  readLibsvm,
  readNpy,
  readPoints,
  readTable,
  streamLibsvm,
  writeCsv,
  writeJson,
  writeLibsvm,
  writeNpy,
} from "@curvature/datasets";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cut, encoded, outcome } from "./support.js";

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const matrix = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 5 }))
  .chain(([rows, columns]) =>
    fc
      .array(finite, { minLength: rows * columns, maxLength: rows * columns })
      .map((values) => ({ rows, columns, data: Float64Array.from(values) })),
  );
const labelled = matrix.chain((points) =>
  fc.record({
    points: fc.constant(points),
    columns: fc.array(fc.string({ unit: "grapheme" }), {
      minLength: points.columns,
      maxLength: points.columns,
    }),
    labels: fc.array(fc.string({ unit: "grapheme" }), { minLength: points.rows, maxLength: points.rows }),
  }),
);
const delimiter = fc.constantFrom(",", "\t", ";", "|", " ");

/** Texts that are nearly tables: made of the marks that matter. */
const nearlyCsv = fc
  .array(
    fc.constantFrom(
      "1",
      "2.5",
      "-3e2",
      "x",
      "é",
      ",",
      ";",
      "\t",
      " ",
      '"',
      '""',
      "\n",
      "\r\n",
      "\r",
      "\0",
      "NaN",
      "1e999",
    ),
    { maxLength: 40 },
  )
  .map((parts) => encoded(parts.join("")));
const nearlyJson = fc
  .array(
    fc.constantFrom(
      "[",
      "]",
      "{",
      "}",
      '"a"',
      '"b"',
      '"__proto__"',
      ":",
      ",",
      "1",
      "-0",
      "null",
      "\n",
      "1e999",
      "é",
    ),
    { maxLength: 40 },
  )
  .map((parts) => encoded(parts.join("")));
const nearlyNpy = fc
  .tuple(fc.uint8Array({ maxLength: 8 }), fc.nat({ max: 150 }), fc.nat({ max: 160 }))
  .map(([noise, place, length]) => {
    const bytes = new Uint8Array(200);
    bytes.set(writeNpy([[1, 2]]));
    bytes.set(noise, place);
    return bytes.slice(0, length);
  });
const nearlyIdx = fc
  .tuple(fc.constantFrom(8, 9, 11, 12, 13, 14), fc.nat({ max: 4 }), fc.uint8Array({ maxLength: 40 }))
  .map(([type, dimensions, rest]) => Uint8Array.of(0, 0, type, dimensions, ...rest));
const damagedGzip = fc
  .tuple(nearlyCsv, fc.nat(), fc.nat({ max: 255 }), fc.nat({ max: 60 }))
  .map(([bytes, place, value, length]) => {
    const gzip = Uint8Array.from(gzipSync(bytes));
    gzip[place % gzip.length] = value;
    return gzip.slice(0, Math.max(2, gzip.length - (length > 20 ? 0 : length)));
  });
const nearlyLibsvm = fc
  .array(
    fc.constantFrom(
      "1",
      "-1",
      "x",
      "0",
      "3",
      "2147483646",
      ":",
      "2.5",
      "1e999",
      "nan",
      " ",
      "\t",
      "\n",
      "\r",
      "#",
      ",",
      "qid:",
      "é",
    ),
    { maxLength: 40 },
  )
  .map((parts) => encoded(parts.join("")));
const anything = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  nearlyCsv,
  nearlyLibsvm,
  nearlyJson,
  nearlyNpy,
  nearlyIdx,
  damagedGzip,
);
const places = fc.array(fc.nat({ max: 500 }), { maxLength: 8 });

type Bytes = Parameters<typeof readPoints>[0];
const readers = {
  readNpy,
  readIdx,
  readPoints,
  readTable,
  readPointsWithLabels: (bytes: Bytes) => readPoints(bytes, { labels: 0, header: "yes" }),
  readPointsOfAnything: (bytes: Bytes) => readPoints(bytes, { words: "hash", missing: "mean" }),
  readPointsOfBlanks: (bytes: Bytes) => readPoints(bytes, { delimiter: " " }),
  readPointsOfLines: (bytes: Bytes) => readPoints(bytes, { format: "jsonl", maxRecordBytes: 30 }),
  readPointsWithSmallRecords: (bytes: Bytes) => readPoints(bytes, { maxRecordBytes: 9 }),
};

const isError = (result: unknown): boolean =>
  typeof result === "object" && result !== null && "code" in result;

describe.each(Object.entries(readers))("%s", (_, read) => {
  test("makes a finite matrix or a CurvatureError of any bytes, however they are cut", {
    tags: ["full"],
  }, async () => {
    await fc.assert(
      fc.asyncProperty(anything, places, async (bytes, at) => {
        const whole = await outcome(read(bytes));
        const inPieces = await outcome(read(cut(bytes, at)));
        // what a damaged gzip file gives before its damage shows is up to the engine
        if (bytes[0] === 0x1f && isError(whole)) expect(isError(inPieces)).toBe(true);
        else expect(inPieces).toEqual(whole);
        if (typeof whole === "object" && whole !== null && "points" in whole) {
          const result = await read(bytes);
          if (!("points" in result)) return;
          const { points } = result;
          expect(points.data.length).toBe(points.rows * points.columns);
          expect(points.data.length).toBeGreaterThan(0);
          expect(points.data.every(Number.isFinite)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});

const sparse = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 8 }))
  .chain(([rows, columns]) =>
    fc.record({
      A: fc
        .array(fc.uniqueArray(fc.nat({ max: columns - 1 })), { minLength: rows, maxLength: rows })
        .chain((rowColumns) => {
          const sorted = rowColumns.map((row) => row.sort((a, b) => a - b));
          const count = sorted.flat().length;
          return fc.array(finite, { minLength: count, maxLength: count }).map((values) => ({
            rows,
            columns: Math.max(0, ...sorted.flat().map((j) => j + 1)),
            rowPointers: Int32Array.from([0, ...sorted.map((_, i) => sorted.slice(0, i + 1).flat().length)]),
            columnIndices: Int32Array.from(sorted.flat()),
            values: Float64Array.from(values),
          }));
        }),
      labels: fc.oneof(
        fc.array(finite, { minLength: rows, maxLength: rows }).map((labels) => Float64Array.from(labels)),
        fc.array(fc.stringMatching(/^[A-Za-zäß_-]{1,6}$/), { minLength: rows, maxLength: rows }),
      ),
      indexBase: fc.constantFrom<0 | 1>(0, 1),
    }),
  );
const isLabel = (word: unknown): boolean => !/^[+-]?(nan|inf|infinity)$/i.test(String(word));

test("sparse rows written as LIBSVM are read again bit for bit, in either precision, however they are cut", async () => {
  await fc.assert(
    fc.asyncProperty(sparse, places, async ({ A, labels, indexBase }, at) => {
      fc.pre([...labels].every(isLabel));
      const double = Buffer.concat([...writeLibsvm(A, labels, { indexBase })]);
      const read = await readLibsvm(cut(double, at), { indexBase, precision: "double" });
      expect(read.rows).toEqual(A);
      expect(read.labels).toEqual(labels);
      const halved = A.values.map((value) => Math.fround(value / 2 ** 900));
      const single = { ...A, values: Float32Array.from(halved) };
      const text = Buffer.concat([...writeLibsvm(single, labels, { indexBase })]);
      expect((await readLibsvm(cut(text, at), { indexBase })).rows).toEqual(single);
    }),
    { numRuns: 300 },
  );
});

test("LIBSVM text of any bytes makes finite, sorted rows or a CurvatureError, and batches make the same", {
  tags: ["full"],
}, async () => {
  const all = async (bytes: Uint8Array, indexBase: 0 | 1): Promise<unknown[]> => {
    const rows: unknown[] = [];
    for await (const { rows: A, labels } of streamLibsvm(bytes, { batchRows: 2, indexBase })) {
      for (let i = 0; i < A.rows; i++) {
        const [from, to] = [A.rowPointers[i], A.rowPointers[i + 1]];
        rows.push([labels[i], A.columnIndices.slice(from, to), A.values.slice(from, to)]);
      }
    }
    return rows;
  };
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(nearlyLibsvm, anything),
      places,
      fc.constantFrom<0 | 1>(0, 1),
      async (bytes, at, indexBase) => {
        const whole = await outcome(readLibsvm(bytes, { indexBase }));
        const inPieces = await outcome(readLibsvm(cut(bytes, at), { indexBase }));
        const batches = await outcome(all(bytes, indexBase));
        if (isError(whole)) {
          expect(isError(batches)).toBe(true);
          if (bytes[0] === 0x1f) expect(isError(inPieces)).toBe(true);
          else expect(inPieces).toEqual(whole);
          return;
        }
        expect(inPieces).toEqual(whole);
        const { rows: A, labels } = await readLibsvm(bytes, { indexBase });
        expect(A.values.every(Number.isFinite)).toBe(true);
        expect(batches).toHaveLength(A.rows);
        const expected = Array.from({ length: A.rows }, (_, i) => {
          const [from, to] = [A.rowPointers[i], A.rowPointers[i + 1]];
          const columns = A.columnIndices.slice(from, to);
          expect(columns.every((j, k) => j > (k === 0 ? -1 : columns[k - 1]))).toBe(true);
          return [labels[i], columns, A.values.slice(from, to)];
        });
        expect(batches).toEqual(expected);
      },
    ),
    { numRuns: 1000 },
  );
});

test("a table written as CSV is read again bit for bit, whatever the texts and the cuts", async () => {
  await fc.assert(
    fc.asyncProperty(labelled, delimiter, places, async ({ points, columns, labels }, mark, at) => {
      const text = [...writeCsv(points, { columns, labels, delimiter: mark })].join("");
      const { cells } = await readCells(cut(encoded(text), at), { delimiter: mark });
      const numbers = cells.slice(1).map((row) => row.slice(0, -1).map(Number));
      expect(numbers.flat()).toEqual([...points.data]);
      expect(cells[0].slice(0, -1)).toEqual(columns);
      expect(cells.slice(1).map((row) => row.at(-1))).toEqual(labels);
    }),
    { numRuns: 300 },
  );
});

const word = fc.constantFrom("red", "dark blue", 'the "best"', "a,b;c|d", "größer", "it's", "two\nlines");
const tame = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 });
test("and as points with labels, by names, numbers and words that tables have", async () => {
  const rows = fc.array(fc.record({ x: tame, y: tame, label: word }), { minLength: 3, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(rows, delimiter, places, async (all, mark, at) => {
      const points = all.map(({ x, y }) => [x + 0.25, y + 0.5]);
      fc.pre(points.flat().every((value) => !Number.isInteger(value)));
      const labels = all.map(({ label }) => label);
      const text = [...writeCsv(points, { columns: ["x", "y z"], labels, delimiter: mark })].join("");
      const read = await readPoints(cut(encoded(text), at), { delimiter: mark, labels: "label" });
      expect([...read.points.data]).toEqual(points.flat());
      expect([read.columns, read.labels]).toEqual([["x", "y z"], labels]);
    }),
    { numRuns: 300 },
  );
});

test("a quote in front disarms texts that a spreadsheet would run, and those that begin as if it stood there", async () => {
  await fc.assert(
    fc.asyncProperty(labelled, async ({ points, labels }) => {
      const [guarded, raw] = [false, true].map((raw) => [...writeCsv(points, { labels, raw })].join(""));
      const isChanged = (label: string): boolean =>
        /^'*([=@\t\r]|[+-].)/s.test(label) && Number.isNaN(Number(label));
      expect(guarded === raw).toBe(!labels.some((label) => isChanged(label) || /^'+[+-]$/.test(label)));
      const { cells } = await readCells(guarded, { delimiter: "," });
      expect(cells.map((row) => row.at(-1))).toEqual(labels);
    }),
  );
});

test("matrices survive npy and JSON, and gzip around them, bit for bit", async () => {
  await fc.assert(
    fc.asyncProperty(matrix, async (points) => {
      const npy = writeNpy(points);
      // whole numbers beyond what float64 holds exactly are names, as a rule
      fc.pre(!points.data.some((value) => /^\d{16,}$/.test(String(value))));
      const json = encoded([...writeJson(points)].join(""));
      expect((await readNpy(npy)).points).toEqual(points);
      const options = { columns: Array.from({ length: points.columns }, (_, j) => j) };
      expect((await readPoints(json, options)).points).toEqual(points);
      expect((await readPoints(Uint8Array.from(gzipSync(npy)))).points).toEqual(points);
      expect((await readPoints(Uint8Array.from(gzipSync(json)), options)).points).toEqual(points);
    }),
  );
});
