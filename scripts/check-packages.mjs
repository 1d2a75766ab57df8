/**
 * Packs every publishable package and checks the tarball: publint, are-the-types-wrong, what is in it, and that no
 * workspace protocol and no install script is left. Whether the tarballs work where they are installed is tested in
 * `test/selective-install.test.ts`.
 *
 * Usage: node scripts/check-packages.mjs
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { pack, publishablePackages } from "./packed.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// The command of are-the-types-wrong would load a TypeScript for each package; its library loads one.
const attw = createRequire(import.meta.url).resolve("@arethetypeswrong/cli/package.json");
const { checkPackage, createPackageFromTarballData } = await import(
  pathToFileURL(createRequire(attw).resolve("@arethetypeswrong/core")).href
);

const destination = mkdtempSync(join(tmpdir(), "curvature-pack-"));
const problems = [];

/** What is wrong with one tarball, in words. */
async function* faults(directory, { name, dependencies: listed = {} }) {
  const tarball = readFileSync(pack(directory, destination));
  const files = createPackageFromTarballData(tarball);
  const inside = (path) => `/node_modules/${name}/${path}`;
  for (const file of ["README.md", "LICENSE", "package.json"]) {
    if (!files.fileExists(inside(file))) yield `has no ${file}`;
  }
  const manifest = JSON.parse(files.readFile(inside("package.json")));
  for (const script of ["preinstall", "install", "postinstall", "prepare"]) {
    if (manifest.scripts?.[script]) yield `has the install script "${script}"`;
  }
  for (const field of ["description", "license", "engines", "keywords", "files"]) {
    if (!manifest[field]) yield `its package.json has no ${field}`;
  }
  for (const kind of ["dependencies", "peerDependencies", "optionalDependencies"]) {
    for (const [dependency, range] of Object.entries(manifest[kind] ?? {})) {
      if (/^(workspace|file|link|catalog):/.test(range)) yield `${kind}: ${dependency} is ${range}`;
    }
  }
  for (const dependency of Object.keys(listed)) {
    if (manifest.dependencies?.[dependency] === undefined) yield `lost its dependency ${dependency}`;
  }
  const allowed = new RegExp(
    `^${inside("")}(README\\.md|LICENSE|CHANGELOG\\.md|package\\.json|(dist|bin)/.+)$`,
  );
  for (const file of files.listFiles()) {
    if (!allowed.test(file) || file.endsWith(".map")) yield `has ${file} in it`;
    else if (/\.([cm]?js|d\.[cm]?ts)$/.test(file) && files.readFile(file).includes(root))
      yield `${file} names a folder of the machine that built it`;
  }

  const { messages, pkg } = await publint({
    pack: { tarball: Uint8Array.from(tarball).buffer },
    strict: true,
  });
  for (const message of messages) yield `publint: ${formatMessage(message, pkg, { color: false })}`;

  if (manifest.exports === undefined) return;
  if (manifest.sideEffects !== false) yield "does not say that it has no side effects";
  const analysis = await checkPackage(files);
  if (analysis.types === false) yield "has no types";
  // Resolution as of Node 10 knows nothing of sub-paths, and files that are no code to import have no types.
  for (const problem of analysis.problems ?? []) {
    if (problem.resolutionKind !== "node10" && !/\.(wasm|js)$/.test(problem.entrypoint))
      yield `are-the-types-wrong: ${JSON.stringify(problem)}`;
  }
}

for (const { directory, manifest } of publishablePackages()) {
  let isSound = true;
  for await (const fault of faults(directory, manifest)) {
    isSound = false;
    problems.push(`${manifest.name}: ${fault}`);
  }
  process.stdout.write(`${manifest.name}: ${isSound ? "packed and checked" : "has faults, see below"}\n`);
}
rmSync(destination, { recursive: true, force: true });

if (problems.length > 0) {
  process.stdout.write(`${problems.join("\n\n")}\n`);
  process.exit(1);
}
