/** Maps of one set in a process of its own, on a GPU or on the processor: a turn is a map, from points to its divergence. */
import { createHash } from "node:crypto";
import { CurvatureError } from "@curvature/linalg";
import { embed } from "@curvature/optim-spectral";
import { openGpu } from "@curvature/webgpu";
import { softwareGpu } from "../../../../../packages/webgpu/test/device.ts";
import { takeTurns } from "../../contestants/own-process.ts";
import { clusterTree, mnist } from "../spectral/sets.ts";

export interface MapTask {
  readonly points: number;
  /** MNIST's; undefined for points that are drawn. */
  readonly folder: string | undefined;
  readonly where: "gpu" | "software" | "processor";
  readonly options: { readonly maxEvaluations?: number };
}

export type MapFound =
  | {
      readonly seconds: number;
      readonly phases: Readonly<
        Record<"neighbors" | "affinities" | "initialization" | "optimization", number>
      >;
      readonly klDivergence: number | undefined;
      /** How far pairs were summed. */
      readonly sums: string;
      /** Of the map's bits. */
      readonly digest: string;
    }
  /** Why there is no map. */
  | { readonly refused: string };

takeTurns(async ({ points, folder, where, options }: MapTask) => {
  const set = folder === undefined ? clusterTree(points) : await mnist(folder, points);
  const gpu = where === "processor" ? undefined : await (where === "gpu" ? openGpu() : softwareGpu());
  const chosen = gpu && ({ gradient: "gpu", neighborSearch: "gpu", device: gpu.device } as const);
  return async (): Promise<MapFound> => {
    try {
      const before = performance.now();
      const map = await embed(set.points, { ...options, ...chosen });
      const seconds = (performance.now() - before) / 1000;
      if (map.status === "failed") return { refused: map.message };
      const digest = createHash("sha256").update(map.embedding.data).digest("hex");
      const sums = String(map.options.sums ?? map.options.gradient);
      return { seconds, phases: map.phases, klDivergence: map.klDivergence, sums, digest };
    } catch (error) {
      if (!(error instanceof CurvatureError || error instanceof RangeError)) throw error;
      return { refused: error.message };
    }
  };
});
