/**
 * Packs every publishable package and checks the tarball: publint, are-the-types-wrong, what is in it, and that
 * no workspace protocol and no install script is left.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pack, publishablePackages } from "./packed.ts";

const destination = mkdtempSync(join(tmpdir(), "curvature-pack-"));
const problems = [];

function check(name, command, args) {
  const result = spawnSync("pnpm", ["exec", command, ...args], {
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (result.status !== 0) problems.push(`${name}: ${command}\n${result.stdout}${result.stderr}`);
}

for (const { directory, manifest } of publishablePackages()) {
  const name = manifest.name;
  for (const script of ["preinstall", "install", "postinstall"]) {
    if (manifest.scripts?.[script]) problems.push(`${name}: has the install script "${script}"`);
  }
  for (const file of ["README.md", "package.json"]) {
    if (!existsSync(join(directory, file))) problems.push(`${name}: has no ${file}`);
  }
  const tarball = pack(directory, destination);
  check(name, "publint", ["run", tarball, "--strict"]);
  if (manifest.exports) check(name, "attw", [tarball, "--profile", "node16", "--format", "ascii"]);
  process.stdout.write(`${name}: packed and checked\n`);
}
rmSync(destination, { recursive: true, force: true });

if (problems.length > 0) {
  process.stdout.write(`${problems.join("\n\n")}\n`);
  process.exit(1);
}
