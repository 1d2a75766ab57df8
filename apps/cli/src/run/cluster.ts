/** The package for work past one run at a time, which not everybody installs. */
import { CurvatureError } from "@curvature/linalg";

const sentence = (command: string): string =>
  `curvature ${command} needs the package @curvature/cluster, which is not installed; install both together: npm install @curvature/cli @curvature/cluster.`;

/** @throws CurvatureError ERR_OPTION when the package is not there */
export async function loadCluster(command: string): Promise<typeof import("@curvature/cluster")> {
  return import("@curvature/cluster").catch((error: unknown) => {
    throw notInstalled(command, error);
  });
}

/** The part that works with Redis. @throws CurvatureError ERR_OPTION when the package is not there */
export async function loadRedis(command: string): Promise<typeof import("@curvature/cluster/redis")> {
  return import("@curvature/cluster/redis").catch((error: unknown) => {
    throw notInstalled(command, error);
  });
}

function notInstalled(command: string, error: unknown): unknown {
  const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
  return isMissing ? new CurvatureError("ERR_OPTION", sentence(command), { cause: error }) : error;
}

/** The module of the threads that do the runs, beside this program's own file. */
export const runThread = (): URL => new URL("./run-thread.js", import.meta.url);
