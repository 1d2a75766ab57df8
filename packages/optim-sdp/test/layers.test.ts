import { solverConformance } from "@curvature/optim-core/conformance";
import { describe, expect, test } from "vitest";
import { decide } from "../src/layer-plan.js";
import { Layers } from "../src/layers.js";
import { nomad } from "../src/nomad.js";
import { methodNamed } from "../src/solvers/method.js";
import { twoRings } from "./helpers/manifolds.js";
import { randomGram } from "./helpers/small.js";

const bytesInUse = (): number => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;

describe("layers conform", () => {
  const checks = solverConformance({
    name: "layers",
    create: () =>
      new Layers(randomGram(12, 3, 1), {
        name: "admm",
        tolerance: 1e-7,
        plan: { kind: "list", clusters: [6, 3, 2] },
        make: methodNamed({ solver: "admm", seed: 0, certify: "auto" }),
        origin: "a test",
      }),
    sense: "none", // each layer has a unit of its own
    hasFaults: false, // nothing of the user's is evaluated
    steps: 60,
    longSteps: 40,
    bytesInUse,
  });
  for (const { name, check } of checks) test(name, check);
});

describe("listed layers", () => {
  test("two rings fall apart in the first layer and become blocks in the last", {
    tags: ["full"],
  }, async () => {
    const { points, labels } = twoRings(40, 0, 1);
    const result = await nomad(points, { layers: [16, 8, 4, 2], clusters: 2 });
    expect(result.layers.map(({ components }) => components.count)).toEqual([2, 2, 2, 2]);
    expect([...result.components.labels]).toEqual(labels);
    expect([...result.labels]).toEqual(labels);
    const block = 1 / 40;
    for (const [k, entry] of result.Q?.data.entries() ?? [])
      expect(Math.abs(entry - (labels[k % 80] === labels[Math.floor(k / 80)] ? block : 0))).toBeLessThan(
        1e-2 * block,
      );
    expect(result.gap).toBeLessThan(1e-3);
  });
});

describe("automatic layers", () => {
  test("two rings come apart, and the K that is requested is the last layer's", {
    tags: ["full"],
  }, async () => {
    const { points, labels } = twoRings(40, 0, 1);
    const found = await nomad(points, { layers: "auto" });
    expect([...found.components.labels]).toEqual(labels);
    expect(found.layers[found.layers.length - 1].clusters).toBe(2);
    const four = await nomad(points, { layers: "auto", clusters: 4, tolerance: 1e-2 });
    expect(four.layers[four.layers.length - 1].clusters).toBe(4);
    expect(new Set(four.labels).size).toBe(4);
  });
});

describe("the plan", () => {
  const plan = { kind: "automatic", final: undefined } as const;
  const at = (...layers: readonly (readonly [K: number, c: number, smallest: number])[]) =>
    layers.map(([clusters, components, smallest]) => ({ clusters, components, smallest }));

  test("begins with few clusters and halves them", () => {
    expect(decide(plan, 320, [], 0)).toEqual({ kind: "layer", clusters: 20, isLast: false });
    expect(decide(plan, 320, at([20, 1, 320]), 0)).toEqual({ kind: "layer", clusters: 10, isLast: false });
  });

  test("a count that stays is the last layer; one of splinters or of too many parts is not", () => {
    const last = { kind: "layer", clusters: 2, isLast: true };
    expect(decide(plan, 320, at([20, 2, 100], [10, 2, 100]), 0)).toEqual(last);
    expect(decide(plan, 320, at([20, 2, 3], [10, 2, 3]), 0)).not.toEqual(last);
    expect(decide(plan, 320, at([20, 7, 40], [10, 7, 40]), 0)).toMatchObject({ isLast: false });
  });

  test("splitting, and coming down to two, give up", () => {
    expect(decide(plan, 320, at([20, 2, 100], [10, 3, 90]), 0)).toEqual({ kind: "give-up" });
    expect(decide(plan, 320, at([4, 1, 320], [2, 1, 320]), 0)).toEqual({ kind: "give-up" });
  });

  test("any number of points comes to an end", () => {
    for (let n = 1; n < 40; n++)
      for (const count of [1, 2, 3]) {
        let givenUp = 0;
        let path: ReturnType<typeof at> = [];
        for (let step = 0; step < 200; step++) {
          const decision = decide(plan, n, path, givenUp);
          if (decision.kind === "give-up") {
            givenUp++;
            path = [];
            continue;
          }
          expect(decision.clusters).toBeGreaterThanOrEqual(1);
          expect(decision.clusters).toBeLessThanOrEqual(n);
          path = [...path, ...at([decision.clusters, Math.min(n, count + (step % 2)), 1])];
          if (decision.isLast) break;
          expect(step).toBeLessThan(150);
        }
      }
  });
});
