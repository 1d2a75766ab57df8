import { useMemo } from "preact/hooks";
import { useDataset } from "../../data/use-dataset.js";
import type { DisentangleState } from "./options.js";
import { type PointSet, pointsOf } from "./points.js";

/** The state's points; undefined while the digits are on their way. */
export function usePointSet(state: DisentangleState): PointSet | undefined {
  const wantsDigits = state.data === "digits";
  const { loading } = useDataset(
    wantsDigits ? "digits" : "none",
    wantsDigits ? { kind: "digits" } : undefined,
  );
  const digits = loading.kind === "ready" ? loading.dataset : undefined;
  const { data, points, noise, digit, drawn, seed } = state;
  return useMemo(() => pointsOf(state, digits), [data, points, noise, digit, drawn, seed, digits]);
}
