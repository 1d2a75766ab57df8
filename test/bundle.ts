/**
 * Bundles for browsers by the bundler of Vite, and what is in them. Like Rollup and webpack it loads what is imported on
 * demand when it is asked for, also where the file that it is in is exported by name, too; esbuild loads that at once.
 */
import { join } from "node:path";
import { type OutputChunk, rolldown } from "rolldown";

export interface BundleOptions {
  /** "esm" keeps what is imported on demand in files of its own; "iife" is one script. Default "esm". */
  readonly format?: "esm" | "iife";
  /** Bundles this package alone, and leaves imports of all others. */
  readonly only?: string;
}

export interface Bundle {
  /** All that is loaded at once, minified. */
  readonly text: string;
  /** All that may be loaded on demand, minified. */
  readonly later: string;
  /** Files from which something is in what is loaded at once. */
  readonly sources: readonly string[];
  /** What it imports at once from outside of it. */
  readonly external: readonly string[];
}

/**
 * @param code - an ES module
 * @param folder - from which its imports are resolved
 */
export async function bundle(code: string, folder: string, options: BundleOptions = {}): Promise<Bundle> {
  const { format = "esm", only } = options;
  const entry = join(folder, "entry.js");
  const build = await rolldown({
    input: entry,
    platform: "browser",
    logLevel: "silent",
    external: (id) =>
      only !== undefined && /^[^./\\]/.test(id) && id !== entry && id !== only && !id.startsWith(`${only}/`),
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === entry ? entry : undefined),
        load: (id) => (id === entry ? code : undefined),
      },
    ],
  });
  const { output } = await build.generate({ format, minify: true, codeSplitting: format === "esm" });
  await build.close();
  const chunks = new Map(output.flatMap((file) => (file.type === "chunk" ? [[file.fileName, file]] : [])));
  const atOnce = new Set<OutputChunk>([...chunks.values()].filter(({ isEntry }) => isEntry));
  for (const { imports } of atOnce)
    for (const name of imports) {
      const chunk = chunks.get(name);
      if (chunk !== undefined) atOnce.add(chunk);
    }
  const later = [...chunks.values()].filter((chunk) => !atOnce.has(chunk));
  return {
    text: [...atOnce].map((chunk) => chunk.code).join("\n"),
    later: later.map((chunk) => chunk.code).join("\n"),
    sources: [...atOnce].flatMap(({ modules }) =>
      Object.entries(modules).flatMap(([path, { renderedLength }]) =>
        renderedLength > 0 && path !== entry && !path.startsWith("\0") ? [path] : [],
      ),
    ),
    external: [...atOnce].flatMap(({ imports }) => imports.filter((name) => !chunks.has(name))),
  };
}
