/** `curvature fit` as a process: what it writes of data and of modules. */

import { readFileSync } from "node:fs";
import { readNpy } from "@curvature/datasets";
import { loadDigits } from "@curvature/datasets/digits";
import { beforeAll, describe, expect, test } from "vitest";
import { eventsOf, lastOfEach, workplace } from "./cli.js";
import { centres, reportIn, writeDigits } from "./fit-cases.js";

const place = workplace();

const least = 26 / 3;

const vectorIn = (text: string): number[] => text.trimEnd().split("\n").map(Number);

beforeAll(() => writeDigits(place()));

describe.concurrent("digits", () => {
  test("several solvers from one start: curves, the best one's parameters, the training error", async () => {
    const words = ["--objective", "softmax", "--scale", "none"];
    const compared = ["--compare", "sfo,lbfgs,adam:0.01", "--max-passes", "5"];
    const outputs = ["--out", "w.npy", "--report", "w.json", "--plot", "w.svg"];
    const ended = await place().run([
      "fit",
      "digits.csv",
      "--labels",
      "digit",
      ...words,
      ...compared,
      ...outputs,
      "--quiet",
    ]);
    expect(ended).toMatchObject({ code: 0, stdout: "", stderr: "" });
    const { input, result, metrics } = reportIn(place(), "w.json");
    expect(input).toMatchObject({ rows: 1797, columns: 64, classes: 10, dimension: 650, subfunctions: 25 });
    expect(metrics.solvers.map(({ solver }) => solver)).toEqual(["sfo", "lbfgs", "adam:0.01"]);
    // 25 minibatches with the mean loss of each: log 10 at the start, where all classes are alike.
    expect(metrics.initialValue).toBeCloseTo(25 * Math.log(10), 9);
    for (const { curve, value, passes } of metrics.solvers) {
      expect(curve[0]).toEqual({ passes: 0, seconds: 0, value: metrics.initialValue });
      expect(value).toBeLessThan(metrics.initialValue / 3);
      expect(Math.min(...curve.map((point) => point.value))).toBeGreaterThanOrEqual(value);
      expect(passes).toBeGreaterThanOrEqual(5);
      curve.slice(1).forEach((point, k) => {
        expect(point.passes).toBeGreaterThan(curve[k].passes);
        expect(point.seconds).toBeGreaterThanOrEqual(curve[k].seconds);
      });
    }
    expect(result.value).toBe(Math.min(...metrics.solvers.map(({ value }) => value)));
    expect(metrics.solvers[0].curve).toHaveLength(6);
    expect(metrics.parameters).toEqual([{ name: "weights", offset: 0, rows: 10, columns: 65 }]);
    // What the file holds is what the report measures: the digits that the weights get wrong.
    const { points } = await readNpy(place().bytes("w.npy"));
    expect(points).toMatchObject({ rows: 650, columns: 1 });
    const digits = await loadDigits();
    const wrong = digits.labels.filter((label, i) => {
      const scores = Array.from({ length: 10 }, (_, k) => {
        let score = points.data[65 * k + 64];
        for (let j = 0; j < 64; j++) score += (points.data[65 * k + j] * digits.points.data[64 * i + j]) / 16;
        return score;
      });
      return scores.indexOf(Math.max(...scores)) !== label;
    });
    expect(metrics.trainingError).toBeCloseTo(wrong.length / 1797, 12);
    expect(metrics.trainingError).toBeLessThan(0.05);
    const svg = place().read("w.svg");
    for (const word of ["sfo", "lbfgs", "adam:0.01", "seconds", "passes over the subfunctions"]) {
      expect(svg).toContain(`>${word}</text>`);
    }
  });

  test("words are classes, in their order", async () => {
    const words = ["--objective", "logistic", "--labels", "parity.txt", "--max-passes", "3", "--quiet"];
    const ended = await place().run(["fit", "digits300.csv", ...words, "--report", "parity.json"]);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(reportIn(place(), "parity.json").input).toMatchObject({ classes: 2, classNames: ["even", "odd"] });
    expect(reportIn(place(), "parity.json").metrics.trainingError).toBeLessThan(0.1);
  });

  test.each([
    ["mlp", ["--hidden", "8"], 64 * 8 + 8 + 8 * 10 + 10],
    ["convnet", ["--hidden", "3,8", "--filter", "3"], 3 * 9 + 3 + 27 * 8 + 8 + 8 * 10 + 10],
    ["autoencoder", ["--hidden", "5", "--contraction", "0", "--decoder", "linear"], 64 * 5 + 5 + 64],
    ["ica", ["--scale", "standard"], 64 * 64 + 64],
  ] as const)(
    "%s has the sizes that it is given",
    { tags: ["full"] },
    async (objective, words, dimension) => {
      const common = [
        "fit",
        "digits300.csv",
        "--labels",
        "digit",
        "--objective",
        objective,
        "--max-passes",
        "2",
      ];
      const report = `${objective}.json`;
      const ended = await place().run([
        ...common,
        ...words,
        "--minibatches",
        "20",
        "--quiet",
        "--report",
        report,
      ]);
      expect(ended.stderr).toBe("");
      expect(ended.code).toBe(0);
      const { input, result, metrics } = reportIn(place(), report);
      expect(input).toMatchObject({ dimension, subfunctions: 20 });
      expect(result.value).toBeLessThan(metrics.initialValue);
    },
  );

  test("every option of the problem does something", { tags: ["full"] }, async () => {
    const base = [
      "fit",
      "digits300.csv",
      "--labels",
      "digit",
      "--objective",
      "mlp",
      "--max-passes",
      "1",
      "--quiet",
    ];
    const variants = [
      [],
      ["--seed", "1"],
      ["--hidden", "8"],
      ["--regularization", "0.1"],
      ["--minibatches", "10"],
      ["--scale", "max"],
      ["--solver", "adam:0.1"],
      ["--max-passes", "2"],
    ];
    const found = await Promise.all(variants.map((words) => place().run(lastOfEach([...base, ...words]))));
    for (const { code, stderr } of found) expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(new Set(found.map(({ stdout }) => stdout)).size).toBe(variants.length);
    const again = await place().run(base);
    expect(again.stdout).toBe(found[0].stdout);
  });
});

