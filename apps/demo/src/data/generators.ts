/** The generated sets as calls of `@curvature/datasets`: as they are made, and as code says it. */
import type { GeneratedRequest } from "./dataset.js";

/** Of about `count` points: groups are of equal size. */
export function generatorCall({ set, count, noise, seed }: Omit<GeneratedRequest, "kind">) {
  const group = (groups: number): number => Math.max(1, Math.round(count / groups));
  switch (set) {
    case "swiss-roll":
      return { generator: "swissRoll", options: { count, noise, seed } } as const;
    case "s-curve":
      return { generator: "sCurve", options: { count, noise, seed } } as const;
    case "trefoil":
      return { generator: "trefoilKnot", options: { count, noise, seed } } as const;
    case "rings":
      return { generator: "rings", options: { rings: 3, pointsPerRing: group(3), noise, seed } } as const;
    case "blobs":
      return {
        generator: "gaussianBlobs",
        options: { groups: 6, pointsPerGroup: group(6), dimensions: 10, box: 4, seed },
      } as const;
    case "loops":
      return {
        generator: "closedLoops",
        options: { loops: 12, pointsPerLoop: group(12), noise, seed },
      } as const;
    case "curves":
      return { generator: "curves", options: { count, side: 28, seed } } as const;
  }
}
