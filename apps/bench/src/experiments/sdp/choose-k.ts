/**
 * How many clusters: the K that `clusterPoints` chooses beside those of the silhouette and of Calinski and Harabasz, on draws of round
 * clusters and on tables with classes.
 *
 * Usage: node choose-k.ts [--quick] [--draws 48] [--first 730000]
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { MatrixLike } from "@curvature/linalg";
import { clusterPoints } from "@curvature/optim-sdp";
import { experimentArguments, whole } from "../../experiment-arguments.ts";
import { cpuSeconds, mean, note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { verdict } from "../../words.ts";
import { roundClusters } from "./mixtures.ts";

const { isQuick, draws, first } = experimentArguments({
  draws: whole(48, 8),
  /** The seed of the first draw. */
  first: whole(730_000),
});

const ROWS = 200;
const MOST = 8;
const [NEAR, FAR] = [3.2, 5];
const SHARE = 0.85;
/** The largest K tried on the tables, and the most classes of a table that is looked at. */
const MAX_CLASSES = 12;

const criteria = ["BIC", "silhouette", "Calinski-Harabasz"] as const;
type Criterion = (typeof criteria)[number];

interface Choice extends Readonly<Record<Criterion, number>> {
  /** The number of clusters that were drawn, or of classes. */
  readonly K: number;
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
  readonly seconds: number;
}

/** The K of each criterion, from one table of costs and silhouettes. */
async function chosen(
  points: MatrixLike,
  n: number,
  maxClusters?: number,
): Promise<Readonly<Record<Criterion | "seconds", number>>> {
  const before = cpuSeconds();
  // 20 starts of each K; bounds are not worked at
  const { choice } = await clusterPoints(points, {
    clusters: "auto",
    maxClusters,
    maxIterations: 1,
    certify: false,
    tolerance: 1,
  });
  const seconds = cpuSeconds() - before;
  if (choice === undefined) throw new Error("No choice was made");
  const { clusters, table } = choice;
  const total = table[0].cost;
  const largest = (score: (row: (typeof table)[number]) => number): number =>
    table.slice(1).reduce((best, row) => (score(row) > score(best) ? row : best), table[1]).clusters;
  return {
    BIC: clusters,
    silhouette: largest(({ silhouette = -1 }) => silhouette),
    // variance between clusters over that within (Calinski, Harabasz: A dendrite method for cluster analysis, 1974)
    "Calinski-Harabasz": largest(({ clusters: K, cost }) => ((total - cost) * (n - K)) / ((K - 1) * cost)),
    seconds,
  };
}

const drawn: Choice[] = [];
for (let draw = 0; draw < draws; draw++) {
  const K = 1 + (draw % MOST);
  const columns = 2 + (Math.floor(draw / MOST) % 4);
  const apart = NEAR + ((FAR - NEAR) * draw) / Math.max(1, draws - 1);
  const name = `K = ${K} (${columns} dimensions${K === 1 ? "" : `, ${apart.toFixed(1)} apart`})`;
  const found = await chosen(roundClusters(K, columns, apart, ROWS, first + draw), ROWS);
  drawn.push({ K, name, rows: ROWS, columns, ...found });
  note(`${name}: ${criteria.map((criterion) => `${criterion} ${found[criterion]}`).join(", ")}`);
}

const file = new URL("../../../data/clusters/tables.json.gz", import.meta.url);
const tables: Readonly<Record<string, { readonly csv: string }>> = JSON.parse(
  gunzipSync(readFileSync(file)).toString(),
);
const labelled: Choice[] = [];
for (const [name, { csv }] of Object.entries(tables)) {
  const lines = csv
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(",").map(Number));
  const K = new Set(lines.map((line) => line.at(-1))).size;
  if (K < 2 || K > MAX_CLASSES || (isQuick && labelled.length === 3)) continue;
  const points = lines.map((line) => line.slice(0, -1));
  const found = await chosen(points, points.length, MAX_CLASSES);
  labelled.push({ K, name, rows: points.length, columns: points[0].length, ...found });
  note(
    `${name}: ${K} classes, ${criteria.map((criterion) => `${criterion} ${found[criterion]}`).join(", ")}`,
  );
}

const within = (all: readonly Choice[], criterion: Criterion, distance: number): number =>
  all.filter((each) => Math.abs(each[criterion] - each.K) <= distance).length;
const summary = (all: readonly Choice[]): string =>
  criteria
    .map((criterion) => `${criterion} ${within(all, criterion, 0)} (${within(all, criterion, 1)})`)
    .join(", ");

const several = drawn.filter(({ K }) => K > 1);
const right = within(drawn, "BIC", 0);
const wrong = drawn.filter(({ K, BIC }) => BIC !== K).map(({ name, BIC }) => `${name}: ${BIC}`);
const byK: Cell[][] = Array.from({ length: MOST }, (_, at) => {
  const own = drawn.filter(({ K }) => K === at + 1);
  return [
    at + 1,
    own.length,
    ...criteria.flatMap((criterion) => [within(own, criterion, 0), within(own, criterion, 1)]),
    mean(own.map(({ seconds }) => seconds)).toFixed(2),
  ];
}).filter((row) => row[1] !== 0);

writeReport(
  {
    paper: "sdp",
    name: "choose-k",
    title: "How many clusters",
    claim: `\`clusters: "auto"\` is right about the number of round clusters in at least ${100 * SHARE} % of the draws.`,
    data: `${draws} draws of ${ROWS} rows of round normal clusters of standard deviation 1: K = 1 to ${MOST}, 2 to 5 dimensions, the two nearest centres ${NEAR} to ${FAR} apart, rising from draw to draw. And the tables of \`apps/bench/data/clusters\` that have 2 to ${MAX_CLASSES} classes, which are not among the columns.`,
    method: `\`clusterPoints\` with \`clusters: "auto"\`, K up to 10 on the draws and up to ${MAX_CLASSES} on the tables, by 20 starts of each K (\`tolerance: 1\`: bounds are not worked at). The silhouette is the largest one in the table of \`choice\`, Calinski and Harabasz's index is computed from the costs there; neither can say K = 1.`,
    repeats: `One run of each draw, seeds from ${first}; another run gives the same but for the seconds, which are those of all K together.`,
    clock: "processor",
    findings: [
      `${verdict({ "the draws": right >= SHARE * draws })} Right of ${draws} draws, within one in brackets: ${summary(drawn)}.`,
      wrong.length === 0 ? "BIC is wrong on none of them." : `BIC is wrong on **${wrong.join("; ")}**.`,
      `Where K is 2 and more, right of ${several.length} draws, within one in brackets: ${summary(several)}.`,
      `Tables, on which nothing is promised (classes are seldom round clusters): right of ${labelled.length}, within one in brackets: ${summary(labelled)}.`,
    ],
    tables: [
      {
        title: "Draws",
        columns: ["K", "draws", ...criteria.flatMap((name) => [name, `${name}, within one`]), "seconds"],
        rows: byK,
      },
      {
        title: "Tables with classes",
        columns: ["table", "rows", "columns", "classes", ...criteria, "seconds"],
        rows: labelled.map((each) => [
          each.name,
          each.rows,
          each.columns,
          each.K,
          ...criteria.map((criterion) => each[criterion]),
          each.seconds.toFixed(1),
        ]),
      },
    ],
  },
  isQuick,
);
