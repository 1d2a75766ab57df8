import fc from "fast-check";
import { expect, test } from "vitest";
import { CsvScanner } from "../../src/formats/csv-scanner.js";
import { parseNumber } from "../../src/formats/number.js";
import { numberOf } from "../../src/tables/cell.js";
import { encoded } from "./support.js";

/** How numbers are read: as the scanner goes, with a blank behind them, and in a cell that was looked at first. */
function parsed(texts: readonly string[]): number[] {
  const values: number[] = [];
  const scanner = new CsvScanner(
    44,
    {
      number: (value) => values.push(value) > 0,
      cell: (bytes, start, end) => values.push(parseNumber(bytes, start, end)),
      endRecord: () => undefined,
    },
    1e9,
  );
  scanner.push(encoded(texts.map((text) => `${text},${text} \n`).join("")));
  scanner.end();
  const numbers = values.filter((_, k) => k % 2 === 0);
  expect(values.filter((_, k) => k % 2 === 1)).toEqual(numbers);
  expect(texts.map((text) => numberOf(text))).toEqual(numbers);
  return numbers;
}

function expectSame(texts: readonly string[]): void {
  const values = parsed(texts);
  expect(texts.filter((text, i) => !Object.is(values[i], Number(text)))).toEqual([]);
}

const digits = (most: number): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: most }).map((ds) => ds.join(""));

test("decimals are rounded as Number rounds them", () => {
  const decimal = fc
    .tuple(
      fc.constantFrom("", "-", "+"),
      digits(20),
      fc.constantFrom("", "."),
      digits(20),
      fc.integer({ min: -330, max: 280 }),
    )
    .map(
      ([sign, whole, point, fraction, e]) =>
        `${sign}${whole}${point}${point === "" ? "" : fraction}${e % 3 === 0 ? `e${e}` : ""}`,
    );
  fc.assert(fc.property(fc.array(decimal, { minLength: 1, maxLength: 40 }), expectSame), {
    numRuns: 300,
  });
});

test("what String makes of a double is read as that double", () => {
  const double = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(fc.array(double, { minLength: 1, maxLength: 40 }), (values) =>
      expectSame(values.map(String)),
    ),
    { numRuns: 300 },
  );
});

test("the exact middles between neighbouring doubles, and the decimals next to them, are rounded right", () => {
  const middle = fc
    .tuple(
      fc.bigInt({ min: 2n ** 52n, max: 2n ** 53n - 1n }),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(-1n, 0n, 1n),
    )
    .map(([m, power, nudge]) => {
      // (2m + 1) / 2^power is halfway between two doubles, and has `power` decimals
      const scaled = (2n * m + 1n) * 5n ** BigInt(power) + nudge;
      const text = scaled.toString().padStart(power + 1, "0");
      return `${text.slice(0, -power)}.${text.slice(-power)}`;
    });
  fc.assert(
    fc.property(fc.array(middle, { minLength: 1, maxLength: 20 }), (texts) => {
      expectSame(texts);
      expectSame(texts.map((text) => text.slice(0, 30)));
    }),
    { numRuns: 200 },
  );
});

test.each([
  "1",
  "-1",
  "+1",
  "1.",
  ".5",
  "1e3",
  "1E+3",
  "1e-3",
  "00012",
  "0e999",
  "-0",
  "1e-400",
  " 7 ",
  " 7",
])("%s is a number", (text) => {
  expectSame([text]);
});

test.each([
  ".",
  "-",
  "+",
  "-.",
  ".e5",
  "e5",
  "1e",
  "1ex",
  "1e+",
  "1 2",
  "--1",
  "1.2.3",
  "0x1F",
  "1_000",
  "1n",
  "٣",
])("%s is not", (text) => {
  expect(parsed([text])).toEqual([Number.NaN]);
});

test("what is too large is infinite", () => {
  expect(parsed(["1e309", "-1e309"])).toEqual([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
});
