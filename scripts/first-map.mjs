/**
 * `npm start`: builds what is not built yet, writes the bundled handwritten digits as a CSV file, and embeds them
 * with the command line that everybody else uses.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const shell = process.platform === "win32";

const build = spawnSync(
  "pnpm",
  [
    "exec",
    "turbo",
    "run",
    "build",
    "--filter=@curvature/cli...",
    "--output-logs=errors-only",
    "--log-order=grouped",
  ],
  {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    shell,
  },
);
if (build.status !== 0) {
  process.stderr.write("The build failed; run `node scripts/go.mjs build` to see why.\n");
  process.exit(1);
}

const { loadDigits } = await import("@curvature/datasets/digits");
const { points, labels } = await loadDigits();
const lines = [[...Array.from({ length: points.columns }, (_, j) => `pixel${j}`), "digit"].join(",")];
for (let i = 0; i < points.rows; i++) {
  lines.push([...points.data.subarray(i * points.columns, (i + 1) * points.columns), labels[i]].join(","));
}
mkdirSync(join(root, "out"), { recursive: true });
writeFileSync(join(root, "out", "digits.csv"), `${lines.join("\n")}\n`);

const embed =
  "embed out/digits.csv --labels digit --out out/map.csv --plot out/map.svg --report out/report.json";
process.stderr.write(
  `${points.rows} handwritten digits of 8 x 8 pixels (UCI, CC BY 4.0)\n$ npx @curvature/cli ${embed}\n\n`,
);
const result = spawnSync(process.execPath, [join(root, "apps/cli/bin/curvature.js"), ...embed.split(" ")], {
  cwd: root,
  stdio: "inherit",
});
if (result.status === 0) {
  const report = JSON.parse(readFileSync(join(root, "out", "report.json"), "utf8"));
  const { klDivergence, knnPreservation, trustworthiness } = report.metrics;
  const { evaluations, elapsedSeconds } = report.result;
  process.stderr.write(
    [
      "",
      `${evaluations} evaluations in ${elapsedSeconds.toFixed(1)} s: KL divergence ${klDivergence.toFixed(4)}, ` +
        `neighbour preservation ${knnPreservation.toFixed(4)}, trustworthiness ${trustworthiness.toFixed(4)}`,
      "The map is in out/map.csv, the picture in out/map.svg (open it in a browser), the figures in out/report.json.",
      "",
      "What to try next:",
      "  npx @curvature/cli embed out/digits.csv --labels digit --plot out/map.html     zoom, pan, hover",
      "  npx @curvature/cli embed out/digits.csv --labels digit --method ee --plot out/ee.png",
      "  npx @curvature/cli embed your-data.csv --plot your-map.svg",
      "  npx @curvature/cli embed --help",
      "",
    ].join("\n"),
  );
}
process.exit(result.status ?? 1);
