/** A training of all chosen models, and all that the page shows of it. */
import { JobRun } from "../../worker/job-run.js";
import type { SolverName } from "./options.js";
import type { ClassifyAnswer, ClassifyJob, ClassifyProgress, Frame } from "./task.js";

export class Training extends JobRun<"classify"> {
  /** P*, once it is known. */
  optimum: number | undefined;
  readonly frames: Map<SolverName, Frame[]>;
  /** What the models' files hold. */
  readonly files = new Map<SolverName, Uint8Array<ArrayBuffer>>();

  constructor(
    readonly job: ClassifyJob,
    onChange: () => void,
  ) {
    super(onChange);
    this.frames = new Map(job.models.map(({ solver }) => [solver, []]));
    this.start("classify", job);
  }

  get hasPicture(): boolean {
    return [...this.frames.values()].some(({ length }) => length > 0);
  }

  protected override take({ model, frames, optimum }: ClassifyProgress): void {
    this.optimum = optimum;
    this.frames.get(this.job.models[model].solver)?.push(...frames);
  }

  protected override conclude(files: ClassifyAnswer): void {
    for (const [k, file] of files.entries())
      if (file !== undefined) this.files.set(this.job.models[k].solver, file);
  }
}
