/**
 * Writes where they come from (`repository`) into the manifests of all packages that are published: npm compares it with
 * the provenance. GitHub's workflows know the address by GITHUB_SERVER_URL and GITHUB_REPOSITORY.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const { GITHUB_SERVER_URL: server = "https://github.com", GITHUB_REPOSITORY: name } = process.env;
if (name === undefined || !/^[\w.-]+\/[\w.-]+$/.test(name)) {
  process.stderr.write(
    "Set GITHUB_REPOSITORY to the repository's owner/name: packages are published from there.\n",
  );
  process.exit(64);
}
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folders = ["packages", "apps"].flatMap((parent) =>
  readdirSync(join(root, parent)).map((folder) => `${parent}/${folder}`),
);
for (const directory of folders) {
  const file = join(root, directory, "package.json");
  if (!existsSync(file)) continue;
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  if (manifest.private === true) continue;
  manifest.repository = { type: "git", url: `git+${server}/${name}.git`, directory };
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}
