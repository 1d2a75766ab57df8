/** Bundles for browsers as an app's bundler makes them, by the esbuild that tsup brings, and what is in them. */
import { createRequire } from "node:module";

interface Output {
  readonly entryPoint?: string;
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
  readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>;
}

/** What is used of esbuild here, whose own types the workspace's root does not depend on. */
interface Esbuild {
  build(options: Readonly<Record<string, unknown>>): Promise<{
    readonly outputFiles: readonly { readonly path: string; readonly text: string }[];
    readonly metafile: { readonly outputs: Readonly<Record<string, Output>> };
  }>;
}

const esbuild: Esbuild = createRequire(createRequire(import.meta.url).resolve("tsup"))("esbuild");

export interface BundleOptions {
  /** "esm" keeps what is imported on demand in files of its own; "iife" is one script. Default "esm". */
  readonly format?: "esm" | "iife";
  /** Bundles this package alone, and leaves imports of all others. */
  readonly only?: string;
}

export interface Bundle {
  /** All that is loaded at once, minified. */
  readonly text: string;
  /** Files from which something is in it. */
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
  const { outputFiles, metafile } = await esbuild.build({
    stdin: { contents: code, resolveDir: folder, sourcefile: "entry.js" },
    bundle: true,
    minify: true,
    format,
    splitting: format === "esm",
    platform: "browser",
    target: "es2023",
    outdir: folder,
    absWorkingDir: folder,
    tsconfigRaw: {}, // what was built, and not the sources that the workspace's own tsconfig.json leads to
    write: false,
    metafile: true,
    logLevel: "silent",
    plugins: only === undefined ? [] : [othersOutside(only)],
  });
  const outputs = Object.entries(metafile.outputs);
  const loaded = new Set(
    outputs.filter(([, { entryPoint }]) => entryPoint === "entry.js" || entryPoint === "<stdin>"),
  );
  for (const [, { imports }] of loaded) {
    const atOnce = imports.filter(({ kind }) => kind !== "dynamic-import").map(({ path }) => path);
    for (const output of outputs) if (atOnce.includes(output[0])) loaded.add(output);
  }
  const texts = [...loaded].map(
    ([path]) => outputFiles.find((file) => file.path.replaceAll("\\", "/").endsWith(`/${path}`))?.text ?? "",
  );
  const described = [...loaded].map(([, output]) => output);
  return {
    text: texts.join("\n"),
    sources: described.flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
    ),
    external: described.flatMap(({ imports }) =>
      imports
        .filter(({ kind, external }) => external === true && kind !== "dynamic-import")
        .map(({ path }) => path),
    ),
  };
}

const othersOutside = (only: string) => ({
  name: "others-outside",
  setup(build: {
    onResolve(
      filter: { filter: RegExp },
      decide: (found: {
        path: string;
      }) => { path: string; external: boolean; sideEffects: boolean } | undefined,
    ): void;
  }) {
    build.onResolve({ filter: /^[^./]/ }, ({ path }) =>
      path === only || path.startsWith(`${only}/`) ? undefined : { path, external: true, sideEffects: false },
    );
  },
});
