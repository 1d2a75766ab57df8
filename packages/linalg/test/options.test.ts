import {
  anything,
  badOption,
  between,
  CurvatureError,
  callback,
  checkOptions,
  either,
  flag,
  integerFrom,
  nearestName,
  nonNegative,
  oneOf,
  optional,
  positive,
  type Rule,
  shown,
  text,
} from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";

const defaults = Object.freeze({ tolerance: 1e-8, maxIterations: 100, solver: "lbfgs", verbose: false });
type Options = { tolerance: number; maxIterations: number; solver: string; verbose: boolean };
const rules = {
  tolerance: positive,
  maxIterations: integerFrom(1),
  solver: oneOf("lbfgs", "cg"),
  verbose: flag,
};
const check = (given: unknown): Options =>
  checkOptions<Options>("minimize", given as Partial<Options> | undefined, defaults, rules);

test("what is given stands over the defaults; undefined stands for what is left out", () => {
  expect(check(undefined)).toEqual(defaults);
  expect(check({})).toEqual(defaults);
  expect(check({ tolerance: 1, solver: undefined })).toEqual({ ...defaults, tolerance: 1 });
  expect(defaults.tolerance).toBe(1e-8);
});

test("the result is a new object that the caller's later changes do not reach", () => {
  const given = { tolerance: 1 };
  const settings = check(given);
  given.tolerance = 2;
  expect(settings.tolerance).toBe(1);
  expect(check(undefined)).not.toBe(defaults);
});

test("a bad value names the option, what it must be and what it is", () => {
  expect(() => check({ tolerance: -1 })).toThrowError(
    "minimize: tolerance must be a finite number above 0; received -1.",
  );
  expect(() => check({ solver: "newton" })).toThrowError(
    'minimize: solver must be one of "lbfgs", "cg"; received "newton".',
  );
  try {
    check({ maxIterations: 0 });
  } catch (error) {
    expect(error).toMatchObject({
      code: "ERR_OPTION",
      path: "maxIterations",
      expected: "a whole number of at least 1",
      received: 0,
    });
  }
});

test.each([
  ["tolerence", "tolerance"],
  ["maxiterations", "maxIterations"],
  ["maxIteration", "maxIterations"],
  ["Solver", "solver"],
  ["slover", "solver"],
])("the misspelt %s names %s", (misspelt, meant) => {
  expect(() => check({ [misspelt]: 1 })).toThrowError(
    `unknown option "${misspelt}". Did you mean "${meant}"?`,
  );
});

test("a name like no other lists all", () => {
  expect(() => check({ perplexity: 30 })).toThrowError(
    'minimize: unknown option "perplexity". Known options: tolerance, maxIterations, solver, verbose.',
  );
  expect(nearestName("k", ["lr", "seed"])).toBeUndefined();
  expect(nearestName("anything", [])).toBeUndefined();
});

test.each([
  ["null", null],
  ["an array", []],
  ["a number", 3],
  ["a string", "x"],
  ["a function", () => 1],
])("%s is no options object", (_, given) => {
  expect(() => check(given)).toThrowError("minimize: options must be an object.");
});

test("hostile keys are unknown options, and nothing is polluted", () => {
  expect(() => check(JSON.parse('{"__proto__": {"tolerance": 5}}'))).toThrowError(
    'unknown option "__proto__"',
  );
  expect(() => check({ constructor: 1 })).toThrowError('unknown option "constructor"');
  expect(() => check({ toString: 1 })).toThrowError('unknown option "toString"');
  expect(Object.hasOwn(Object.prototype, "tolerance")).toBe(false);
});

test("inherited properties are no options, neither known nor unknown ones", () => {
  expect(check(Object.create({ tolerance: -5, unknown: 1 }))).toEqual(defaults);
  expect(check(Object.create(null))).toEqual(defaults);
});

