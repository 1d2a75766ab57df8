import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("..", import.meta.url));

/** The version in this program's package.json. */
export function programVersion(): string {
  const { version } = manifestIn(folder);
  return typeof version === "string" ? version : "unknown";
}

let known: string | undefined;

/**
 * The version with a hash of this build: the program's files, those of the packages of its repository, and the versions of all
 * other packages below it. Machines that share a sweep compare it, since another build may give other results.
 */
export function buildVersion(): string {
  if (known !== undefined) return known;
  const hash = createHash("sha256");
  for (const [name, place] of [...packagesBelow(folder)].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { version } = manifestIn(place);
    hash.update(`${name} ${String(version)}\n`);
    if (!name.startsWith("@curvature/")) continue;
    const files = readdirSync(join(place, "dist"), { recursive: true, encoding: "utf8" })
      .map((file) => file.replaceAll("\\", "/"))
      .filter((file) => /\.(js|wasm)$/.test(file));
    for (const file of files.sort()) hash.update(`${file}\n`).update(readFileSync(join(place, "dist", file)));
  }
  known = `${programVersion()}+${hash.digest("hex").slice(0, 12)}`;
  return known;
}

/** Of this program, all that it depends on, and its own peers where they are installed, by name. */
function packagesBelow(place: string, found = new Map<string, string>()): ReadonlyMap<string, string> {
  const { name, dependencies, peerDependencies } = manifestIn(place);
  if (typeof name !== "string" || found.has(name)) return found;
  found.set(name, place);
  const below = [dependencies, place === folder ? peerDependencies : {}];
  const { resolve } = createRequire(join(place, "package.json"));
  for (const name of below.flatMap((names) => Object.keys(Object(names)))) {
    const folders = resolve.paths(name)?.map((modules) => join(modules, name)) ?? [];
    const there = folders.find((candidate) => existsSync(join(candidate, "package.json")));
    if (there !== undefined) packagesBelow(there, found);
  }
  return found;
}

function manifestIn(place: string): Readonly<Record<string, unknown>> {
  const manifest: unknown = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
  return typeof manifest === "object" && manifest !== null ? { ...manifest } : {};
}
