/** The publishable packages, their tarballs as `pnpm pack` would publish them, and folders to which they are installed. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const shell = process.platform === "win32";

export interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
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
    shell,
  });
  const { filename }: { filename: string } = JSON.parse(output.slice(output.indexOf("{")));
  return filename.startsWith(destination) ? filename : join(destination, filename);
}

/**
 * Installs packages in an empty folder, where each finds what its package.json lists and nothing else. Ours come from
 * the tarballs, what they need of others from where the workspace has it, so that nothing is fetched.
 *
 * @param tarballs - of every publishable package, by name
 * @param wanted - names of those that the folder itself depends on
 */
export function install(
  folder: string,
  tarballs: ReadonlyMap<string, string>,
  wanted: readonly string[],
): void {
  const overrides = new Map<string, string>();
  for (const { directory, manifest } of publishablePackages()) {
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) {
      if (!tarballs.has(name))
        overrides.set(name, `link:${realpathSync(join(directory, "node_modules", name))}`);
    }
  }
  for (const [name, tarball] of tarballs) overrides.set(name, `file:${tarball}`);
  mkdirSync(folder, { recursive: true });
  const dependencies = Object.fromEntries(wanted.map((name) => [name, overrides.get(name)]));
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "consumer", private: true, dependencies }),
  );
  // JSON is YAML
  writeFileSync(
    join(folder, "pnpm-workspace.yaml"),
    JSON.stringify({ packages: [], overrides: Object.fromEntries(overrides) }),
  );
  execFileSync("pnpm", ["install", "--offline", "--ignore-scripts", "--reporter=silent"], {
    cwd: folder,
    shell,
    stdio: "pipe",
  });
}
