/** Numbers that describe objects, those of the map and new ones: lines of an object and its numbers, below a header. */
import { readCells } from "@curvature/datasets";
import { CurvatureError, type DenseMatrix, shown } from "@curvature/linalg";
import { bytesOf, inFile, shownName } from "./file.js";

export interface ObjectFeatures {
  readonly names: readonly string[];
  /** A row for each of them. */
  readonly values: DenseMatrix;
}

/** @throws CurvatureError ERR_PARSE with the line; ERR_IO */
export async function readObjectFeatures(path: string, signal: AbortSignal): Promise<ObjectFeatures> {
  const { cells, lines } = await readCells(bytesOf(path, signal)).catch((error: unknown) => {
    throw inFile(path, error);
  });
  const failure = (what: string): CurvatureError =>
    new CurvatureError("ERR_PARSE", `${shownName(path)}${what}`, { path: "features" });
  const width = cells[0]?.length ?? 0;
  if (width < 2) throw failure(" has no features. Give lines of an object and its numbers.");
  const isNumber = (cell: string): boolean => cell.trim() !== "" && Number.isFinite(Number(cell));
  const first = cells[0].slice(1).every(isNumber) ? 0 : 1; // a header
  const known = new Set<string>();
  const data = new Float64Array((cells.length - first) * (width - 1));
  for (let k = first; k < cells.length; k++) {
    const [name, ...numbers] = cells[k];
    const wrong = numbers.find((cell) => !isNumber(cell));
    if (numbers.length !== width - 1)
      throw failure(`: line ${lines[k]} has ${numbers.length + 1} cells, the first has ${width}.`);
    if (wrong !== undefined) throw failure(`: line ${lines[k]} has ${shown(wrong)} in place of a number.`);
    if (known.has(name)) throw failure(`: line ${lines[k]} is the second one of ${shown(name)}.`);
    known.add(name);
    data.set(numbers.map(Number), (k - first) * (width - 1));
  }
  return { names: [...known], values: { rows: known.size, columns: width - 1, data } };
}
