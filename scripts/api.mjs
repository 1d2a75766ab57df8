/**
 * The reference of all packages' public API, by typedoc, as Markdown pages of the site: one page per module. A warning is a
 * failure: a name that is documented but not exported, a link to nothing, a README that is not there.
 *
 * Usage: node scripts/api.mjs            writes apps/site/pages/reference/api
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, posix } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const site = join(root, "apps/site");
// typedoc is a tool of the site, and is found from there.
const { resolve: fromSite } = createRequire(join(site, "package.json"));
const { Application, Converter, ReflectionKind } = await import(pathToFileURL(fromSite("typedoc")).href);

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

const app = await Application.bootstrapWithPlugins({
  name: "API",
  plugin: [fromSite("typedoc-plugin-markdown")],
  entryPoints,
  tsconfig: join(root, "tsconfig.json"),
  basePath: root,
  readme: join(root, "README.md"),
  projectDocuments: [...packages.map((folder) => join("packages", folder, "README.md")), ...pages].map(
    (path) => join(root, path),
  ),
  disableSources: true,
  externalSymbolLinkMappings: { "ml-matrix": { "*": "#" } },
  excludePrivate: true,
  excludeInternal: true,
  skipErrorChecking: true, // `npm run typecheck` has them
  out: join(site, "pages/reference/api"),
  outputFileStrategy: "modules",
  entryFileName: "index",
  hideBreadcrumbs: true,
  hidePageHeader: true,
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  classPropertiesFormat: "table",
  typeDeclarationFormat: "table",
  sanitizeComments: true,
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

const project = await app.convert();
if (project === undefined) process.exit(1);
app.validate(project);
// The READMEs were there for their links; they are no pages of the site.
for (const document of [...(project.documents ?? [])]) project.removeReflection(document);
project.readme = undefined;
await app.generateOutputs(project);
process.exit(app.logger.hasErrors() || app.logger.hasWarnings() ? 1 : 0);
