/** What `embed` does on a GPU: the search for neighbours, the optimisation, or both, and then the affinities between them. */
import type { DenseMatrix, SparseMatrix } from "@curvature/linalg";
import { type EmbeddingObjective, type FoundNeighbors, fairLists } from "@curvature/objectives/embedding";
import { type Gpu, nearestOnGpu, openGpu } from "@curvature/webgpu";
import { affinityRows, type SparseRows } from "@curvature/webgpu/kernels";
import type { ResolvedOptions } from "./embed-options.js";
import type { EmbedSettings } from "./embed-settings.js";
import { checkPointsFit, GpuHomotopy } from "./gpu-homotopy.js";
import type { ChosenSolver } from "./named-solver.js";
import type { Neighborhood, Source } from "./source.js";

export class GpuMap {
  private solved: GpuHomotopy | undefined;
  /** Affinities that are on the device. */
  private rows: SparseRows | undefined;

  private constructor(
    private readonly gpu: Gpu,
    readonly optimizes: boolean,
    readonly searches: boolean,
  ) {}

  /** @throws CurvatureError (the promise rejects) ERR_DEVICE, ERR_MEMORY */
  static async open(
    { gradient, neighborSearch, device }: Pick<ResolvedOptions, "gradient" | "neighborSearch" | "device">,
    points: number,
    neighbors: EmbedSettings["neighbors"],
  ): Promise<GpuMap> {
    const gpu = await openGpu(device === "auto" ? {} : { device });
    if (gradient === "gpu") checkPointsFit(gpu, points, neighbors);
    return new GpuMap(gpu, gradient === "gpu", neighborSearch === "gpu");
  }

  /** For the result's `options`. */
  get reported() {
    return {
      ...(this.optimizes ? { gradient: "gpu", sums: this.solved?.options.sums } : {}),
      ...(this.searches ? { neighborSearch: "gpu" } : {}),
      ...(this.rows === undefined ? {} : { affinities: "gpu" }),
      adapter: this.gpu.name,
    };
  }

  /** The same lists as those of the exact search; undefined where all pairs are used, or the search is not asked of a GPU. */
  async neighbors(source: Source, { neighbors }: EmbedSettings): Promise<FoundNeighbors | undefined> {
    if (!this.searches || neighbors === "all" || source.kind !== "points" || !("data" in source.data))
      return undefined;
    const Y = source.data;
    const found = { search: "exact", recall: 1, abandonedRecall: undefined } as const;
    const count = Math.min(neighbors + 1, Y.rows - 1);
    const lists = await nearestOnGpu(this.gpu, Y, count);
    if (count === neighbors) return { ...lists, ...found };
    const steps = fairLists(Y, lists);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return { ...step.value, ...found };
    }
  }

  /** Those of lists; undefined where they are the processor's work: see `affinityRows`. */
  async affinities(
    near: Neighborhood,
    { perplexity }: EmbedSettings,
  ): Promise<{ readonly affinities: SparseMatrix } | undefined> {
    if (!(this.optimizes && this.searches && "count" in near)) return undefined;
    if (typeof perplexity !== "number" || near.count <= perplexity) return undefined;
    const found = await affinityRows(this.gpu, near, perplexity);
    if (found === undefined) return undefined;
    const { host, ...rows } = found;
    this.rows = rows;
    const sum = host.values.reduce((total, value) => total + value, 0);
    const values = Float64Array.from(host.values, (value) => value / sum);
    return { affinities: { ...host, rows: rows.rows, columns: rows.rows, values } };
  }

  async solver(
    objective: EmbeddingObjective,
    start: DenseMatrix,
    { maxEvaluations, initialization }: EmbedSettings,
  ): Promise<ChosenSolver> {
    const shortening = initialization === "random" ? "rows" : "step";
    const solver = await GpuHomotopy.create(this.gpu, objective, start, {
      maxEvaluations,
      shortening,
      rows: this.rows,
    });
    this.solved = solver;
    return { solver, warnings: solver.warnings };
  }

  close(): void {
    this.gpu.close();
  }
}
