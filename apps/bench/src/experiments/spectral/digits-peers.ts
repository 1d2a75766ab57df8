/**
 * The 1,797 handwritten digits: default `embed` beside the t-SNE and UMAP packages of npm. Contestants take
 * turns, each run in a fresh process; maps are judged by one quality function.
 *
 * Usage: node digits-peers.ts [--repeats 3] [--contestants curvature,druid,umap-js,tsne-js]
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadDigits } from "@curvature/datasets/digits";
import { contestants } from "../../contestants/index.ts";
import { machine, median } from "../../machine.ts";
import { type EmbeddingQuality, embeddingQuality } from "../../quality/embedding.ts";

interface Measurement extends EmbeddingQuality {
  readonly name: string;
  readonly description: string;
  readonly kind: "t-SNE" | "other";
  readonly seconds: number;
}

const { values } = parseArgs({
  options: {
    repeats: { type: "string", default: "3" },
    contestants: { type: "string", default: Object.keys(contestants).join(",") },
  },
});
const repeats = Number(values.repeats);
const runner = fileURLToPath(new URL("../../contestants/in-process.ts", import.meta.url));

const { points } = await loadDigits();
const { rows, columns, data } = points;
const json = JSON.stringify(
  Array.from({ length: rows }, (_, i) => [...data.subarray(i * columns, (i + 1) * columns)]),
);
const quality = embeddingQuality(points);

const measurements: Measurement[] = [];
for (let seed = 0; seed < repeats; seed++) {
  for (const key of values.contestants.split(",")) {
    const { stdout, status } = spawnSync(process.execPath, [runner, key, String(seed)], {
      input: json,
      encoding: "utf8",
      maxBuffer: 2 ** 28,
      stdio: ["pipe", "pipe", "inherit"],
    });
    if (status !== 0) throw new Error(`${key} failed with status ${status}`);
    const { map, ...run } = JSON.parse(stdout);
    const measured = { ...run, ...quality({ rows, columns: 2, data: new Float64Array(map.flat()) }) };
    measurements.push(measured);
    process.stderr.write(
      `${key} seed ${seed}: ${run.seconds.toFixed(2)} s, KL ${measured.klDivergence.toFixed(4)}\n`,
    );
  }
}

const names = [...new Set(measurements.map(({ name }) => name))];
const summary = names.map((name) => {
  const runs = measurements.filter((m) => m.name === name);
  const of = (key: keyof EmbeddingQuality | "seconds") => median(runs.map((run) => run[key]));
  return {
    ...runs[0],
    seconds: of("seconds"),
    range: [Math.min(...runs.map((r) => r.seconds)), Math.max(...runs.map((r) => r.seconds))],
    klDivergence: of("klDivergence"),
    klDivergenceBestSize: of("klDivergenceBestSize"),
    knnPreservation: of("knnPreservation"),
    trustworthiness: of("trustworthiness"),
  };
});
const [ours] = summary;

const table = [
  "# Handwritten digits (1,797 x 64) beside the packages of npm",
  "",
  `Medians of ${repeats} runs (seeds 0 to ${repeats - 1}), contestants in turn, each run in a fresh process, from data to map; ${machine()}. ` +
    "KL divergence on common affinities (perplexity 30, 90 exact neighbours), as the map is and at its best rescaling; neighbour preservation and trustworthiness at 10 neighbours.",
  "",
  "| contestant | seconds (min-max) | time / ours | KL | KL, best size | neighbour preservation | trustworthiness |",
  "|---|---|---|---|---|---|---|",
  ...summary.map(
    (s) =>
      `| ${s.name} | ${s.seconds.toFixed(2)} (${s.range.map((r) => r.toFixed(2)).join("-")}) | ${(s.seconds / ours.seconds).toFixed(1)} | ` +
      `${s.klDivergence.toFixed(4)} | ${s.klDivergenceBestSize.toFixed(4)} | ${s.knnPreservation.toFixed(4)} | ${s.trustworthiness.toFixed(4)} |`,
  ),
  "",
  ...summary.map((s) => `- ${s.name}: ${s.description}`),
  "",
].join("\n");
process.stdout.write(table);
writeFileSync(new URL("../../../results/spectral/digits-peers.md", import.meta.url), table);

/** What this table must show: at least five times faster than the fastest t-SNE peer, to no more than its KL. */
const peers = summary.filter((s) => s.kind === "t-SNE" && s !== ours);
const fastest = peers.toSorted((a, b) => a.seconds - b.seconds).at(0);
if (fastest !== undefined) {
  const ratio = fastest.seconds / ours.seconds;
  const holds = ratio >= 5 && ours.klDivergence <= fastest.klDivergence;
  process.stderr.write(
    `${ratio.toFixed(1)} times faster than ${fastest.name}, KL ${ours.klDivergence.toFixed(4)} against ` +
      `${fastest.klDivergence.toFixed(4)}: ${holds ? "holds" : "DOES NOT HOLD"}\n`,
  );
  process.exitCode = holds ? 0 : 1;
}
