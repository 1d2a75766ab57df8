/**
 * One start-up script without dependencies: `npm start` and `npm test` work on a machine that has Node 20,
 * npm and nothing else, and download nothing on a machine that has the tools.
 *
 * 1. Is this Node new enough for the tools, is there a pnpm of the right major version on the PATH?
 * 2. What is missing is installed into `.toolchain/` (git-ignored), as ordinary packages of the npm registry.
 * 3. Dependencies are installed when the lockfile differs from the one that node_modules was made from.
 * 4. `pnpm run <script>` with the tools first on the PATH.
 *
 * Usage: node scripts/go.mjs <script> [arguments]
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const toolchain = join(root, ".toolchain");
const toolchainBin = join(toolchain, "node_modules", ".bin");
const windows = process.platform === "win32";
const nodeWanted = "24.21.0";
const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const pnpmWanted = packageManager.split("@")[1];

/** tsup 9 and vitest 5 run on Node 22.18+, 24.11+ and 26+. */
function suits(version) {
  const [major, minor] = version.replace(/^v/, "").split(".").map(Number);
  return (major === 22 && minor >= 18) || (major === 24 && minor >= 11) || major >= 26;
}

function run(command, args, env, options = {}) {
  return spawnSync(command, args, { cwd: root, env, stdio: "inherit", shell: windows, ...options });
}

function versionOf(command, env) {
  const result = run(command, ["--version"], env, { stdio: ["ignore", "pipe", "ignore"], encoding: "utf8" });
  return result.status === 0 ? result.stdout.trim() : undefined;
}

/** The caller's environment less what npm adds to it, with `.toolchain` and a Node that suits first on the PATH. */
function cleanEnvironment() {
  const env = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (!/^npm_(?!config_registry|config_cache|config_proxy|config_https_proxy)/i.test(name))
      env[name] = value;
  }
  const pathName = Object.keys(env).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
  const path = (env[pathName] ?? "").split(delimiter).filter((entry) => !addedByNpm(entry));
  const node = suits(process.version) ? [dirname(process.execPath)] : [];
  env[pathName] = [toolchainBin, ...node, ...path].join(delimiter);
  env.TURBO_TELEMETRY_DISABLED = "1";
  env.CURVATURE_CALLER_NODE = process.execPath;
  return env;
}

/** npm puts `node_modules/.bin` of this folder and of all above it, and a folder of its own, on the PATH. */
function addedByNpm(entry) {
  if (/node-gyp-bin$/.test(entry)) return true;
  const owner = dirname(dirname(resolve(entry)));
  return /node_modules[\\/]\.bin$/.test(entry) && (root === owner || root.startsWith(owner + sep));
}

function supplyTools(env) {
  const wanted = [];
  const node = versionOf("node", env);
  if (!node || !suits(node)) {
    const platform = { win32: "win" }[process.platform] ?? process.platform;
    const suffix =
      platform === "darwin" && process.arch === "arm64" ? "bin-darwin-arm64" : `${platform}-${process.arch}`;
    wanted.push(`node-${suffix}@${nodeWanted}`);
  }
  const pnpm = versionOf("pnpm", env);
  if (!pnpm || Number(pnpm.split(".")[0]) < Number(pnpmWanted.split(".")[0]))
    wanted.push(`pnpm@${pnpmWanted}`);
  if (wanted.length === 0) return;

  process.stderr.write(`Installing ${wanted.join(" and ")} into .toolchain (this folder only)\n`);
  const flags = [
    "--no-save",
    "--no-package-lock",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  const result = run("npm", ["install", "--prefix", toolchain, ...flags, ...wanted], env);
  // The pnpm package links its native binary in an install script; without it the command is a stub for shells only.
  const linkPnpm = join(toolchain, "node_modules", "pnpm", "install.js");
  if (result.status === 0 && existsSync(linkPnpm)) run(process.execPath, [linkPnpm], env, { shell: false });
  const supplied = versionOf("node", env);
  if (result.status !== 0 || !supplied || !suits(supplied) || !versionOf("pnpm", env)) {
    process.stderr.write(
      `Could not supply ${wanted.join(" and ")}.\n` +
        `Install Node ${nodeWanted.split(".")[0]} or later and pnpm ${pnpmWanted.split(".")[0]} yourself and run the command again.\n`,
    );
    process.exit(1);
  }
}

function installDependencies(env) {
  const lockfile = readFileSync(join(root, "pnpm-lock.yaml"), "utf8");
  const stamp = join(root, "node_modules", ".installed-lockfile");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lockfile) return;
  const result = run("pnpm", ["install", "--frozen-lockfile"], env);
  if (result.status !== 0) process.exit(result.status ?? 1);
  writeFileSync(stamp, lockfile);
}

const [script, ...rest] = process.argv.slice(2);
if (!script) {
  process.stderr.write(`Usage: node ${resolve(process.argv[1])} <script of package.json> [arguments]\n`);
  process.exit(64);
}
const env = cleanEnvironment();
supplyTools(env);
installDependencies(env);
const result = run("pnpm", ["run", script, ...rest], env);
process.exit(result.status ?? 1);
