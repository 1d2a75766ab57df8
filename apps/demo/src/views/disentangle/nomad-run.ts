/** A run of NOMAD, and all that the page shows of it. */
import { JobRun } from "../../worker/job-run.js";
import type { BoundsPoint, DisentangleAnswer, DisentangleJob, DisentangleProgress, Still } from "./task.js";

/** Stills that are kept: each has a byte for every pair of points. */
const mostBytes = 32 * 2 ** 20;

export class NomadRun extends JobRun<"disentangle"> {
  readonly bounds: BoundsPoint[] = [];
  stills: readonly Still[] = [];
  spectralBound = Number.POSITIVE_INFINITY;
  /** The Q of the last still, n × n. */
  Q: Float64Array | undefined;

  constructor(
    readonly job: DisentangleJob,
    onChange: () => void,
  ) {
    super(onChange);
    this.start("disentangle", job);
  }

  get hasPicture(): boolean {
    return this.stills.length > 0;
  }

  protected override take({ bounds, spectralBound, found }: DisentangleProgress): void {
    this.bounds.push(...bounds);
    this.spectralBound = spectralBound;
    if (found === undefined) return;
    this.Q = found.Q;
    this.add(found.still);
  }

  private add(still: Still): void {
    this.stills = [...this.stills, still];
    if (this.stills.length * still.levels.length <= mostBytes) return;
    // Every second goes, but not the last of a layer.
    const { stills } = this;
    this.stills = stills.filter((each, k) => k % 2 === 0 || each.stage !== stills[k + 1]?.stage);
  }

  protected override conclude({ bounds, Q, still }: DisentangleAnswer): void {
    this.bounds.push(...bounds);
    this.Q = Q;
    this.add(still);
  }
}
