/**
 * Figure 3: 21 European cities from 2,000 answers, moved, turned and scaled onto classical scaling of their distances.
 *
 * Usage: node figure-3.ts [--epochs 60] [--data folder]
 */
import { parseArgs } from "node:util";
import { loadEurodist } from "@curvature/datasets/eurodist";
import { errorShare, ordinalObjective } from "@curvature/objectives/ordinal";
import { maxPasses, run } from "@curvature/optim-core";
import { createOrdinalSolver, ordinalEmbedding, procrustes } from "@curvature/optim-svrg";
import { colors } from "../../chart.ts";
import { lossTitles, paperLosses } from "./methods.ts";
import { mean, provenance, writeFigure, writeTable } from "./report.ts";
import { cities } from "./sets.ts";

const { values } = parseArgs({
  options: { epochs: { type: "string", default: "60" }, data: { type: "string" } },
});
const epochs = Number(values.epochs);
const set = cities(values.data);
const { names, positions } = loadEurodist();
const { train, test, dimensions } = set;

interface Found {
  readonly name: string;
  /** Of each start. */
  readonly errors: readonly number[];
  readonly disparities: readonly number[];
  /** The map of the start with the least F, aligned. */
  readonly places: Float64Array;
}

const found: Found[] = [];
for (const loss of paperLosses) {
  const runs = [];
  for (const [seed, start] of set.starts.entries()) {
    const objective = ordinalObjective(train, loss, dimensions);
    const solver = createOrdinalSolver(objective, start, { solver: "svrg-sbb", seed });
    const { x, value = Number.POSITIVE_INFINITY } = await run(solver, { stop: maxPasses(3 * epochs) });
    const map = { rows: names.length, columns: dimensions, data: x };
    const { aligned, disparity } = procrustes(positions, map);
    runs.push({ value, error: errorShare(test, x), disparity, places: aligned.data });
  }
  const best = runs.reduce((a, b) => (b.value < a.value ? b : a));
  found.push({
    name: `SVRG-SBB, ${lossTitles[loss]}`,
    errors: runs.map((each) => each.error),
    disparities: runs.map((each) => each.disparity),
    places: best.places,
  });
}
const result = await ordinalEmbedding(train, { dimensions, test });
const { aligned, disparity } = procrustes(positions, result.embedding);
found.push({
  name: "auto, SOE (one start)",
  errors: [result.testError ?? Number.NaN],
  disparities: [disparity],
  places: aligned.data,
});

/** North is up, as on a map: the second axis of classical scaling points south. */
function mapSvg(): string {
  const size = { width: 1000, height: 890, margin: 50, top: 120 };
  const all = [positions.data, ...found.map(({ places }) => places)];
  const range = (axis: number): [number, number] => {
    const along = all.flatMap((places) => [...places].filter((_, k) => k % 2 === axis));
    return [Math.min(...along), Math.max(...along)];
  };
  const [west, east] = range(0);
  const [north, south] = range(1);
  const scale = Math.min(
    (size.width - 2 * size.margin) / (east - west),
    (size.height - size.margin - size.top) / (south - north),
  );
  const at = (places: Float64Array, n: number): string =>
    `${(size.margin + scale * (places[2 * n] - west)).toFixed(1)} ${(size.top + scale * (places[2 * n + 1] - north)).toFixed(1)}`;
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" font-family="'DejaVu Sans', Verdana, sans-serif" font-size="12" fill="#23272f">`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    `<text x="20" y="30" font-size="18" font-weight="bold">Europe from 2,000 answers</text>`,
    `<text x="20" y="52" fill="#6b7280">circles: classical scaling of the road distances; dots: maps from answers alone, aligned</text>`,
  ];
  for (const [k, { name, places }] of found.entries()) {
    lines.push(
      `<circle cx="${30 + 190 * k}" cy="72" r="4.5" fill="${colors[k]}"/><text x="${40 + 190 * k}" y="76">${name}</text>`,
    );
    for (let n = 0; n < names.length; n++) {
      const [x, y] = at(places, n).split(" ");
      lines.push(
        `<path d="M${at(positions.data, n)}L${x} ${y}" stroke="${colors[k]}" stroke-opacity="0.4"/>`,
        `<circle cx="${x}" cy="${y}" r="4.5" fill="${colors[k]}" fill-opacity="0.85"/>`,
      );
    }
  }
  for (let n = 0; n < names.length; n++) {
    const [x, y] = at(positions.data, n).split(" ");
    const left = Number(x) > size.width - 130;
    lines.push(
      `<circle cx="${x}" cy="${y}" r="7" fill="none" stroke="#23272f" stroke-width="1.5"/>`,
      `<text x="${Number(x) + (left ? -11 : 11)}" y="${Number(y) - 8}" text-anchor="${left ? "end" : "start"}" stroke="#ffffff" stroke-width="3" paint-order="stroke" font-weight="bold">${names[n]}</text>`,
    );
  }
  return `${lines.join("\n")}\n</svg>\n`;
}

writeFigure("figure-3", mapSvg());
writeTable("figure-3", [
  "# Europe from answers",
  "",
  `${set.name}: ${names.length} cities, ${(train.quadruplets.length / 4).toLocaleString("en-US")} answers to learn from, ${(test.quadruplets.length / 4).toLocaleString("en-US")} others to test; p = 2. SVRG-SBB with its defaults, ${epochs} epochs from each of ${set.starts.length} recorded starts U[0, 1] (seeds 0 to ${set.starts.length - 1}); the figure shows the start of least F. Disparity: what is left of the squared distances to classical scaling after moving, turning, reflecting and scaling, from 0 to 1. ${provenance()}`,
  "",
  "![Europe](figure-3.svg)",
  "",
  "| method | test error: mean, best, worst | disparity: mean, best, worst |",
  "|---|---|---|",
  ...found.map(({ name, errors, disparities }) => {
    const three = (each: readonly number[]): string =>
      [mean(each), Math.min(...each), Math.max(...each)].map((value) => value.toFixed(4)).join(", ");
    return `| ${name} | ${three(errors)} | ${three(disparities)} |`;
  }),
  "",
]);
