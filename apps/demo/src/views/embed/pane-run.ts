/** One map on its way, and all that the page shows of it. */
import type { DenseMatrix } from "@curvature/linalg";
import { wantsLessMotion } from "../../shell/theme.js";
import { JobRun } from "../../worker/job-run.js";
import { Film, type Still } from "./film.js";
import type { PaneOptions } from "./options.js";
import type { CurvePoint, EmbedAnswer, EmbedProgress } from "./task.js";

export class PaneRun extends JobRun<"embed"> {
  /** x0, y0, x1, y1, …: what is drawn; empty before the first iteration. */
  map: ArrayLike<number> = [];
  /** The best map so far, in full precision: what is exported. */
  best: Float64Array | undefined;
  readonly curve: CurvePoint[] = [];
  private readonly film = new Film();
  /** Whether it has not begun: there are no more workers than cores. */
  isWaiting = true;

  constructor(
    readonly options: PaneOptions,
    private readonly points: DenseMatrix,
    onChange: () => void,
  ) {
    super(onChange);
    this.status = { kind: "running", phase: "waiting for a core to be free" };
  }

  get stills(): readonly Still[] {
    return this.film.stills;
  }

  get latest(): CurvePoint | undefined {
    return this.curve.at(-1);
  }

  begin(): void {
    this.isWaiting = false;
    const { options } = this;
    const { rows, columns, data } = this.points;
    this.start("embed", { rows, columns, options }, data);
  }

  override cancel(): void {
    if (this.isWaiting) this.status = { kind: "stopped" };
    super.cancel();
  }

  protected override take({ curve, stills, map, best }: EmbedProgress): void {
    for (const point of curve) this.curve.push(point);
    for (const still of stills) this.film.add(still);
    this.best = best;
    if (!wantsLessMotion() || this.map.length === 0) this.map = map;
  }

  protected override conclude({ map }: EmbedAnswer): void {
    this.best = map;
    this.map = map;
  }
}
