/**
 * The reference of all packages' public API, by typedoc, as a part of the demo site. A warning is a failure: a name that
 * is documented but not exported, a link to nothing, a README that is not there.
 *
 * Usage: node scripts/api.mjs [folder]   (default: apps/demo/dist/api)
 *        node scripts/api.mjs --check    looks for warnings, and writes nothing
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, posix, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const demo = join(root, "apps/demo");
// typedoc is a tool of the demo, and is found from there.
const { Application, Converter, JSX, ReflectionKind } = await import(
  pathToFileURL(createRequire(join(demo, "package.json")).resolve("typedoc")).href
);

const isCheck = process.argv[2] === "--check";
const out = resolve((isCheck ? undefined : process.argv[2]) ?? join(demo, "dist/api"));
const packages = readdirSync(join(root, "packages"));

/** What the READMEs link on to. */
const pages = readdirSync(join(root, "docs/optim-core")).map((name) => join("docs/optim-core", name));

/** The sources of the packages' exports. */
const entryPoints = [];
/** Of modules: as typedoc calls them, as they are imported. */
const names = new Map();
/** The same of the packages' READMEs. */
const documents = new Map();
for (const folder of packages) {
  const { name, exports } = JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8"));
  for (const [place, target] of Object.entries(exports)) {
    if (typeof target === "string") continue; // a file, not code
    const source = join(root, "packages", folder, "src", place);
    entryPoints.push(existsSync(`${source}.ts`) ? `${source}.ts` : join(source, "index.ts"));
    names.set(posix.join("packages", folder, "src", place), posix.join(name, place));
  }
  documents.set(posix.join("packages", folder, "README"), `README of ${folder}`);
}

const app = await Application.bootstrap({
  name: "curvature",
  entryPoints,
  tsconfig: join(root, "tsconfig.json"),
  basePath: root,
  readme: join(root, "README.md"),
  projectDocuments: [...packages.map((folder) => join("packages", folder, "README.md")), ...pages].map(
    (path) => join(root, path),
  ),
  favicon: join(demo, "public/icon.svg"),
  navigationLinks: { Demo: "../index.html" },
  disableSources: true,
  externalSymbolLinkMappings: { "ml-matrix": { "*": "#" } },
  excludePrivate: true,
  excludeInternal: true,
  skipErrorChecking: true, // `npm run typecheck` has them
  githubPages: false,
  logLevel: "Warn",
  treatWarningsAsErrors: true,
});

// Under the names by which they are imported, and not those of files.
app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
  for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
    module.name = names.get(module.name) ?? module.name;
  }
  for (const document of project.documents ?? []) {
    document.name = documents.get(document.name) ?? document.name;
  }
});

// Nothing from elsewhere, as on the site itself; typedoc's pages have a script and styles of their own in them.
const policy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
app.renderer.hooks.on("head.begin", () =>
  JSX.createElement("meta", { "http-equiv": "Content-Security-Policy", content: policy }),
);

const project = await app.convert();
if (project === undefined) process.exit(1);
app.validate(project);
if (!isCheck) await app.generateDocs(project, out);
process.exit(app.logger.hasErrors() || app.logger.hasWarnings() ? 1 : 0);
