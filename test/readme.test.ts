/** Every ```ts block of a README runs as it stands, against the built packages, after the install that the README says. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(root, "node_modules", ".readme-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readmes = [
  "README.md",
  ...readdirSync(join(root, "packages")).map((name) => `packages/${name}/README.md`),
  "apps/cli/README.md",
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
  "%s says what to install for its examples",
  (path) => {
    const text = readFileSync(join(root, path), "utf8");
    const installed = /^npm install (.+)$/m.exec(text)?.[1].split(" ") ?? [];
    const imported = blocks
      .filter((block) => block.path === path)
      .flatMap(({ code }) =>
        [...code.matchAll(/\bfrom "(@[^/"]+\/[^/"]+|[^@./:"]+)/g)].map(([, name]) => name),
      )
      .filter((name) => name !== "node");
    expect(installed[0]).toBe(path.replace(/^packages\/(.+)\/README\.md$/, "@curvature/$1"));
    expect([...new Set(installed)].sort()).toEqual([...new Set([installed[0], ...imported])].sort());
  },
);

for (const { path, index, code } of blocks)
  test(`${path}, example ${index}`, { tags: path === "README.md" ? [] : ["full"] }, () => {
    const file = join(folder, `${path.replaceAll(/[/.]/g, "-")}-${index}.mjs`);
    writeFileSync(file, stripTypeScriptTypes(code, { mode: "strip" }));
    expect(() =>
      execFileSync(process.execPath, [file], { cwd: folder, encoding: "utf8", stdio: "pipe" }),
    ).not.toThrow();
  });
