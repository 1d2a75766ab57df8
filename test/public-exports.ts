/** What the built packages export, path by path. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

export interface PublicExport {
  /** "optim-core/state" */
  readonly from: string;
  readonly name: string;
  readonly value: unknown;
}

const packages = resolve(import.meta.dirname, "..", "packages");

/** All exports of all packages but for types. */
export async function publicExports(): Promise<readonly PublicExport[]> {
  const found: PublicExport[] = [];
  for (const folder of readdirSync(packages))
    for (const [path, file] of entriesOf(folder)) {
      const names: object = await import(pathToFileURL(file).href);
      for (const [name, value] of Object.entries(names)) found.push({ from: folder + path, name, value });
    }
  return found;
}

/** The export paths of a package that are modules, without the dot, each with its built file. */
function entriesOf(folder: string): readonly (readonly [path: string, file: string])[] {
  const { exports }: { exports: object } = JSON.parse(
    readFileSync(join(packages, folder, "package.json"), "utf8"),
  );
  return Object.entries(exports).flatMap(([path, entry]) => {
    const file: unknown = entry?.import?.default;
    if (typeof file !== "string") return [];
    const built = join(packages, folder, file);
    if (!existsSync(built)) throw new Error(`${built} is missing: build first`);
    return [[path.slice(1), built]];
  });
}
