/** A map, computed in a worker: `embed` as it is, told of at the pace of the display. */
import type { RunResult } from "@curvature/optim-core";
import { type EmbedPhase, embed, mapQuality } from "@curvature/optim-spectral";
import type { Channel, Parcel, Task } from "../../worker/protocol.js";
import { Film, type Still } from "./film.js";
import type { PaneOptions } from "./options.js";

/** The points' numbers, row by row, come as the job's data. */
export interface EmbedJob {
  readonly rows: number;
  readonly columns: number;
  readonly options: PaneOptions;
}

/** One iteration of the learning curve. */
export interface CurvePoint {
  readonly iteration: number;
  readonly seconds: number;
  readonly evaluations: number;
  readonly lambda: number;
  /** E⁺ + λ E⁻ */
  readonly energy: number;
  /** At λ = 1; undefined where the solver does not know it. */
  readonly klDivergence: number | undefined;
}

export interface EmbedProgress {
  /** Those since the last progress. */
  readonly curve: readonly CurvePoint[];
  readonly stills: readonly Still[];
  /** N × 2, the current map and the best so far. */
  readonly map: Float64Array<ArrayBuffer>;
  readonly best: Float64Array<ArrayBuffer>;
}

export interface EmbedAnswer {
  readonly map: Float64Array;
  readonly value: number | undefined;
  readonly klDivergence: number | undefined;
  readonly knnPreservation: number | undefined;
  readonly trustworthiness: number | undefined;
  readonly evaluations: number;
  readonly elapsedSeconds: number;
  readonly status: RunResult["status"];
  readonly message: string;
}

/** Multiplications that the look at the map may cost; more points than these allow are sampled. */
const qualityBudget = 4e8;

export const embedTask: Task<EmbedJob, EmbedProgress, EmbedAnswer> = {
  async run({ rows, columns, options }, channel) {
    const points = { rows, columns, data: channel.takeData() };
    const reporter = new Reporter(channel);
    const result = await embed(points, {
      ...options,
      threads: "auto", // where the page is cross-origin isolated; the bits are those of one thread
      signal: channel.signal,
      onPhase: (phase, share) => reporter.enter(phase, share),
      onIteration: (iteration, { elapsedSeconds, last, best }) => {
        const { lambda, energy, klDivergence } = iteration.details;
        const { index, evaluations } = iteration;
        reporter.take(
          { iteration: index, seconds: elapsedSeconds, evaluations, lambda, energy, klDivergence },
          last.x,
          best.x,
        );
      },
    });
    for (const { message } of result.warnings) channel.warning(message);
    reporter.flush(result.last, result.x);
    channel.phase("measuring the map");
    const maxRows = Math.max(100, Math.floor(qualityBudget / (rows * columns)));
    const isStopped = channel.signal.aborted;
    const quality = isStopped ? undefined : mapQuality(points, result.embedding, { maxRows });
    const map = Float64Array.from(result.x);
    const { value, klDivergence, evaluations, elapsedSeconds, status, message } = result;
    return {
      content: {
        map,
        value,
        klDivergence,
        knnPreservation: quality?.knnPreservation,
        trustworthiness: quality?.trustworthiness,
        evaluations,
        elapsedSeconds,
        status,
        message,
      },
      transfer: [map.buffer],
    };
  },
};

const phaseNames: Readonly<Record<EmbedPhase, string>> = {
  neighbors: "neighbours",
  affinities: "affinities",
  initialization: "first map",
  optimization: "optimisation",
};

/** Milliseconds between two words on how far a phase is. */
const sharePace = 100;

/** Keeps what the page has not yet asked for. */
class Reporter {
  private curve: CurvePoint[] = [];
  private readonly film = new Film();
  /** Of `performance.now()`: when the page last heard of a phase. */
  private toldAt = 0;

  constructor(private readonly channel: Channel<EmbedProgress>) {}

  /** @param share - how much of the phase is done, from 0 to 1, where that is known */
  enter(phase: EmbedPhase, share: number | undefined): void {
    const now = performance.now();
    if (share !== undefined && now - this.toldAt < sharePace) return;
    this.toldAt = now;
    const words = share === undefined ? "" : `, ${Math.floor(100 * share)} %`;
    this.channel.phase(`${phaseNames[phase]}${words}`);
  }

  take(point: CurvePoint, map: Float64Array, best: Float64Array): void {
    this.curve.push(point);
    const { iteration, lambda, energy } = point;
    this.film.add({ iteration, lambda, energy, map: Float32Array.from(map) });
    if (this.channel.isWanted) this.flush(map, best);
  }

  flush(map: Float64Array, best: Float64Array): void {
    this.channel.progress(this.parcel(Float64Array.from(map), Float64Array.from(best)));
  }

  private parcel(map: Float64Array<ArrayBuffer>, best: Float64Array<ArrayBuffer>): Parcel<EmbedProgress> {
    const stills = this.film.drain();
    const curve = this.curve.splice(0);
    return {
      content: { curve, stills, map, best },
      transfer: [map.buffer, best.buffer, ...stills.map((still) => still.map.buffer)],
    };
  }
}
