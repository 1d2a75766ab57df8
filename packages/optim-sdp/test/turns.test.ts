/** The event loop has its turn, and the signal is looked at, in the phase after the optimisation, too. */
import { gaussianBlobs } from "@curvature/datasets";
import { nomad } from "@curvature/optim-sdp";
import { describe, expect, test } from "vitest";

const { points } = gaussianBlobs({ groups: 4, pointsPerGroup: 60, dimensions: 3, seed: 1 });

describe("the geometry of a run", () => {
  test("goes in steps: bound, starts, rounding, Q", async () => {
    const shares: number[] = [];
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns++;
      if (!isOver) setImmediate(turn);
    };
    await nomad(points, {
      ...{ clusters: 4, certify: true, maxIterations: 1 },
      onPhase: (phase, share) => {
        if (phase !== "geometry") return;
        if (share === undefined) setImmediate(turn);
        else shares.push(share);
      },
    });
    isOver = true;
    expect(shares.length).toBeGreaterThan(30);
    expect(turns).toBeGreaterThanOrEqual(shares.length);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(Math.max(...shares)).toBeLessThanOrEqual(1);
  });

  test("ends early where the signal says so, with labels, Q and embedding", async () => {
    const controller = new AbortController();
    let last = 0;
    const { labels, cost } = await nomad(points, {
      ...{ clusters: 4, maxIterations: 1, signal: controller.signal },
      onPhase: (phase, share = 0) => {
        if (phase !== "geometry" || share === 0) return;
        controller.abort();
        last = share;
      },
    });
    const whole = await nomad(points, { clusters: 4, maxIterations: 1 });
    expect(last).toBeGreaterThan(0.9); // Q and the embedding all the same
    expect(new Set(labels).size).toBe(4);
    expect(cost).toBeLessThan(1.5 * (whole.cost ?? 0));
  });
});
