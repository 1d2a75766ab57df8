/**
 * Figures 3 to 9: layers of NOMAD, each on the solution of the one before it, on sets of two manifolds. With given K's, and
 * with those that `layers: "auto"` finds.
 *
 * Usage: node multi-layer.ts [--quick] [--tolerance 1e-3] [--noise 0.05]
 */
import { parseArgs } from "node:util";
import { doubleSwissRoll, type Groups, moons, twoRings } from "@curvature/datasets";
import { type NomadLayer, nomad } from "@curvature/optim-sdp";
import { cpuSeconds, note } from "../../processor.ts";
import { type Cell, writeReport } from "../../report.ts";
import { SECONDS, shortGap } from "./gap.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    tolerance: { type: "string", default: "1e-3" },
    noise: { type: "string", default: "0.05" },
  },
});
const isQuick = values.quick;
const tolerance = Number(values.tolerance);
const half = isQuick ? 50 : 100;

interface Case {
  readonly name: string;
  readonly set: Groups;
  readonly sequences: readonly (readonly number[])[];
}

const cases: readonly Case[] = [
  {
    name: "two rings",
    set: twoRings({ pointsPerRing: half }),
    sequences: [
      [16, 8, 4, 2],
      [16, 2],
      [8, 4, 2],
    ],
  },
  {
    name: `moons, noise ${values.noise}`,
    set: moons({ pointsPerMoon: half, noise: Number(values.noise) }),
    sequences: [
      [16, 8, 4, 2],
      [16, 12, 8, 6, 4, 2],
      [8, 4, 2],
    ],
  },
  {
    name: "double Swiss roll",
    set: doubleSwissRoll({ pointsPerRoll: half }),
    sequences: [
      [64, 32, 16, 8, 4, 2],
      [64, 16, 4, 2],
    ],
  },
];

/** Share of the points that lie in a component all of whose points are of one manifold. */
function purity(components: Int32Array, labels: Uint32Array): number {
  const manifolds = new Map<number, Set<number>>();
  components.forEach((component, i) => {
    manifolds.set(component, (manifolds.get(component) ?? new Set()).add(labels[i]));
  });
  return components.filter((component) => manifolds.get(component)?.size === 1).length / components.length;
}

/** "K: components", starred where all of them are pure. */
const shown = ({ clusters, components }: NomadLayer, labels: Uint32Array): string =>
  `${clusters}: ${components.count}${purity(components.labels, labels) === 1 ? "*" : ""}`;

const rows: Cell[][] = [];
let [given, givenSeparated, automatic, automaticSeparated] = [0, 0, 0, 0];
const joined: string[] = [];
for (const { name, set, sequences } of cases) {
  for (const layers of [...sequences, "auto" as const]) {
    const before = cpuSeconds();
    const result = await nomad(set.points, { layers, tolerance });
    const seconds = cpuSeconds() - before;
    const { count, labels } = result.components;
    const isSeparated = count === 2 && purity(labels, set.labels) === 1;
    const asked = typeof layers === "string" ? layers : layers.join(", ");
    note(`${name} [${asked}]: ${count} components in ${seconds.toFixed(1)} s`);
    const path = result.layers.map((layer) => shown(layer, set.labels)).join(", ");
    rows.push([name, asked, path, shortGap(result.gap), isSeparated ? "yes" : "no", seconds.toFixed(1)]);
    if (!isSeparated) joined.push(`${name} [${asked}]`);
    if (layers === "auto") {
      automatic++;
      automaticSeparated += Number(isSeparated);
    } else {
      given++;
      givenSeparated += Number(isSeparated);
    }
  }
}

writeReport(
  {
    paper: "sdp",
    name: "multi-layer",
    title: "Layers of NOMAD",
    claim:
      "Figures 3 to 9: NOMAD on the solution of NOMAD, with fewer and fewer K, parts manifolds that one layer does not.",
    data: `Sets of two manifolds, ${2 * half} points each.`,
    method: `\`auto\` to a certified gap of ${tolerance} in every layer. ${SECONDS} A star: every component holds points of one manifold only. Separated: the last layer has two components, which are the manifolds.`,
    findings: [
      `Given sequences of K separate the manifolds in ${givenSeparated} of ${given} cases, automatic ones in ${automaticSeparated} of ${automatic}${joined.length === 0 ? "" : `; **not** ${joined.join(", ")}`}.`,
    ],
    tables: [
      {
        columns: ["set", "K asked for", "K: components of each layer", "last gap", "separated", "seconds"],
        rows,
      },
    ],
  },
  isQuick,
);
