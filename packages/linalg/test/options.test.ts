import {
  badOption,
  between,
  CurvatureError,
  callable,
  checkArgument,
  either,
  finite,
  flag,
  havingMethod,
  instance,
  integerFrom,
  integerOrInfinity,
  nearestName,
  nonNegative,
  nonNegativeOrInfinity,
  numberThat,
  type Option,
  type OptionsOf,
  object,
  oneOf,
  option,
  optionName,
  optionTable,
  positive,
  positiveOrInfinity,
  type SettingsOf,
  shown,
  strictlyBetween,
  text,
  warning,
  withOptionNames,
} from "@curvature/linalg";
import fc from "fast-check";
import { expect, expectTypeOf, test } from "vitest";

const table = optionTable(
  {
    tolerance: positive.default(1e-8),
    maxIterations: integerFrom(1).default(100),
    solver: oneOf("lbfgs", "cg").default("lbfgs"),
    verbose: flag.default(false),
    low: finite,
    high: finite.default(1),
  },
  [["low", "<", "high"]],
);
const { defaults } = table;
const check = (given: unknown) => Reflect.apply(table.resolve, table, ["minimize", given]);

test("types follow from the table", () => {
  type Options = OptionsOf<typeof table>;
  expectTypeOf<Options["tolerance"]>().toEqualTypeOf<number | undefined>();
  expectTypeOf<Options["solver"]>().toEqualTypeOf<"lbfgs" | "cg" | undefined>();
  type Settings = SettingsOf<typeof table>;
  expectTypeOf<Settings["solver"]>().toEqualTypeOf<"lbfgs" | "cg">();
  expectTypeOf<Settings["low"]>().toEqualTypeOf<number | undefined>();
  // @ts-expect-error: a wrong word
  expect(() => table.resolve("minimize", { solver: "newton" } satisfies Options)).toThrowError();
});

test("a relation between options is kept, whichever of them was given", () => {
  expect(check({ low: 0.5 })).toMatchObject({ low: 0.5, high: 1 });
  expect(() => check({ low: 1 })).toThrowError("minimize: low must be below high, 1; received 1.");
  expect(() => check({ low: -2, high: -3 })).toThrowError(
    "minimize: low must be below high, -3; received -2.",
  );
  expect(check({ high: -3 })).toMatchObject({ high: -3 });
  const atMost = optionTable({ a: finite.default(0), b: finite.default(0) }, [["a", "<=", "b"]]);
  expect(() => atMost.resolve("f", { a: 1 })).toThrowError("f: a must be at most b, 0; received 1.");
});

test("tables join, and a part has its own settings of the whole", () => {
  const whole = optionTable({ ...table.entries, seed: integerFrom(0).default(7) });
  const settings = whole.resolve("minimize", { tolerance: 2 });
  expect(settings).toEqual({ ...defaults, tolerance: 2, seed: 7 });
  expect(table.part(settings)).toEqual({ ...defaults, tolerance: 2 });
  expect(() => Reflect.apply(whole.resolve, whole, ["minimize", { sede: 1 }])).toThrowError(
    'Did you mean "seed"?',
  );
});

