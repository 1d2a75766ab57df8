/** The publishable packages, and their tarballs as `pnpm pack` would publish them. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly exports?: unknown;
}

export function publishablePackages(): { readonly directory: string; readonly manifest: Manifest }[] {
  return ["packages", "apps"]
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name)))
    .map((directory) => {
      const manifest: Manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
      return { directory, manifest };
    })
    .filter(({ manifest }) => manifest.private !== true);
}

/** Packs one package into `destination` and returns the tarball's path. */
export function pack(directory: string, destination: string): string {
  mkdirSync(destination, { recursive: true });
  const output = execFileSync("pnpm", ["pack", "--json", "--pack-destination", destination], {
    cwd: directory,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  const { filename }: { filename: string } = JSON.parse(output.slice(output.indexOf("{")));
  return filename.startsWith(destination) ? filename : join(destination, filename);
}