describe.concurrent("a module", () => {
  test.each(["sfo", "lbfgs", "sgd:0.3", "adam:0.1", "hessian-free", "sag:2"])(
    "%s finds the least value of three squares",
    { tags: ["full"] },
    async (solver) => {
      // a file of its own: the tests run side by side
      const file = `centres-${solver.replace(/\W/g, "-")}.mjs`;
      place().write(file, centres());
      const words = ["--module", file, "--solver", solver, "--max-passes", "200", "--quiet"];
      const ended = await place().run(["fit", ...words]);
      expect(ended.stderr).toBe("");
      const [x, y] = vectorIn(ended.stdout);
      expect(Math.hypot(x - 4 / 3, y - 5 / 3)).toBeLessThan(0.1);
    },
  );

  test("converges, and says so", async () => {
    place().write("fine.mjs", centres());
    const ended = await place().run([
      "fit",
      "--module",
      "fine.mjs",
      "--report",
      "fine.json",
      "--out",
      "fine-x.json",
      "--json",
    ]);
    expect(ended).toMatchObject({ code: 0, stdout: "" });
    expect(reportIn(place(), "fine.json").result).toMatchObject({ status: "converged" });
    expect(reportIn(place(), "fine.json").result.value).toBeCloseTo(least, 9);
    expect(JSON.parse(place().read("fine-x.json"))[0]).toBeCloseTo(4 / 3, 5);
    expect(eventsOf(ended.stderr).at(-1)).toMatchObject({
      event: "result",
      status: "converged",
      exitCode: 0,
    });
  });

  test("steps that are too long or too short: the first point, and a warning with what to give", async () => {
    place().write(
      "steep.mjs",
      `export default { dimension: 1, count: 4, initial: [9], evaluate(i, x, gradient) {
        gradient?.set([1e6 * (x[0] - i)]);
        return 0.5e6 * (x[0] - i) ** 2;
      } };`,
    );
    const endings = await Promise.all(
      ["sag:1", "sgd:1e-30", "sgd"].map((solver) =>
        place().run(["fit", "--module", "steep.mjs", "--solver", solver, "--max-passes", "6"]),
      ),
    );
    const [long, short, estimated] = endings;
    expect(long.stderr).toContain("sag:1: F is nowhere lower than at the first point");
    expect(long.stderr).toContain(
      "Give a larger Lipschitz constant (sag:L), or sag alone, which estimates it.",
    );
    expect(short.stderr).toContain("Give a longer step (sgd:step), or sgd alone, which estimates it.");
    expect(vectorIn(long.stdout)).toEqual(vectorIn(short.stdout));
    expect(estimated.stderr).not.toContain("nowhere lower");
  });

  test("promises, several under way, and a function that makes the problem of the seed", {
    tags: ["full"],
  }, async () => {
    const slow = centres("", "async evaluate").replace(
      "export default {",
      "export default async ({ seed }) => ({ initialSeed: seed,",
    );
    place().write(
      "slow.mjs",
      slow.replace(/\};\s*$/, "});\n").replace("calls++;", "await new Promise(setImmediate);"),
    );
    for (const concurrency of ["1", "3"]) {
      const words = ["--module", "slow.mjs", "--concurrency", concurrency, "--quiet"];
      const ended = await place().run(["fit", ...words]);
      expect(ended.stderr).toBe("");
      expect(ended.code).toBe(0);
      expect(vectorIn(ended.stdout)[0]).toBeCloseTo(4 / 3, 4);
    }
  });

  test("what it prints goes to the log, not to the data", { tags: ["full"] }, async () => {
    place().write("talks.mjs", centres("console.log('a word');"));
    const ended = await place().run(["fit", "--module", "talks.mjs", "--quiet"]);
    expect(vectorIn(ended.stdout)).toHaveLength(2);
    expect(ended.stderr).toContain("a word");
  });

  test("may not change the point that it is handed", { tags: ["full"] }, async () => {
    place().write("pure.mjs", centres());
    place().write("spoils.mjs", centres().replace("gradient?.set(d);", "gradient?.set(d); x.fill(99);"));
    const [pure, spoils] = await Promise.all(
      ["pure.mjs", "spoils.mjs"].map((module) => place().run(["fit", "--module", module, "--quiet"])),
    );
    expect(spoils.stdout).toBe(pure.stdout);
  });

  test("the one in the README, a line that outliers do not tilt", { tags: ["full"] }, async () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    const [, example = ""] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
    expect(example).toContain("evaluate(index, x, gradient)");
    place().write("problem.mjs", example);
    const ended = await place().run(["fit", "--module", "problem.mjs", "--quiet"]);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    const [slope, offset] = vectorIn(ended.stdout);
    // 2 t − 1 without its outliers; least squares would put the line half a unit higher.
    expect(Math.abs(slope - 2)).toBeLessThan(0.1);
    expect(Math.abs(offset + 1)).toBeLessThan(0.2);
  });

  test("only one subfunction", { tags: ["full"] }, async () => {
    place().write("one.mjs", centres().replace("count: 3", "count: 1"));
    const ended = await place().run(["fit", "--module", "one.mjs", "--quiet", "--max-passes", "100"]);
    expect(ended.code).toBe(0);
    expect(vectorIn(ended.stdout)[0]).toBeCloseTo(1, 5);
  });
});
