/** Whether a model fits into this machine's memory: a single wrong index can ask for billions of parameters. */
import { freemem } from "node:os";
import { CurvatureError } from "@curvature/linalg";

/** Parameters, gradients, gains and a copy or two, in float64. */
const bytesPerParameter = 48;

const availableBytes = (): number => process.availableMemory?.() ?? freemem();

/** @throws CurvatureError ERR_MEMORY */
export function checkModelFits(features: number, models: number): void {
  const needed = features * models * bytesPerParameter;
  const available = availableBytes();
  if (needed <= available) return;
  const gigabytes = (bytes: number): string => (bytes / 2 ** 30).toFixed(1);
  throw new CurvatureError(
    "ERR_MEMORY",
    `A model of ${features} features${models > 1 ? ` and ${models} classes` : ""} takes about ${gigabytes(needed)} GB to train, and ${gigabytes(available)} GB are free. Check the largest index, or number the features anew.`,
    { expected: `at most ${available} bytes`, received: needed },
  );
}
