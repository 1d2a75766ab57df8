/** The publishable packages, and their tarballs as `pnpm pack` would publish them. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** @returns {{ directory: string, manifest: Record<string, any> }[]} */
export function publishablePackages() {
  return ["packages", "apps"]
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name)))
    .map((directory) => ({
      directory,
      manifest: JSON.parse(readFileSync(join(directory, "package.json"), "utf8")),
    }))
    .filter(({ manifest }) => manifest.private !== true);
}

/** Packs one package into `destination` and returns the tarball's path. */
export function pack(directory, destination) {
  mkdirSync(destination, { recursive: true });
  const output = execFileSync("pnpm", ["pack", "--json", "--pack-destination", destination], {
    cwd: directory,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  const { filename } = JSON.parse(output.slice(output.indexOf("{")));
  return filename.startsWith(destination) ? filename : join(destination, filename);
}