test("what is given stands over the defaults; undefined stands for what is left out", () => {
  expect(check(undefined)).toEqual(defaults);
  expect(check({})).toEqual(defaults);
  expect(check({ tolerance: 1, solver: undefined })).toEqual({ ...defaults, tolerance: 1 });
  expect(defaults.tolerance).toBe(1e-8);
  expect(Object.isFrozen(defaults)).toBe(true);
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
      where: "minimize",
      expected: "a whole number from 1 to 2^53 - 1",
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
    'minimize: unknown option "perplexity". Known options: tolerance, maxIterations, solver, verbose, low, high.',
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
  expect(() => check(given)).toThrowError("minimize: options must be an object; received ");
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

const every: readonly (readonly [string, Option<unknown>, unknown[], unknown[]])[] = [
  ["integerFrom(2)", integerFrom(2), [2, 2 ** 53 - 1], [1, 2.5, "2", Number.NaN, 2 ** 53, null]],
  ["integerFrom(2, 4)", integerFrom(2, 4), [2, 3, 4], [1, 5, 2.5]],
  ["integerOrInfinity(1)", integerOrInfinity(1), [1, Number.POSITIVE_INFINITY], [0, 1.5, Number.NaN]],
  ["finite", finite, [0, -1e308], [Number.POSITIVE_INFINITY, Number.NaN, "1"]],
  ["positive", positive, [Number.MIN_VALUE, 1e308], [0, -0, -1, Number.POSITIVE_INFINITY, Number.NaN, "1"]],
  ["nonNegative", nonNegative, [0, 1], [-1, Number.POSITIVE_INFINITY, Number.NaN, false]],
  ["nonNegativeOrInfinity()", nonNegativeOrInfinity(), [0, Number.POSITIVE_INFINITY], [-1, Number.NaN]],
  ["positiveOrInfinity()", positiveOrInfinity(), [0.5, Number.POSITIVE_INFINITY], [0, Number.NaN]],
  ["between(-1, 1)", between(-1, 1), [-1, 0, 1], [1.1, -1.1, Number.NaN, [0]]],
  ["strictlyBetween(0, 1)", strictlyBetween(0, 1), [0.5], [0, 1, Number.NaN]],
  ["numberThat", numberThat("an even number", (v) => v % 2 === 0), [2, 0], [1, "2"]],
  ["flag", flag, [true, false], [0, 1, "true", null]],
  ["text", text, ["", "a"], [1, new String("a")]],
  ["callable", callable(), [() => 1, Math.abs], [{}, "f"]],
  ["oneOf", oneOf("a", "b"), ["a", "b"], ["c", "A", 0, undefined, ["a"]]],
  ["either", either(flag, positive), [true, 3], [0, "x"]],
  ["object", object("a matrix"), [{}, []], [0, null, "x"]],
  ["havingMethod", havingMethod("write", "a writer"), [{ write: () => 1 }], [{}, { write: 1 }, null]],
  ["instance", instance("a Uint8Array", Uint8Array), [new Uint8Array(1)], [[1], new Int8Array(1)]],
  ["option", option("an empty list", (v): v is [] => Array.isArray(v) && v.length === 0), [[]], [[1], 0]],
];

test.each(every)("%s accepts what it says and nothing else", (_, rule, good, bad) => {
  for (const value of good) expect(rule.accepts(value)).toBe(true);
  for (const value of bad) expect(rule.accepts(value), shown(value)).toBe(false);
  expect(rule.expected).not.toBe("");
});

test("rules say what they expect, and the words that they accept", () => {
  expect(either(flag, positive).expected).toBe("true or false or a finite number above 0");
  expect(integerFrom(0).expected).toBe("a whole number from 0 to 2^53 - 1");
  expect(integerFrom(1, 32).expected).toBe("a whole number from 1 to 32");
  expect(either(oneOf("auto", "all"), integerFrom(2)).words).toEqual(["auto", "all"]);
});

test("a rule reads a text as the value that it stands for", () => {
  expect(either(oneOf("auto"), integerFrom(2)).read("auto")).toBe("auto");
  expect(either(oneOf("auto"), integerFrom(2)).read("12")).toBe(12);
  expect(integerFrom(2).read("1e3")).toBe(1000);
  expect(positiveOrInfinity().read("Infinity")).toBe(Number.POSITIVE_INFINITY);
  expect(flag.read("true")).toBe(true);
  for (const odd of ["", " ", "1 2", "0x10", "1_000", "--1"]) expect(positive.read(odd)).toBe(odd);
});

test("an argument that does not fit is named", () => {
  expect(() => checkArgument("f", "count", integerFrom(1), 0)).toThrowError(
    expect.objectContaining({ code: "ERR_ARGUMENT", where: "f", path: "count", received: 0 }),
  );
});

test("a sentence names options as its reader calls them", () => {
  const sentence = `Lower ${optionName("dimensions")}, or set ${optionName("degenerate", "drop")}.`;
  const flags = (name: string, value?: string) => `--${name}${value === undefined ? "" : ` ${value}`}`;
  const error = new CurvatureError("ERR_MEMORY", sentence);
  expect(error.message).toBe('Lower dimensions, or set degenerate: "drop".');
  expect(withOptionNames(error.sentence, flags)).toBe("Lower --dimensions, or set --degenerate drop.");
  expect(warning("large", sentence)).toEqual({ code: "large", message: error.message, sentence });
  expect(warning("plain", "No options.")).toEqual({ code: "plain", message: "No options." });
  expect(withOptionNames(badOption("f", "x", "1", 2).sentence, flags)).toBe("--x must be 1; received 2.");
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