test("a getter is read once: what was checked is what is used", () => {
  let reads = 0;
  const shifty = {
    get tolerance() {
      reads += 1;
      return reads === 1 ? 1 : -1;
    },
  };
  expect(check(shifty).tolerance).toBe(1);
});

test("any object gives settings that obey the rules, or an error of ours", () => {
  const values = fc.oneof(fc.anything(), fc.double(), fc.integer());
  const names = fc.oneof(fc.constantFrom(...Object.keys(defaults)), fc.string());
  fc.assert(
    fc.property(fc.dictionary(names, values), (given) => {
      try {
        const settings = check(given);
        expect(Object.keys(settings)).toEqual(Object.keys(defaults));
        expect(settings.tolerance > 0 && Number.isSafeInteger(settings.maxIterations)).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(CurvatureError);
      }
    }),
  );
});

test.each<[string, Rule, unknown[], unknown[]]>([
  ["integerFrom(2)", integerFrom(2), [2, 2 ** 53 - 1], [1, 2.5, "2", Number.NaN, 2 ** 53, null]],
  ["positive", positive, [Number.MIN_VALUE, 1e308], [0, -0, -1, Number.POSITIVE_INFINITY, Number.NaN, "1"]],
  ["nonNegative", nonNegative, [0, 1], [-1, Number.POSITIVE_INFINITY, Number.NaN, false]],
  ["between(-1, 1)", between(-1, 1), [-1, 0, 1], [1.1, -1.1, Number.NaN, [0]]],
  ["flag", flag, [true, false], [0, 1, "true", null]],
  ["text", text, ["", "a"], [1, new String("a")]],
  ["callback", callback, [() => 1, Math.abs], [{}, "f"]],
  ["oneOf", oneOf("a", "b"), ["a", "b"], ["c", "A", 0, undefined, ["a"]]],
  ["either", either(flag, positive), [true, 3], [0, "x"]],
  ["optional", optional(positive), [undefined, 3], [null, 0]],
  ["anything", anything, [undefined, null, 3, {}], []],
])("%s accepts what it says and nothing else", (_, rule, good, bad) => {
  for (const value of good) expect(rule.accepts(value)).toBe(true);
  for (const value of bad) expect(rule.accepts(value)).toBe(false);
});

test("rules say what they expect", () => {
  expect(either(flag, positive).expected).toBe("true or false or a finite number above 0");
  expect(optional(integerFrom(0)).expected).toBe("a whole number of at least 0 (or left out)");
});

test.each([
  ["x".repeat(100), `"${"x".repeat(57)}..."`],
  [[1, 2], "an array of length 2"],
  [new Float64Array(1e6), "a Float64Array"],
  [{ a: 1 }, "an object (Object)"],
  [Object.create(null), "an object (no prototype)"],
  [{ constructor: { name: Symbol("s") } }, "an object (no prototype)"],
  [{ constructor: null }, "an object (no prototype)"],
  [() => 1, "a function"],
  [10n ** 100n, `1${"0".repeat(56)}...`],
  [Symbol("s"), "Symbol(s)"],
  [Number.NaN, "NaN"],
  [null, "null"],
])("a received value is shown shortly (%#)", (value, expected) => {
  expect(shown(value)).toBe(expected);
});

test("an error carries its details, and its cause", () => {
  const cause = new Error("root");
  const error = new CurvatureError("ERR_PARSE", "Bad.", {
    path: "line 3",
    expected: "a number",
    received: "x",
    cause,
  });
  expect(error).toMatchObject({
    name: "CurvatureError",
    code: "ERR_PARSE",
    message: "Bad.",
    path: "line 3",
    cause,
  });
  expect(error).toBeInstanceOf(Error);
  expect("cause" in new CurvatureError("ERR_PARSE", "Bad.")).toBe(false);
  expect(badOption("f", "x", "1", 2)).toMatchObject({
    code: "ERR_OPTION",
    path: "x",
    expected: "1",
    received: 2,
  });
});
