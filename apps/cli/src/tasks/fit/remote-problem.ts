/**
 * A problem whose subfunctions are evaluated by workers behind a Redis. The data are read here too: first point and
 * fingerprint come from them, so that workers with other data are detected, and the classifier is measured on them.
 */
import { isAbsolute, relative, resolve, sep } from "node:path";
import { CurvatureError } from "@curvature/linalg";
import { fingerprintOf, type Solver, type SumOfFunctions } from "@curvature/optim-core";
import type { DataUse } from "../../read/data.js";
import { loadCluster, loadRedis } from "../../run/cluster.js";
import { buildVersion } from "../../version.js";
import type { Channel } from "../channel.js";
import type { Scaling } from "../scaling.js";
import type { FileReference, FitDescription } from "./description.js";
import type { ObjectiveRequest } from "./objective-problem.js";
import { objectiveOptions } from "./objectives.js";
import type { FitProblem } from "./problem.js";

export interface RemoteRequest {
  readonly url: string;
  /** What the workers have as their data folder, absolute. */
  readonly folder: string;
  /** Of the run in Redis; undefined: made from what is fitted. */
  readonly name: string | undefined;
  /** Of the data, as the command line says it. */
  readonly file: string;
  readonly use: DataUse;
  /** The labels' file, where they have one of their own. */
  readonly labelFile: string | undefined;
}

export interface RemoteProblem extends FitProblem {
  /** A solver that needs its evaluations at once, made to wait for them. */
  awaiting(create: (sum: SumOfFunctions) => Solver): Solver;
  /** Closes the connection and removes what the run left in Redis. */
  close(): Promise<void>;
}

/** @throws CurvatureError ERR_OPTION, ERR_IO */
export async function remoteProblem(
  local: FitProblem,
  request: Omit<ObjectiveRequest, "points">,
  scale: Scaling,
  remote: RemoteRequest,
  { warning }: Pick<Channel, "warning">,
): Promise<RemoteProblem> {
  const { RemoteSum, awaitingSolver, referenceTo } = await loadCluster("fit");
  const { connect, coordinate } = await loadRedis("fit");
  const reference = (path: string): Promise<FileReference> =>
    referenceTo(remote.folder, inside(remote.folder, path));
  const { use, labelFile } = remote;
  const description: FitDescription = {
    kind: "fit",
    file: await reference(remote.file),
    labelFile: labelFile === undefined ? undefined : await reference(labelFile),
    use: labelFile === undefined ? use : { ...use, labels: undefined },
    scale,
    objective: request.objective,
    options: objectiveOptions.part(request),
    fingerprint: local.fingerprint,
  };
  const name = remote.name ?? `fit-${fingerprintOf(JSON.stringify(description)).slice(0, 12)}`;
  const connection = await connect(remote.url);
  try {
    const task = { name, description, version: buildVersion(), warn: warning };
    const sum = new RemoteSum(local, await coordinate(connection, task));
    return {
      ...local,
      evaluate: new LookingAhead(sum).evaluate,
      evaluateBatch: (indices, x, gradient) => sum.evaluateBatch(indices, x, gradient),
      whole: undefined, // products with the curvature are not asked of workers
      awaiting: (create) => awaitingSolver(sum, create),
      close: async () => {
        await sum.close();
        await connection.close();
      },
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** As the folder names it. @throws CurvatureError ERR_OPTION for a file outside */
function inside(folder: string, path: string): string {
  const way = relative(folder, resolve(path));
  if (way !== "" && !isAbsolute(way) && way.split(sep)[0] !== "..") return way;
  throw new CurvatureError(
    "ERR_OPTION",
    `${path} is not in the folder ${folder}, where workers look for it; put it there, or name another folder by --data.`,
    { path: "data", received: path },
  );
}

/** A value without a gradient is asked for when the whole of F is measured, one subfunction after the other: all are
 * requested at once. */
class LookingAhead {
  private x = new Float64Array(0);
  private values: readonly Promise<number>[] = [];

  constructor(private readonly sum: SumOfFunctions) {}

  readonly evaluate = (index: number, x: Float64Array, gradient?: Float64Array): number | Promise<number> => {
    const { sum } = this;
    if (gradient !== undefined) return sum.evaluate(index, x, gradient);
    const isKnown = this.x.length === x.length && this.x.every((entry, j) => Object.is(entry, x[j]));
    if (!isKnown) {
      this.x = x.slice();
      this.values = Array.from({ length: sum.count }, async (_, i) => sum.evaluate(i, x));
      const { values } = this;
      for (const value of values)
        value.catch(() => {
          if (this.values === values) this.x = new Float64Array(0); // whoever asks again gets another look
        });
    }
    return this.values[index];
  };
}
