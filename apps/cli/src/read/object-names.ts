/**
 * What the objects of an ordinal embedding are called: by names of their own, or by their numbers from 0.
 */
import { readCells } from "@curvature/datasets";
import { CurvatureError, shown } from "@curvature/linalg";
import { bytesOf, inFile, shownName } from "./file.js";

/** A name for every object, whether or not they have names. */
export function objectNames(names: readonly string[] | undefined, objects: number): readonly string[] {
  return names ?? Array.from({ length: objects }, (_, object) => String(object));
}

/**
 * Names from a file with one per line, in the objects' order.
 *
 * @throws CurvatureError ERR_PARSE for an empty file, a name that stands twice, or a line of several cells; ERR_IO
 */
export async function readNames(path: string, signal: AbortSignal): Promise<readonly string[]> {
  const { cells, lines } = await readCells(bytesOf(path, signal), { delimiter: "\t" }).catch(
    (error: unknown) => {
      throw inFile(path, error);
    },
  );
  const firstLine = new Map<string, number>();
  for (const [k, record] of cells.entries()) {
    const [name] = record;
    const where = `${shownName(path)}: line ${lines[k]}`;
    if (record.length > 1 || name === "") {
      throw new CurvatureError("ERR_PARSE", `${where} must hold one name.`, { path });
    }
    const first = firstLine.get(name);
    if (first !== undefined) {
      throw new CurvatureError(
        "ERR_PARSE",
        `${where} is ${shown(name)}, which line ${first} is already. Give each object its own name.`,
        { path },
      );
    }
    firstLine.set(name, lines[k]);
  }
  if (firstLine.size === 0) {
    throw new CurvatureError("ERR_PARSE", `${shownName(path)} is empty. Give one name per line.`, { path });
  }
  return [...firstLine.keys()];
}

/** "A", "A and B", "A, B and 3 others" */
export function listed(names: readonly string[], most = 10): string {
  const shownNames = names.slice(0, most);
  const rest = names.length - shownNames.length;
  const all = rest > 0 ? [...shownNames, `${rest} others`] : shownNames;
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all[all.length - 1]}`;
}
