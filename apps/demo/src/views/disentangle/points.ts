/** The points that are disentangled: a generated set, one class of the digits, or what was drawn. */
import { doubleSwissRoll, type Groups, moons, ring, twoRings } from "@curvature/datasets";
import { type DenseMatrix, principalComponents, selectRows } from "@curvature/linalg";
import { useMemo } from "preact/hooks";
import { type Dataset, plainDataset } from "../../data/dataset.js";
import { useDataset } from "../../data/use-dataset.js";
import type { DisentangleState, Place } from "./options.js";

export interface PointSet {
  readonly dataset: Dataset;
  /** x0, y0, x1, y1, …: where the points are drawn; the leading principal components where there are more columns. */
  readonly places: Float64Array;
}

/** Points below which there is nothing to disentangle. */
export const fewest = 2;

/** The state's points; undefined while the digits are on their way. */
export function usePointSet(state: DisentangleState): PointSet | undefined {
  const wantsDigits = state.data === "digits";
  const { loading } = useDataset(state.data, wantsDigits ? { kind: "digits" } : undefined);
  const digits = loading.kind === "ready" ? loading.dataset : undefined;
  const { data, points, noise, digit, drawn, seed } = state;
  return useMemo(() => pointsOf(state, digits), [data, points, noise, digit, drawn, seed, digits]);
}

/** The generator of a set, a function of the package of data sets, as code calls it too. */
export function generatorCall({ data, points: count, noise, seed }: DisentangleState) {
  const half = Math.max(1, Math.round(count / 2));
  switch (data) {
    case "two-rings":
      return { generator: "twoRings", options: { pointsPerRing: half, noise, seed } } as const;
    case "moons":
      return { generator: "moons", options: { pointsPerMoon: half, noise, seed } } as const;
    case "double-swiss-roll":
      return { generator: "doubleSwissRoll", options: { pointsPerRoll: half, noise, seed } } as const;
    case "ring":
      return { generator: "ring", options: { count, noise, seed } } as const;
    case "drawn":
    case "digits":
      return { generator: undefined };
  }
}

/** @param digits - all of them; needed for their class alone */
export function pointsOf(state: DisentangleState, digits: Dataset | undefined): PointSet | undefined {
  const inPlane = (points: DenseMatrix): PointSet => ({
    dataset: plainDataset(state.data, points, ["x", "y"]),
    places: points.data,
  });
  const grouped = (labelName: string, { points, labels }: Groups): PointSet => {
    const { dataset, places } = inPlane(points);
    return { dataset: { ...dataset, labels: Array.from(labels, String), labelName }, places };
  };
  const call = generatorCall(state);
  switch (call.generator) {
    case "twoRings":
      return grouped("ring", twoRings(call.options));
    case "moons":
      return grouped("moon", moons(call.options));
    case "doubleSwissRoll":
      return grouped("roll", doubleSwissRoll(call.options));
    case "ring":
      return inPlane(ring(call.options).points);
    case undefined: {
      const { data, drawn } = state;
      if (data === "digits") return digits && ofDigit(digits, state);
      const places = Float64Array.from(drawn.flatMap(({ x, y }) => [x, y]));
      return inPlane({ rows: drawn.length, columns: 2, data: places });
    }
  }
}

/** The first so many of one class. */
function ofDigit(digits: Dataset, { digit, points: most }: DisentangleState): PointSet {
  const { points, labels = [] } = digits;
  const chosen = labels.flatMap((label, i) => (label === digit ? [i] : [])).slice(0, most);
  const own = selectRows(points, chosen);
  return {
    dataset: { ...digits, name: `digits-${digit}`, points: own, labels: undefined, labelName: undefined },
    places: principalComponents(own).scores.data,
  };
}

/** The points as they would have been drawn: with three decimals, so that links stay short. */
export function placesOf(set: PointSet | undefined): readonly Place[] {
  const rounded = (value: number): number => Math.round(value * 1000) / 1000;
  const places = set?.places ?? [];
  return Array.from({ length: places.length / 2 }, (_, i) => ({
    x: rounded(places[2 * i]),
    y: rounded(places[2 * i + 1]),
  }));
}
