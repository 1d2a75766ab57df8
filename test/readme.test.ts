/**
 * Every ```ts block of a README and of the documentation site runs as it stands, against the built packages; of a README,
 * after the install that it says.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join, resolve } from "node:path";
import ts from "typescript";
import { afterAll, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(root, "node_modules", ".readme-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readmes = [
  "README.md",
  "docs/architecture.md",
  ...readdirSync(join(root, "docs/optim-core")).map((name) => `docs/optim-core/${name}`),
  ...readdirSync(join(root, "packages")).map((name) => `packages/${name}/README.md`),
  "apps/cli/README.md",
  ...readdirSync(join(root, "apps/site/pages"), { recursive: true, encoding: "utf8" })
    .map((name) => `apps/site/pages/${name.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".md") && !path.includes("/reference/api/")), // written by typedoc
].filter((path) => existsSync(join(root, path)));

const blocks = readmes.flatMap((path) => {
  const text = readFileSync(join(root, path), "utf8");
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map((match, index) => ({
    path,
    index,
    code: match[1],
  }));
});

test("there are examples to run", () => {
  expect(blocks.length).toBeGreaterThan(0);
});

test.each(readmes.filter((path) => path.startsWith("packages/")))(
  "%s says what to install before the first example that needs it, and nothing else",
  (path) => {
    const text = readFileSync(join(root, path), "utf8");
    const installed: string[] = [];
    const imported: string[] = [];
    for (const [, packages, code] of text.matchAll(
      /^npm install (?!--global)(.+)$|^```ts\n([\s\S]*?)^```/gm,
    )) {
      if (packages !== undefined) installed.push(...packages.split(" "));
      for (const [, name, place] of (code ?? "").matchAll(/\bfrom "(@[^/"]+\/[^/"]+|[^@./:"]+)([^"]*)"/g)) {
        if (name === "node") continue;
        imported.push(name);
        if (name === "@curvature/linalg" && place === "/ml") imported.push("ml-matrix", "ml-sparse-matrix");
        expect(installed).toEqual(expect.arrayContaining(imported));
      }
    }
    expect(installed[0]).toBe(path.replace(/^packages\/(.+)\/README\.md$/, "@curvature/$1"));
    expect([...new Set(installed)].sort()).toEqual([...new Set([installed[0], ...imported])].sort());
  },
);

test.each([...readmes, "docs/remote-subfunctions.md"])(
  "%s runs the command by its package's name",
  (path) => {
    const text = readFileSync(join(root, path), "utf8");
    const lines = [...text.matchAll(/^```(?:sh|bash)\n([\s\S]*?)^```/gm)].flatMap(([, block]) =>
      block.split("\n"),
    );
    const isInstalled = /^npm install --global @curvature\/cli\b/m.test(text);
    for (const line of lines) {
      expect(line).not.toMatch(/\bnpx curvature\b/);
      if (!isInstalled) expect(line).not.toMatch(/(^|[|&;] *|\S=\S+ )curvature\b/);
    }
  },
);

test("and so does every command line of the programs", () => {
  const folders = ["packages", "apps"].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(root, folder, name, "src")),
  );
  const sources = [...folders.filter((folder) => existsSync(folder)), join(root, "scripts")].flatMap(
    (folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(ts|tsx|mjs)$/.test(name))
        .map((name) => join(folder, name)),
  );
  for (const path of sources)
    expect(readFileSync(path, "utf8"), path).not.toMatch(
      /\bnpx curvature\b|^ {2}(.* )?curvature \w+ \S+\.\w+ --/m,
    );
});

test("examples compile where TypeScript is strictest", { tags: ["full"] }, () => {
  const options: ts.CompilerOptions = {
    ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
    ...{ skipLibCheck: true, noEmit: true },
    ...{ target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext, types: ["node"] },
  };
  const files = blocks.map(({ path, index, code }) => {
    const file = join(folder, `${path.replaceAll(/[/.]/g, "-")}-${index}.mts`);
    writeFileSync(file, code);
    return file;
  });
  const found = ts.getPreEmitDiagnostics(ts.createProgram(files, options));
  const host = {
    getCanonicalFileName: (name: string) => name,
    getCurrentDirectory: () => folder,
    getNewLine: () => "\n",
  };
  expect(ts.formatDiagnostics(found, host)).toBe("");
});

for (const { path, index, code } of blocks)
  test(`${path}, example ${index}`, {
    tags: ["README.md", "docs/architecture.md"].includes(path) ? [] : ["full"],
  }, () => {
    const file = join(folder, `${path.replaceAll(/[/.]/g, "-")}-${index}.mjs`);
    writeFileSync(file, stripTypeScriptTypes(code, { mode: "strip" }));
    expect(() =>
      execFileSync(process.execPath, [file], { cwd: folder, encoding: "utf8", stdio: "pipe" }),
    ).not.toThrow();
  });
