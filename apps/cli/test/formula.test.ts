/** Formulas: what is read, what is refused and where, names against columns, and derivatives against differences. */
import type { Column, DataTable } from "@curvature/linalg/tables";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { functionNames } from "../src/formula/functions.js";
import { checkNumbers, namesOf } from "../src/formula/names.js";
import { parseFormula } from "../src/formula/parse-formula.js";
import { Tape } from "../src/formula/tape.js";

/** The model at named numbers. */
function evaluated(model: string, numbers: Readonly<Record<string, number>> = {}): number {
  const names = Object.keys(numbers);
  const tape = new Tape(parseFormula(`y ~ ${model}`).model, names);
  return tape.value(
    Float64Array.from(names, (name) => numbers[name]),
    0,
  );
}

describe("the grammar", () => {
  test.each<readonly [model: string, value: number]>([
    ["1 + 2 * 3", 7],
    ["8 / 4 / 2", 1],
    ["2 - 3 - 4", -5],
    ["-2 ^ 2", -4],
    ["(-2) ^ 2", 4],
    ["2 ^ -1", 0.5],
    ["2 ^ 3 ^ 2", 512],
    ["2 * -3", -6],
    ["--3", 3],
    ["+3 - +2", 1],
    [".5e1 + 1.e-1", 5.1],
    ["exp(0) + log(1) + sqrt(4)", 3],
    ["pi", Math.PI],
    ["2*(3+(4))", 14],
    ["x * `x`", 9],
    ["Sepal.Length + größe + `two words`", 6],
  ])("%s is %d", (model, value) => {
    const numbers = { x: 3, "Sepal.Length": 1, größe: 2, "two words": 3 };
    expect(evaluated(model, numbers)).toBeCloseTo(value, 14);
  });

  test.each<readonly [formula: string, sentence: RegExp]>([
    ["", /it is empty/],
    ["   ", /it is empty/],
    ["y", /it has no ~/],
    ["y ~", /ends where a number/],
    ["~ a", /"~" at character 1 /],
    ["y ~ a ~ b", /"~" at character 7 /],
    ["process.exit()", /no function "process\.exit" \(character 1\)/],
    ['y ~ import("fs")', /no function "import" \(character 5\)/],
    ["y ~ constructor(x)", /no function "constructor"/],
    ["y ~ toString(x)", /no function "toString"/],
    ["y ~ __proto__(x)", /no function "__proto__"/],
    ["y ~ exq(x)", /Did you mean exp/],
    ["y ~ a[0]", /"\[" at character 6 .*round/],
    ["y ~ a.b.c + {}", /"\{" at character 13/],
    ["y = a * x", /"=" at character 3 .*~ in place/],
    ["y ~ (a = 3) * x", /"=" at character 8/],
    ["y ~ a * x; b", /";" at character 10/],
    ["y ~ a:x", /":" at character 6/],
    ['y ~ "a"', /"\\"" at character 5/],
    ["y ~ 'a'", /"'" at character 5/],
    ["y ~ a # b", /"#" at character 7/],
    ["y ~ a % b", /"%" at character 7 .*per cents/],
    ["y ~ a!", /"!" at character 6/],
    ["y ~ a ? b", /"\?" at character 7/],
    ["y ~ $a", /"\$" at character 5/],
    ["y ~ a\\b", /at character 6/],
    ["y ~ 2x", /"x" at character 6 .*To multiply, write \*/],
    ["y ~ a x", /"x" at character 7 .*To multiply/],
    ["y ~ a(x)", /no function "a".* To multiply/],
    ["y ~ (a)(x)", /"\(" at character 8 .*To multiply/],
    ["y ~ a ** x", /\^ for powers/],
    ["y ~ a * exp(x, 2)", /comma at character 14/],
    ["y ~ a * exp()", /"\)" at character 13/],
    ["y ~ a * (x", /bracket at character 9 is not closed/],
    ["y ~ a * x)", /"\)" at character 10/],
    ["y ~ a * 1e999", /1e999 at character 9 is too large/],
    ["y ~ a * `x", /character 9 has no second `/],
    ["y ~ 3i", /"i" at character 6/],
    ["y ~ 0x10", /"x10" at character 6/],
    [`y ~ ${"(".repeat(1e4)}x${")".repeat(1e4)}`, /20005 characters long; it may have 10000/],
    [`y ~ ${"(".repeat(101)}x`, /nested more than 100 deep at character 105/],
    [`y ~ ${"-".repeat(9000)}x`, /nested more than 100 deep/],
    [`y ~ ${"2^".repeat(4000)}x`, /nested more than 100 deep/],
    [`y ~ ${"exp(".repeat(2000)}x`, /nested more than 100 deep/],
    ["x".repeat(1e5), /100000 characters long/],
  ])("refuses %.60s", (formula, sentence) => {
    expect(() => parseFormula(formula)).toThrow(sentence);
    expect(() => parseFormula(formula)).toThrow(expect.objectContaining({ code: "ERR_OPTION" }));
  });

  test("as long as it may be, and as deep, it is read", () => {
    expect(evaluated(`1${"+1".repeat(4997)}`)).toBe(4998);
    expect(evaluated(`${"(".repeat(99)}2${")".repeat(99)}`)).toBe(2);
  });

  test("any text is a formula or is refused in a sentence", () => {
    const bit = fc.constantFrom(
      ..."ab1.e+-*/^()~`,;= x",
      "exp(",
      "log(",
      "__proto__",
      "\u0000",
      "é",
      "\ud83d",
    );
    fc.assert(
      fc.property(fc.array(bit, { maxLength: 30 }), (bits) => {
        try {
          parseFormula(bits.join(""));
        } catch (error) {
          expect(error).toMatchObject({
            code: "ERR_OPTION",
            message: expect.stringMatching(/^--formula: .*[.?]$/s),
          });
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe("derivatives", () => {
  const near = { asin: 0.3, acos: 0.3 };
  test.each([
    ...functionNames.map((name) => `${name}(a)`),
    ...["a + b", "a - b", "a * b", "a / b", "a ^ b", "-a", "2 ^ a", "a ^ 3", "a ^ -2", "b ^ a ^ b"],
    "b * a / (a + x) + exp(-a * x) * sqrt(x + b) - (a * x) ^ (b / 2)",
  ])("of %s", (model) => {
    const tape = new Tape(parseFormula(`y ~ ${model}`).model, ["x"], ["a", "b"]);
    const row = Float64Array.of(1.7);
    const at = [Object.entries(near).find(([name]) => model.startsWith(name))?.[1] ?? 1.3, 0.7];
    const gradient = new Float64Array(2);
    expect(tape.gradient(row, 0, at, gradient)).toBe(tape.value(row, 0, at));
    const h = 1e-5;
    for (const j of [0, 1]) {
      const moved = (by: number): number =>
        tape.value(
          row,
          0,
          at.map((value, k) => value + (k === j ? by : 0)),
        );
      const difference = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
      expect(gradient[j]).toBeCloseTo(difference, 8);
    }
  });

  test.each<readonly [model: string, x: number, at: readonly number[], gradient: readonly number[]]>([
    ["a * x ^ b", 0, [2, 1.5], [0, 0]],
    ["a * x ^ b", 0, [2, 0], [1, Number.NaN]],
    ["a ^ 0 + b", 1, [0, 1], [0, 1]],
    ["a ^ 1 + b", 1, [0, 1], [1, 1]],
    ["a ^ 2 + b", 1, [-3, 1], [-6, 1]],
    ["a * 0 * log(x) + b", 0, [1, 1], [Number.NaN, 1]],
    ["abs(a) + b", 1, [0, 1], [0, 1]],
  ])("at the edge: %s, x = %d, at %j", (model, x, at, expected) => {
    const tape = new Tape(parseFormula(`y ~ ${model}`).model, ["x"], ["a", "b"]);
    const gradient = new Float64Array(2);
    tape.gradient(Float64Array.of(x), 0, at, gradient);
    for (const [j, value] of expected.entries()) if (!Number.isNaN(value)) expect(gradient[j]).toBe(value);
  });
});

const column = (name: string, cells: readonly (number | string)[]): Column => {
  const words = cells.some((cell) => typeof cell === "string");
  const levels = [...new Set(cells.map(String))];
  return {
    name,
    type: words ? "word" : "number",
    unit: undefined,
    missing: cells.filter((cell) => Number.isNaN(cell)).length,
    numbers: words ? undefined : { data: Float64Array.from(cells, Number), offset: 0, stride: 1 },
    codes: words ? Int32Array.from(cells, (cell) => levels.indexOf(String(cell))) : undefined,
    levels: words ? levels : [],
    odd: [],
  };
};

const table = (...columns: readonly Column[]): DataTable => ({ rows: 2, columns, isNamed: true });

describe("names", () => {
  const xy = table(column("x", [1, 2]), column("y", [3, 5]), column("word", ["a", "b"]));

  test("columns are variables, pi is a number, all others are parameters, in the formula's order", () => {
    expect(namesOf(parseFormula("log(y) ~ b * x + a * pi + b"), xy)).toEqual({
      columns: ["y", "x"],
      variables: ["x"],
      parameters: ["b", "a"],
    });
    const pies = table(column("pi", [1, 2]), column("y", [3, 5]));
    expect(namesOf(parseFormula("y ~ a * pi"), pies).variables).toEqual(["pi"]);
  });

  test("names of Object.prototype are names like others", () => {
    const odd = table(column("__proto__", [1, 2]), column("constructor", [3, 5]));
    expect(namesOf(parseFormula("constructor ~ toString * __proto__ + hasOwnProperty"), odd)).toEqual({
      columns: ["constructor", "__proto__"],
      variables: ["__proto__"],
      parameters: ["toString", "hasOwnProperty"],
    });
  });

  test.each<readonly [formula: string, sentence: RegExp]>([
    ["z ~ a * x", /"z" \(character 1\) is no column of the table, and stands left of ~\./],
    ["yy ~ a * x", /Did you mean y\?/],
    ["3 ~ a * x", /no column left of ~/],
    ["y ~ x", /no parameters/],
    ["y ~ a + b", /no column right of ~/],
    ["y ~ a * y + b * x", /"y" stands on both sides/],
    ["y ~ a * x.y * x", /"x\.y" \(character 9\) is no column .*letters, digits and _/],
    ["y ~ a * `b` * x", /"b" \(character 9\) is no column/],
    ["y ~ exp * x", /"exp" \(character 5\) is a function/],
    ["y ~ a * e ^ x", /"e" \(character 9\) may be Euler's number/],
  ])("%s is refused", (formula, sentence) => {
    expect(() => namesOf(parseFormula(formula), xy)).toThrow(sentence);
  });

  test("a table without names, or with a name twice, is refused", () => {
    const formula = parseFormula("y ~ a * x");
    expect(() => namesOf(formula, { ...xy, isNamed: false })).toThrow(/needs columns with names/);
    expect(() => namesOf(formula, table(...xy.columns, column("x", [1, 2])))).toThrow(/more than one column/);
  });

  test("all cells that are no numbers are named", () => {
    const gaps = table(
      column("x", [1, Number.NaN]),
      column("y", [1, Number.POSITIVE_INFINITY]),
      xy.columns[2],
    );
    expect(() => checkNumbers(gaps, ["x", "y", "word"], false)).toThrow(
      '"x" has no number in 1 row (row 2); "y" has no number in 1 row (row 2: "Infinity"); "word" holds words ("a", "b"). A formula computes with numbers. Correct the cells, or leave such rows out with missing: "drop".',
    );
    expect(() => checkNumbers(gaps, ["x", "y"], true)).not.toThrow();
  });
});
