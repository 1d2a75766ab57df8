/**
 * The 1,797 handwritten digits: default `embed` beside the t-SNE and UMAP packages of npm. Contestants take
 * turns, each run in a fresh process; maps are judged by one quality function.
 *
 * Usage: node digits-peers.ts [--quick] [--repeats 3] [--contestants curvature,druid,keckelt,tsne-js,umap-js]
 */
import { loadDigits } from "@curvature/datasets/digits";
import { contestants } from "../../contestants/index.ts";
import { experimentArguments, string, whole } from "../../experiment-arguments.ts";
import { verdict } from "../../words.ts";
import { contestsOf, takingPart } from "./map-contest.ts";
import { rivalsIn, writeMapReport } from "./map-table.ts";

const values = experimentArguments({
  repeats: whole(3),
  contestants: string(Object.keys(contestants).join(",")),
});
const { isQuick, repeats } = values;
const taking = takingPart(values.contestants);
const { points } = await loadDigits();
const contests = contestsOf(
  [{ name: "digits", description: "the 1,797 bundled digits of 64 pixels", points }],
  () => taking,
  repeats,
);
/** What this table must show: at least five times faster than the fastest t-SNE peer, to no more than its KL. */
const [ours, ...others] = contests[0].summary;
const peers = others.filter(({ kind }) => kind === "t-SNE");
const fastest = peers.toSorted((a, b) => a.seconds.median - b.seconds.median).at(0);
const ratio = fastest === undefined ? Number.NaN : fastest.seconds.median / ours.seconds.median;
const holds = fastest !== undefined && ratio >= 5 && ours.klDivergence.median <= fastest.klDivergence.median;

writeMapReport(
  {
    name: "digits-peers",
    title: `Handwritten digits (1,797 x 64) beside ${rivalsIn(contests)}`,
    claim:
      "`embed` with its defaults is at least five times faster than the fastest t-SNE package of npm, to no more than its divergence.",
    contests,
    repeats,
    findings: [
      fastest === undefined
        ? "No t-SNE peer took part."
        : `${verdict({ all: holds })} ${ratio.toFixed(1)} times faster than ${fastest.name}, KL ${ours.klDivergence.median.toFixed(4)} against ${fastest.klDivergence.median.toFixed(4)}.`,
    ],
  },
  isQuick,
);
process.exitCode = holds || fastest === undefined ? 0 : 1;
