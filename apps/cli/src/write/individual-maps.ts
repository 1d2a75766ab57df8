/** A folder with a map of each person's own, and a table that says whose each is. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeCells } from "@curvature/datasets";
import { fileError } from "../run/failure.js";
import type { IndividualMap } from "../tasks/ordinal-people.js";
import { objectMapContent } from "./object-map.js";
import type { Output } from "./outputs.js";

/**
 * @param people - names by number
 * @param names - of the objects
 */
export function individualFiles(
  folder: string,
  maps: readonly IndividualMap[],
  people: readonly string[],
  names: readonly string[] | undefined,
): Output[] {
  const digits = String(maps.length).length;
  // What a file may be called differs between systems, and names may be anything: the number makes it unique.
  const fileOf = (name: string, k: number): string =>
    `${String(k + 1).padStart(digits, "0")}-${name.replace(/[^\p{L}\p{N}._-]+/gu, "_").slice(0, 60)}.csv`;
  const files = maps.map(({ person }, k) => fileOf(people[person] ?? String(person), k));
  const table = function* (): Generator<(string | number)[]> {
    yield ["participant", "file", "answers", "error of the common map", "error of their own", "disparity"];
    for (const [k, { person, answers, commonError, ownError, disparity }] of maps.entries())
      yield [people[person] ?? String(person), files[k], answers, commonError, ownError, disparity];
  };
  return [
    {
      path: join(folder, "people.csv"),
      content: () => {
        try {
          mkdirSync(folder, { recursive: true });
        } catch (error) {
          throw fileError("write", folder, error);
        }
        return writeCells(table());
      },
    },
    ...maps.map(({ map }, k) => ({
      path: join(folder, files[k]),
      isFurther: true,
      content: () => objectMapContent(".csv", { map, names }),
    })),
  ];
}
