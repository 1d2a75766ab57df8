/** What fits into this machine's memory: a single wrong index can ask for billions of parameters. */
import { freemem } from "node:os";
import { CurvatureError } from "@curvature/linalg";

/** Whether the engine has found no room for what it was asked for. */
export const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error &&
  (error.message === "Array buffer allocation failed" ||
    ("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"));

export const outOfMemory = (cause: unknown): CurvatureError =>
  new CurvatureError(
    "ERR_MEMORY",
    "The memory does not suffice for these data. Give Node more (NODE_OPTIONS=--max-old-space-size=8000), or take fewer points.",
    { cause },
  );

/** Parameters, gradients, gains and a copy or two, in float64. */
const bytesPerParameter = 48;

export const availableBytes = (): number => process.availableMemory?.() ?? freemem();

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

/** Two copies of each component and what the means and counts take, per column. */
const bytesPerColumn = (components: number): number => 16 * components + 48;

/** @throws CurvatureError ERR_MEMORY for principal components of so many columns that they have no room */
export function checkComponentsFit(columns: number, components: number): void {
  const needed = columns * bytesPerColumn(components);
  const available = availableBytes();
  if (needed <= available) return;
  throw new CurvatureError(
    "ERR_MEMORY",
    `${components} principal components of ${columns} columns take ${(needed / 2 ** 30).toFixed(1)} GB, and ${(available / 2 ** 30).toFixed(1)} GB are free. Ask for fewer (--pca), check the largest index, or number the features anew.`,
    { expected: `at most ${available} bytes`, received: needed },
  );
}

/** Vectors of a solver that holds a few for each of some subfunctions, in float64. */
const vectorsPerSolver = 8;

/** @throws CurvatureError ERR_MEMORY for more parameters than a few vectors of them have room for */
export function checkProblemFits(dimension: number, count: number): void {
  const needed = 8 * vectorsPerSolver * dimension + 64 * count;
  const available = availableBytes();
  if (needed <= available) return;
  throw new CurvatureError(
    "ERR_MEMORY",
    `A problem of ${dimension} parameters and ${count} subfunctions takes ${(needed / 2 ** 30).toFixed(1)} GB at the least, and ${(available / 2 ** 30).toFixed(1)} GB are free. Check dimension and count.`,
    { expected: `at most ${available} bytes`, received: needed },
  );
}

/**
 * Of an answer in an ordinal embedding: itself, what tells repeated ones apart, its place in the division by which a ridge is chosen, and
 * the solver's own arrays. Measured: 150 of 3 and of 10 million answers.
 */
const bytesPerAnswer = 160;

/** What a map of so many answers takes at its peak. @throws CurvatureError ERR_MEMORY where that is not free */
export function checkAnswersFit(answers: number): number {
  const needed = answers * bytesPerAnswer;
  const available = availableBytes();
  if (needed <= available) return needed;
  throw new CurvatureError(
    "ERR_MEMORY",
    `A map of ${answers} answers takes about ${(needed / 2 ** 30).toFixed(1)} GB, and ${(available / 2 ** 30).toFixed(1)} GB are free. Take a sample of the answers.`,
    { expected: `at most ${available} bytes`, received: needed },
  );
}
