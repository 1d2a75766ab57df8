/** What affinities take of memory, so that too much is refused before any of it is had. */
import { CurvatureError } from "@curvature/linalg";

/** Bytes. */
const MOST = 2 ** 32;

export interface MemoryUse {
  /** Rows of its matrices, and of its lists of neighbours. */
  readonly rows: number;
  /** Columns of the matrices. */
  readonly columns: number;
  /** How many full matrices there are at a time. */
  readonly matrices?: number;
  /** Neighbours in a row. */
  readonly neighbors?: number;
}

/**
 * Bytes that each neighbour of a point takes while joint affinities are made: 12 (an index and a number) in the lists, in
 * the conditional affinities and in their transpose, and 24 in the joint ones, which have up to twice as many entries. The
 * search before takes 24, and sorting the conditional affinities 44.
 */
const BYTES_PER_NEIGHBOR = 60;

/**
 * @param advice - what to do about full matrices
 * @throws CurvatureError ERR_MEMORY above 4 GiB, with how much it would be, and what to do
 */
export function checkMemory(
  where: string,
  { rows, columns, matrices = 0, neighbors = 0 }: MemoryUse,
  advice: string,
): void {
  const full = 8 * rows * columns * matrices;
  const listed = BYTES_PER_NEIGHBOR * rows * neighbors;
  const bytes = full + listed;
  if (bytes <= MOST) return;
  const [path, what, todo] =
    full > listed
      ? ["points", `${matrices} x ${rows} x ${columns} numbers`, advice]
      : [
          "neighbors",
          `${neighbors} neighbours for each of ${rows} points`,
          `Take at most ${Math.floor(MOST / BYTES_PER_NEIGHBOR / rows)}: lower neighbors, or perplexity.`,
        ];
  throw new CurvatureError(
    "ERR_MEMORY",
    `${where}: ${what} take ${bytes} bytes (${(bytes / 2 ** 30).toPrecision(3)} GiB), more than 4 GiB. ${todo}`,
    { path, expected: "at most 4 GiB", received: bytes },
  );
}
