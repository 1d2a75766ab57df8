/** Matrix Market's files as sparse matrices. */
import { type OptionsOf, optionTable, type SparseMatrix } from "@curvature/linalg";
import { type ByteSource, collected } from "./bytes.js";
import { reading } from "./gzip.js";
import { inputSize } from "./shared-options.js";
import { strictText } from "./text.js";

export const matrixMarketOptions = optionTable(inputSize);
export type MatrixMarketOptions = OptionsOf<typeof matrixMarketOptions>;

/**
 * The matrix as it is stored, plain or gzip: of coordinates each entry, zeros too, both halves of a symmetric one, and those that come
 * twice summed; of an array the entries other than 0.
 *
 * @throws CurvatureError ERR_PARSE that names the line, also for a number that is not finite; ERR_MEMORY, ERR_OPTION
 */
export async function readMatrixMarket(
  source: ByteSource,
  options?: MatrixMarketOptions,
): Promise<SparseMatrix> {
  const { maxBytes } = matrixMarketOptions.resolve("readMatrixMarket", options);
  const text = strictText(await reading(source, maxBytes, collected), "The Matrix Market file");
  return (await import("../tables/matrix-market.js")).marketMatrix(text);
}
