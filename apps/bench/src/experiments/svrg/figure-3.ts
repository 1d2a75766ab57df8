/**
 * Figure 3: 21 European cities from 2,000 answers, moved, turned and scaled onto classical scaling of their distances.
 *
 * Usage: node figure-3.ts [--quick] [--epochs 60] [--data folder]
 */
import { loadEurodist } from "@curvature/datasets/eurodist";
import { errorShare, ordinalObjective } from "@curvature/objectives/ordinal";
import { maxPasses, run } from "@curvature/optim-core";
import { createOrdinalSolver, ordinalEmbedding, procrustes } from "@curvature/optim-svrg";
import { colors } from "../../chart.ts";
import { experimentArguments, string, whole } from "../../experiment-arguments.ts";
import { mean } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import { verdict } from "../../words.ts";
import { lossTitles, paperLosses } from "./methods.ts";
import { cities } from "./sets.ts";

const { isQuick, epochs, data } = experimentArguments({
  epochs: whole(60, 10),
  data: string(),
});
const set = cities(data);
const { names, positions } = loadEurodist();
const { train, test, dimensions } = set;
const starts = isQuick ? set.starts.slice(0, 2) : set.starts;

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
  for (const [seed, start] of starts.entries()) {
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

const three = (each: readonly number[]): string =>
  [mean(each), Math.min(...each), Math.max(...each)].map((value) => value.toFixed(4)).join(", ");
const ranked = found.toSorted((a, b) => mean(a.errors) - mean(b.errors));
const [nearest] = found.toSorted((a, b) => mean(a.disparities) - mean(b.disparities));
const ours = found[found.length - 1];
/** Disparities below this count as a map of Europe. */
const CLOSE = 0.1;
const maps = Object.fromEntries(
  paperLosses.map((loss, k) => [lossTitles[loss], mean(found[k].disparities) < CLOSE]),
);

writeReport(
  {
    paper: "svrg",
    name: "figure-3",
    title: "Europe from answers",
    claim: "Figure 3: a map of 21 European cities comes out of 2,000 answers by SVRG-SBB under each loss.",
    data: `${set.name}: ${names.length} cities, ${(train.quadruplets.length / 4).toLocaleString("en-US")} answers to learn from, ${(test.quadruplets.length / 4).toLocaleString("en-US")} others to test; p = 2.`,
    method: `SVRG-SBB with its defaults, ${epochs} epochs from recorded starts U[0, 1]; \`auto\` from its own (spectral). The figure shows the start of least F. Disparity: what is left of the squared distances to classical scaling after moving, turning, reflecting and scaling, from 0 to 1; a map of Europe has come out where its mean is below ${CLOSE}.`,
    repeats: `${starts.length} starts of SVRG-SBB (seeds 0 to ${starts.length - 1}): means, the best and the worst; one of \`auto\`.`,
    clock: "none",
    findings: [
      `${verdict(maps)} The least mean test error is that of ${ranked[0].name} (${mean(ranked[0].errors).toFixed(4)}), the largest that of ${ranked[ranked.length - 1].name} (${mean(ranked[ranked.length - 1].errors).toFixed(4)}); nearest to the map is ${nearest.name} (disparity ${mean(nearest.disparities).toFixed(4)}). What the package takes by itself (${ours.name}) has ${mean(ours.errors).toFixed(4)}, place ${ranked.indexOf(ours) + 1} of ${ranked.length}, and a disparity of ${mean(ours.disparities).toFixed(4)}.`,
    ],
    tables: [
      {
        columns: ["method", "test error: mean, best, worst", "disparity: mean, best, worst"],
        rows: found.map(({ name, errors, disparities }) => [name, three(errors), three(disparities)]),
      },
    ],
    figures: [
      {
        name: "figure-3",
        caption: "Circles: classical scaling of the road distances; dots: maps from answers alone, aligned.",
        svg: mapSvg(),
      },
    ],
  },
  isQuick,
);
