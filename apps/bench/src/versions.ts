/** Versions of the programs of others, asked of them. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** "umap-js 1.4.0". */
export function packageVersion(name: string): string {
  for (let folder = new URL(".", import.meta.resolve(name)); ; folder = new URL("..", folder)) {
    const { name: found, version } = manifestIn(folder);
    if (found === name) return `${name} ${version}`;
  }
}

function manifestIn(folder: URL): { readonly name?: string; readonly version?: string } {
  try {
    return JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));
  } catch (error) {
    if (folder.pathname === "/") throw error;
    return {};
  }
}

/** "2.30"; undefined where there is no LIBLINEAR. */
export function liblinearVersion(): string | undefined {
  const program =
    "import ctypes; print(ctypes.c_int.in_dll(ctypes.CDLL('liblinear.so.4'), 'liblinear_version').value)";
  const number = Number(answer("python3", "-c", program));
  return number > 0 ? `${Math.floor(number / 100)}.${number % 100}` : undefined;
}

/** "3.3.1"; undefined where Python has no SCS. */
export const scsVersion = (): string | undefined =>
  answer("python3", "-c", "import scipy, scs; print(scs.__version__)");

/** "12.2.0 for x86_64-linux-gnu"; undefined where there is no g++. */
export function compilerVersion(): string | undefined {
  const version = answer("g++", "-dumpfullversion");
  return version === undefined ? undefined : `${version} for ${answer("g++", "-dumpmachine")}`;
}

/** "libopenblas-dev 0.3.21+ds-4"; undefined where Debian does not have it installed. */
export function debianVersion(name: string): string | undefined {
  const [, version] = /^Version: (.+)$/m.exec(answer("dpkg-query", "-s", name) ?? "") ?? [];
  return version === undefined ? undefined : `${name} ${version}`;
}

function answer(command: string, ...words: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync(command, words, { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}
