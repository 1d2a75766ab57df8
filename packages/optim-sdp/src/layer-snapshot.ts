/** Layers as plain data, and back. Every field is checked. */
import { CurvatureError } from "@curvature/linalg";
import { SnapshotReader, type SnapshotValue } from "@curvature/optim-core";
import { readPoint, savedPoint } from "./bounds/factored-point.js";
import { DenseSolution, FactoredSolution, type Solution } from "./geometry/solution.js";
import type { Stage } from "./layer-plan.js";
import type { NomadDetails } from "./nomad-options.js";
import type { LayerAttempt, NomadLayer } from "./nomad-result.js";

type Plain = { readonly [key: string]: SnapshotValue };

export function savedSolution(solution: Solution): Plain {
  if (solution instanceof DenseSolution) return { Q: solution.Q.data.slice() };
  if (solution instanceof FactoredSolution) {
    const { point } = solution;
    return { columns: point.factor.columns, ...savedPoint(point), Q: null };
  }
  throw new CurvatureError("ERR_SNAPSHOT", "Layers: this solution cannot be saved.");
}

export function readSolution(state: SnapshotReader, n: number): Solution {
  if (state.has("Q")) return new DenseSolution({ rows: n, columns: n, data: state.float64("Q", n * n) });
  return new FactoredSolution(readPoint(state, n, state.integer("columns", 1)));
}

export function savedLayer({ components, rank, ...numbers }: NomadLayer): Plain {
  const { count, labels } = components;
  return { ...numbers, rank: rank ?? null, count, labels: labels.slice() };
}

export function readLayer(state: SnapshotReader, n: number): NomadLayer {
  const [clusters, lower, upper, gap] = ["clusters", "lower", "upper", "gap"].map((key) => state.number(key));
  return {
    ...{ clusters, lower, upper, gap },
    smallestEntry: state.number("smallestEntry"),
    rowSumError: state.number("rowSumError"),
    rank: state.optionalNumber("rank"),
    components: { count: state.integer("count", 1, n), labels: state.int32("labels", n) },
    iterations: state.integer("iterations"),
  };
}

export function readDetails(state: SnapshotReader): NomadDetails {
  const [gap, lower, upper] = ["gap", "lower", "upper"].map((key) => state.number(key));
  return {
    ...{ gap, lower, upper },
    layer: state.integer("layer", 1),
    clusters: state.number("clusters"),
    rank: state.optionalNumber("rank"),
  };
}

export function readStage(state: SnapshotReader): Stage {
  return {
    layer: state.integer("layer", 1),
    clusters: state.number("clusters"),
    isLast: state.flag("isLast"),
  };
}

/** The objects of a list, with their getters. */
export function listOf(state: SnapshotReader, key: string): SnapshotReader[] {
  return state.list(key).map((item, k) => new SnapshotReader(`Snapshot of layers, ${key} ${k}`, item));
}

/** An attempt is a list of { clusters, components }. */
export function readAttempt(saved: unknown, index: number): LayerAttempt {
  const wrapped = new SnapshotReader(`Snapshot of layers, attempt ${index}`, { layers: saved });
  const layers = listOf(wrapped, "layers").map((layer) => ({
    clusters: layer.number("clusters"),
    components: layer.integer("components", 1),
    smallest: layer.integer("smallest", 1),
  }));
  return { layers };
}
