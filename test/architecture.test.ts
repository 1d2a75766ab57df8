/** The house stands: packages import only those below them, and no files import each other in a cycle. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");

/** What each package may import of the house, beside nothing. */
const below: Readonly<Record<string, readonly string[]>> = {
  "@curvature/linalg": [],
  "@curvature/optim-core": ["@curvature/linalg"],
  "@curvature/datasets": ["@curvature/linalg"],
  "@curvature/map-view": ["@curvature/linalg"],
  "@curvature/webgpu": ["@curvature/linalg"],
  "@curvature/objectives": ["@curvature/linalg", "@curvature/optim-core"],
  "@curvature/optim-spectral": [
    "@curvature/linalg",
    "@curvature/webgpu",
    "@curvature/optim-core",
    "@curvature/objectives",
  ],
  "@curvature/optim-sgdqn": ["@curvature/linalg", "@curvature/optim-core", "@curvature/objectives"],
  "@curvature/optim-svrg": ["@curvature/linalg", "@curvature/optim-core", "@curvature/objectives"],
  "@curvature/optim-sfo": ["@curvature/linalg", "@curvature/optim-core"],
  "@curvature/optim-sdp": ["@curvature/linalg", "@curvature/optim-core"],
  "@curvature/cluster": ["@curvature/linalg", "@curvature/optim-core"],
};

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/(^|[\\/])(node_modules|dist)[\\/]/.test(name))
    .map((name) => join(folder, name));
}

function importsOf(file: string): string[] {
  const source = readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  const specifiers = [
    ...source.matchAll(
      /(?:^(?:import|export)\b[^;'"]*?\bfrom\s*|^import\s*|\bimport\(\s*)["']([^"'\n]+)["']/gm,
    ),
  ];
  return specifiers.map(([, specifier]) => specifier);
}

/** The files that a file imports by their place, types and dynamic imports included. */
function relativeImportsOf(file: string): string[] {
  return importsOf(file)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => {
      const path = resolve(dirname(file), specifier);
      const sources = [path.replace(/\.js$/, ".ts"), path.replace(/\.js$/, ".tsx")];
      return sources.find((source) => existsSync(source)) ?? path;
    });
}

const packages = readdirSync(join(root, "packages")).map((folder) => {
  const directory = join(root, "packages", folder);
  const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  return { name: String(manifest.name), directory, dependencies };
});

/** What starts threads and reads files by its nature: a package for Node alone. */
const forNodeAlone = "@curvature/cluster";

test.each(packages)("$name imports only from the floors below it and what its package.json lists", (pkg) => {
  expect(Object.keys(below)).toContain(pkg.name);
  for (const file of filesUnder(join(pkg.directory, "src"))) {
    for (const specifier of importsOf(file).filter((s) => !s.startsWith("."))) {
      if (specifier.startsWith("node:") && pkg.name === forNodeAlone) continue;
      const name = specifier
        .split("/")
        .slice(0, specifier.startsWith("@") ? 2 : 1)
        .join("/");
      const where = `${relative(root, file)} imports ${specifier}`;
      expect(pkg.dependencies, where).toContain(name);
      if (name.startsWith("@curvature/")) expect(below[pkg.name], where).toContain(name);
    }
  }
});

test.each(packages)("$name has no import out of its folder", (pkg) => {
  const files = new Set(filesUnder(join(pkg.directory, "src")));
  for (const file of files) {
    for (const target of relativeImportsOf(file)) {
      expect(files.has(target), `${relative(root, file)} imports ${target}`).toBe(true);
    }
  }
});

test("no files import each other in a cycle: packages, apps, tests and scripts, types included", () => {
  const files = ["packages", "apps", "test", "scripts", "examples"].flatMap((folder) =>
    filesUnder(join(root, folder)),
  );
  expect(files.length).toBeGreaterThan(1000);
  expect(cyclesAmong(new Map(files.map((file) => [file, relativeImportsOf(file)])))).toEqual([]);
  const [a, b, c] = ["a", "b", "c"].map((name) => join(root, name));
  const knot = new Map([
    [a, [b]],
    [b, [c]],
    [c, [b]],
  ]);
  expect(cyclesAmong(knot)).toEqual(["b > c > b"]);
});

function cyclesAmong(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start >= 0) {
      cycles.push([...path.slice(start), file].map((name) => relative(root, name)).join(" > "));
      return;
    }
    if (done.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return cycles;
}

/** What is loaded in one place only. */
const places: readonly { readonly what: RegExp; readonly where: RegExp }[] = [
  { what: /^ml-/, where: /^packages\/linalg\/src\/ml\// },
  { what: /^(bullmq|ioredis)$/, where: /^packages\/cluster\/src\/redis\// },
  { what: /^(node:|@curvature\/cluster)/, where: /^packages\/cluster\/src\// },
  { what: /\/apps\/|^@curvature\/(cli|bench|demo|site)/, where: /^$/ },
  { what: /^@curvature\/optim-core\/conformance$/, where: /^$/ }, // for tests
];

test("nothing imports an app; ml-matrix, Redis and modules of Node's are loaded where they belong, and nowhere else", () => {
  for (const pkg of packages) {
    for (const file of filesUnder(join(pkg.directory, "src"))) {
      const path = relative(root, file).replaceAll("\\", "/");
      for (const specifier of importsOf(file)) {
        for (const { what, where } of places) {
          if (what.test(specifier)) expect(path, `it imports ${specifier}`).toMatch(where);
        }
      }
    }
  }
});

test("apps use what packages export: none reaches into another's sources", () => {
  // The site has pages and no sources.
  for (const app of readdirSync(join(root, "apps")).filter((name) => name !== "site")) {
    const folder = join(root, "apps", app, "src");
    for (const file of filesUnder(folder)) {
      for (const specifier of importsOf(file)) {
        const where = `${relative(root, file)} imports ${specifier}`;
        expect(specifier, where).not.toMatch(
          /^@curvature\/[^/]+\/(src|dist)\b|packages\/[^/]+\/(src|dist)\//,
        );
        if (specifier.startsWith(".") && app !== "bench")
          expect(relative(folder, resolve(dirname(file), specifier)), where).not.toMatch(/^\.\.[\\/]\.\./);
      }
    }
  }
});

test("packages use no clock, console, process or foreign randomness, and no function that differs between engines", () => {
  const forbidden =
    /Math\.(random|exp|expm1|log|log1p|log2|log10|pow|sin|cos|tan|a?sinh|a?cosh|a?tanh|atan2?|asin|acos|hypot|cbrt)\b|console\.|process\.(env|exit|std)|Date\.now|new Date/;
  for (const pkg of packages) {
    for (const file of filesUnder(join(pkg.directory, "src"))) {
      const source = readFileSync(file, "utf8")
        .replace(/\/\*[\s\S]*?\*\//g, "")
        .replace(/\/\/.*$/gm, "")
        // what code of the user's prints in a thread is talk
        .replace(pkg.name === forNodeAlone ? "pipe(process.stderr" : "", "");
      expect(forbidden.exec(source)?.[0], relative(root, file)).toBeUndefined();
    }
  }
});
