/** The digits (fixtures/README.md), with the affinities of this package, against values of an independent program. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  distanceWeights,
  elasticEmbedding,
  entropicAffinities,
  jointAffinities,
  symmetricSne,
  tsne,
} from "@curvature/objectives/embedding";
import { describe, expect, test } from "vitest";
import { digits } from "../affinity/digits.js";
import { along, dot, gradientOf, norm } from "./algebra.js";

interface Start {
  readonly sumPlogP: number;
  readonly X0: readonly number[];
  readonly models: Readonly<Record<"ee" | "ssne" | "tsne", { readonly lambda: number; readonly E0: number }>>;
}

const fixtures = join(import.meta.dirname, "../fixtures");
const start: Start = JSON.parse(readFileSync(join(fixtures, "digits-start.json"), "utf8"));
const points = digits();
const { conditional } = entropicAffinities(points, { perplexity: 20, neighbors: "all" });
const P = jointAffinities(conditional);
const X0 = Float64Array.from(start.X0);

const objectives = {
  ee: elasticEmbedding(
    { attraction: P, repulsion: distanceWeights(points) },
    { lambda: start.models.ee.lambda },
  ),
  ssne: symmetricSne(P, { lambda: start.models.ssne.lambda }),
  tsne: tsne(P, { lambda: start.models.tsne.lambda }),
};

describe.each(["ee", "ssne", "tsne"] as const)("%s on the digits", (name) => {
  const objective = objectives[name];

  test("the value at the random start", () => {
    const { E0 } = start.models[name];
    expect(Math.abs(objective.evaluate(X0) - E0)).toBeLessThanOrEqual(1e-10 * E0);
  });

  test("the constant of the divergence", () => {
    const expected = name === "ee" ? 0 : start.sumPlogP;
    expect(Math.abs(objective.entropyConstant - expected)).toBeLessThanOrEqual(1e-10 * Math.abs(expected));
  });

  test("the gradient along itself, at the start blown up to the size of a map", { tags: ["full"] }, () => {
    const X = X0.map((x) => 1e5 * x);
    const G = gradientOf(objective, X);
    const direction = G.map((g) => g / norm(G));
    const h = 1e-4;
    const slope =
      (objective.evaluate(along(X, h, direction)) - objective.evaluate(along(X, -h, direction))) / (2 * h);
    expect(Math.abs(slope - norm(G))).toBeLessThanOrEqual(1e-6 * norm(G));
    for (let i = 0; i < 2; i++) {
      const axis = G.map((_, k) => (k % 2 === i ? 1 : 0));
      expect(Math.abs(dot(G, axis))).toBeLessThanOrEqual(1e-12 * norm(G));
    }
  });
});
