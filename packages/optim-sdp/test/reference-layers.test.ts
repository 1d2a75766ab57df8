// @module-tag full
/** Automatic layers on manifolds whose number is known. */
import { nomad } from "@curvature/optim-sdp";
import { describe, expect, test } from "vitest";
import { gaussian, twoMoons, twoRings, twoSpirals } from "./helpers/manifolds.js";
import { ringPoints } from "./helpers/small.js";

describe("automatic layers", () => {
  test.each([
    ["two rings", twoRings(80, 0, 1)],
    ["two noisy rings", twoRings(100, 0.04, 2)],
    ["moons", twoMoons(60, 0, 3)],
    ["noisy moons", twoMoons(100, 0.05, 4)],
    ["two spirals", twoSpirals(90)],
  ])("%s come apart into their manifolds", async (_, { points, labels }) => {
    const { components, gap, layers, status } = await nomad(points, { layers: "auto" });
    expect(status).toBe("converged");
    expect(components.count).toBe(2);
    expect([...components.labels]).toEqual(labels);
    expect(layers[layers.length - 1].clusters).toBe(2);
    expect(gap).toBeLessThan(1e-3);
  });

  test.each([
    ["a ring", ringPoints(60)],
    ["a cloud", gaussian(100, 5).points],
  ])("%s stays in one piece, and a sentence says that nothing settled", async (_, points) => {
    const { components, warnings, attempts } = await nomad(points, { layers: "auto" });
    expect(components.count).toBe(1);
    expect(attempts.length).toBeGreaterThan(0);
    expect(warnings.map(({ message }) => message).join()).toMatch(/No number of components settled/);
  });
});
