/**
 * The 1,797 handwritten digits: default `embed` beside the t-SNE and UMAP packages of npm. Contestants take
 * turns, each run in a fresh process; maps are judged by one quality function.
 *
 * Usage: node digits-peers.ts [--repeats 3] [--contestants curvature,druid,umap-js,tsne-js]
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { loadDigits } from "@curvature/datasets/digits";
import { contestants } from "../../contestants/index.ts";
import { machine } from "../../machine.ts";
import { descriptions, heading, lines, METHOD, measureAll, runs } from "./map-table.ts";

const { values } = parseArgs({
  options: {
    repeats: { type: "string", default: "3" },
    contestants: { type: "string", default: Object.keys(contestants).join(",") },
  },
});
const repeats = Number(values.repeats);
const { points } = await loadDigits();
const summary = measureAll(
  { name: "digits", description: "1,797 × 64", points },
  values.contestants.split(","),
  repeats,
);
const table = [
  "# Handwritten digits (1,797 x 64) beside the packages of npm",
  "",
  `${runs(repeats)}, ${METHOD} ${machine()}.`,
  "",
  ...heading,
  ...lines("digits", summary),
  "",
  ...descriptions(summary),
  "",
].join("\n");
process.stdout.write(table);
writeFileSync(new URL("../../../../../docs/results/spectral/digits-peers.md", import.meta.url), table);

/** What this table must show: at least five times faster than the fastest t-SNE peer, to no more than its KL. */
const [ours] = summary;
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
