/**
 * A thread of a worker: reads the data that a description names, makes the sum of them, and answers questions about its
 * subfunctions through a port until that is closed.
 */
import type { MessagePort } from "node:worker_threads";
import { CurvatureError } from "@curvature/linalg";
import { readData } from "../read/data.js";
import { denseRows } from "../read/rows.js";
import { loadCluster } from "../run/cluster.js";
import type { Channel } from "./channel.js";
import type { FitDescription } from "./fit/description.js";
import { problemFromData } from "./fit/objective-problem.js";
import { objectives } from "./fit/objectives.js";
import { rescaled } from "./fit/row-scaling.js";

export interface SubfunctionsTaskInput {
  readonly description: FitDescription;
  /** Where the files are, checked already. */
  readonly file: string;
  readonly labelFile: string | undefined;
  readonly port: MessagePort;
}

/** What a thread sends before it serves. */
export interface ServedShape {
  readonly dimension: number;
  readonly count: number;
  readonly fingerprint: string;
}

/** @throws CurvatureError as reading and the objective do; ERR_PARSE for another sum than the one that is meant */
export async function subfunctionsTask(
  { description, file, labelFile, port }: SubfunctionsTaskInput,
  { signal }: Channel,
): Promise<undefined> {
  const { servePort } = await loadCluster("worker");
  const use = labelFile === undefined ? description.use : { ...description.use, labels: labelFile };
  const { objective, scale } = description;
  const targets = objectives[objective].classes !== undefined;
  const { points, labels } = await readData(file, use, { signal }, { sparse: true, targets });
  const problem = problemFromData({
    ...description.options,
    objective,
    points: rescaled(objective, denseRows(points), scale).points,
    labels: use.labels === undefined ? undefined : labels,
  });
  const { dimension, count, fingerprint } = problem;
  if (fingerprint !== description.fingerprint)
    throw new CurvatureError(
      "ERR_PARSE",
      `${description.file.path} makes another sum here (${fingerprint}) than at the coordinator (${description.fingerprint}); install the same release everywhere.`,
      { path: "fingerprint", expected: description.fingerprint, received: fingerprint },
    );
  const closed = new Promise<void>((done) => {
    port.on("close", done);
    signal.addEventListener("abort", () => port.close(), { once: true });
  });
  servePort(port, problem);
  port.postMessage({ dimension, count, fingerprint } satisfies ServedShape);
  await closed;
}
