import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { crossValidationUnits, type Grid, planHash, restartUnits, sweepUnits } from "../src/plan.js";

const file = { path: "digits.csv", sha256: "a".repeat(64) };

test("the first axis changes slowest, restarts fastest; ids name what differs", () => {
  const units = sweepUnits({
    command: "embed",
    settings: { solver: "sd" },
    grid: { perplexity: [5, 30], method: ["tsne", "s,ne"] },
    restarts: 2,
    seed: 7,
    data: [file],
  });
  expect(units.map(({ id }) => id)).toEqual([
    "perplexity=5,method=tsne,seed=7",
    "perplexity=5,method=tsne,seed=8",
    'perplexity=5,method="s,ne",seed=7',
    'perplexity=5,method="s,ne",seed=8',
    "perplexity=30,method=tsne,seed=7",
    "perplexity=30,method=tsne,seed=8",
    'perplexity=30,method="s,ne",seed=7',
    'perplexity=30,method="s,ne",seed=8',
  ]);
  expect(units[4]).toEqual({
    id: "perplexity=30,method=tsne,seed=7",
    command: "embed",
    settings: { solver: "sd", perplexity: 30, method: "tsne" },
    seed: 7,
    data: [file],
  });
});

test("restarts are a sweep over nothing but seeds", () => {
  expect(restartUnits(3, { command: "embed" }).map(({ seed }) => seed)).toEqual([0, 1, 2]);
});

test("a cross-validation takes each fold at each point, all with one seed", () => {
  const units = crossValidationUnits(3, { command: "train", grid: { lambda: [0.1, 1] }, seed: 4 });
  expect(
    units.map(({ settings, seed }) => [settings["lambda"], settings["fold"], settings["folds"], seed]),
  ).toEqual([
    [0.1, 0, 3, 4],
    [0.1, 1, 3, 4],
    [0.1, 2, 3, 4],
    [1, 0, 3, 4],
    [1, 1, 3, 4],
    [1, 2, 3, 4],
  ]);
});

const grids: fc.Arbitrary<Grid> = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 4 }).filter((name) => name !== "__proto__"),
  fc.uniqueArray(fc.oneof(fc.integer(), fc.string(), fc.boolean()), {
    minLength: 1,
    maxLength: 3,
    selector: String,
  }),
  { maxKeys: 3 },
);

test("any grid: as many units as the product says, all ids distinct, the same plan each time", () => {
  fc.assert(
    fc.property(grids, fc.integer({ min: 1, max: 3 }), (grid, restarts) => {
      const plan = { command: "embed", grid, restarts };
      const units = sweepUnits(plan);
      const count = Object.values(grid).reduce((product, values) => product * values.length, restarts);
      expect(units).toHaveLength(count);
      expect(new Set(units.map(({ id }) => id)).size).toBe(count);
      expect(sweepUnits(structuredClone(plan))).toEqual(units);
      expect(units.map((unit) => JSON.parse(JSON.stringify(unit)))).toEqual(units);
    }),
  );
});

describe("the plan's hash", () => {
  const plan = { command: "embed", settings: { a: 1, b: { c: 2, d: 3 } }, grid: { x: [1, 2] }, data: [file] };
  const hash = planHash(sweepUnits(plan), "1.0.0");

  test("does not depend on the order in which settings were written", () => {
    expect(planHash(sweepUnits({ ...plan, settings: { b: { d: 3, c: 2 }, a: 1 } }), "1.0.0")).toBe(hash);
  });

  test.each([
    ["a setting", { ...plan, settings: { a: 1, b: { c: 2, d: 4 } } }, "1.0.0"],
    ["the grid", { ...plan, grid: { x: [1, 3] } }, "1.0.0"],
    ["the grid's order", { ...plan, grid: { x: [2, 1] } }, "1.0.0"],
    ["the seed", { ...plan, seed: 1 }, "1.0.0"],
    ["the data", { ...plan, data: [{ ...file, sha256: "b".repeat(64) }] }, "1.0.0"],
    ["the version", plan, "1.0.1"],
  ])("depends on %s", (_, other, version) => {
    expect(planHash(sweepUnits(other), version)).not.toBe(hash);
  });
});

const cyclic: Record<string, unknown> = {};
cyclic["self"] = cyclic;

test.each([
  ["no restarts", { restarts: 0 }],
  ["half a restart", { restarts: 1.5 }],
  ["a negative seed", { seed: -1 }],
  ["a seed that cannot count on", { seed: Number.MAX_SAFE_INTEGER, restarts: 2 }],
  ["an axis without values", { grid: { x: [] } }],
  ["a value twice", { grid: { x: [1, 2, 1] } }],
  ["a value that is NaN", { grid: { x: [Number.NaN] } }],
  ["a value that is a function", { grid: { x: [() => 1] } }],
  ["a date", { settings: { when: new Date(0) } }],
  ["a cycle", { settings: cyclic }],
  ["a setting that the grid varies", { settings: { x: 1 }, grid: { x: [1] } }],
  ["more units than anybody waits for", { grid: { x: [1, 2, 3] }, restarts: 1e9 }],
  ["no command", { command: "" }],
])("%s is no plan", (_, wrong) => {
  const plan = { command: "embed", grid: {}, ...wrong };
  expect(() => sweepUnits(plan)).toThrowError(expect.objectContaining({ code: "ERR_ARGUMENT" }));
});

test.each([1, 0, 2.5, Number.NaN, 1e9])("%s folds are no cross-validation", (folds) => {
  expect(() => crossValidationUnits(folds, { command: "train", grid: {} })).toThrowError(
    expect.objectContaining({ code: "ERR_ARGUMENT" }),
  );
});
