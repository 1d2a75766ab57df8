/** What objects are labelled by: a file with one label per line in their order, or of lines "object, label". */

import { readCells } from "@curvature/datasets";
import { CurvatureError, shown } from "@curvature/linalg";
import type { NamedColumn } from "@curvature/map-view";
import { bytesOf, inFile, shownName } from "./file.js";
import { listed } from "./object-names.js";

/**
 * @param called - the objects
 * @param isListed - whether their order is known to whoever wrote the file: a list of names, or numbers
 * @returns a label for each object, "" for one without, and what to warn of: objects without one, and names of no object
 * @throws CurvatureError ERR_PARSE; ERR_SHAPE for another number of lines; ERR_IO
 */
export async function readObjectLabels(
  path: string,
  called: readonly string[],
  isListed: boolean,
  signal: AbortSignal,
): Promise<{ readonly column: NamedColumn; readonly warnings: readonly string[] }> {
  const { cells, lines } = await readCells(bytesOf(path, signal)).catch((error: unknown) => {
    throw inFile(path, error);
  });
  const where = shownName(path);
  const width = cells[0]?.length ?? 0;
  if (width === 1 && isListed)
    return { column: { name: "label", values: inOrder(path, cells, called) }, warnings: [] };
  const uneven = cells.findIndex((record) => record.length !== width);
  if (width !== 2 || uneven >= 0) {
    const found =
      uneven >= 0 ? `line ${lines[uneven]} has ${cells[uneven].length} cells` : `it has ${width} columns`;
    throw new CurvatureError(
      "ERR_PARSE",
      `${where}: ${found}. Give two columns, object and label, or${isListed ? "" : ", with --names,"} one label per line in the objects' order.`,
      { path: "labels", expected: "two columns" },
    );
  }
  const numbers = new Map(called.map((name, object) => [name, object]));
  const isHeader = !numbers.has(cells[0][0]);
  const values = called.map(() => "");
  const unknown: string[] = [];
  const first = new Map<number, number>();
  for (const [k, [name, label]] of cells.entries()) {
    if (k === 0 && isHeader) continue;
    const object = numbers.get(name);
    if (object === undefined) {
      unknown.push(name);
      continue;
    }
    const before = first.get(object);
    if (before !== undefined && values[object] !== label)
      throw new CurvatureError(
        "ERR_PARSE",
        `${where}: line ${lines[k]} labels ${shown(name)} ${shown(label)}, line ${lines[before]} ${shown(values[object])}. Give each object one label.`,
        { path: "labels" },
      );
    first.set(object, k);
    values[object] = label;
  }
  // Stimuli that were never asked about, or a name with another spelling; a file of which no line is known is another one.
  if (first.size === 0)
    throw new CurvatureError(
      "ERR_PARSE",
      `${where} labels none of the objects: it names ${listed(unknown, 3)}, and they are ${listed(called, 3)}.`,
      { path: "labels" },
    );
  const without = called.filter((_, object) => !first.has(object));
  return {
    column: { name: isHeader ? cells[0][1] : "label", values },
    warnings: [
      ...(without.length === 0 ? [] : [`${where} has no label for ${listed(without)}.`]),
      ...(unknown.length === 0 ? [] : [`${where} labels what is none of the objects: ${listed(unknown)}.`]),
    ],
  };
}

function inOrder(path: string, cells: readonly (readonly string[])[], called: readonly string[]): string[] {
  const labels = cells.map(([label]) => label);
  if (labels.length === called.length) return labels;
  throw new CurvatureError(
    "ERR_SHAPE",
    `${shownName(path)} has ${labels.length} labels, but there are ${called.length} objects. Give one per line, or two columns, object and label.`,
    { path: "labels", expected: `${called.length} labels`, received: labels.length },
  );
}
