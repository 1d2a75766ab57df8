/**
 * NOMAD, figures 9 and 17 to 19: layers of NOMAD with the sequences of K of the paper and its code, each on the set for which it
 * is meant, Q drawn after each. Sequences that nobody gives are those of `automatic-layers.ts`.
 *
 * Usage: node figures-17-19.ts [--quick] [--tolerance 1e-3]
 *
 * Tepper, Sengupta, Chklovskii: Clustering is semidefinitely not that hard. J. Mach. Learn. Res. 19 (2018), section 3.1.
 */
import { doubleSwissRoll, type Groups, moons, twoRings } from "@curvature/datasets";
import type { DenseMatrix } from "@curvature/linalg";
import { nomad } from "@curvature/optim-sdp";
import { experimentArguments, positive } from "../../experiment-arguments.ts";
import { cpuSeconds, note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { type Grey, panelsSvg } from "../../scatter.ts";
import { verdict } from "../../words.ts";
import { leakage, purity } from "./figure-measures.ts";
import { ONE_RUN, shortGap } from "./gap.ts";

const { isQuick, tolerance } = experimentArguments({
  tolerance: positive(1e-3),
});
const half = isQuick ? 50 : 100;

interface Case {
  readonly name: string;
  /** Of the points along their curves. */
  readonly spacing: "even" | "random";
  readonly set: Groups;
  readonly sequences: readonly (readonly number[])[];
}
const curved = [
  [8, 4, 2],
  [12, 6, 2],
  [16, 4, 2],
  [16, 8, 4, 2],
  [16, 12, 8, 6, 4, 2],
  [32, 16, 8, 4, 2],
];
const spacings = ["even", "random"] as const;
const all: readonly Case[] = spacings.flatMap((spacing) => [
  { name: "two rings", spacing, set: twoRings({ pointsPerRing: half, spacing }), sequences: curved },
  { name: "two half rings", spacing, set: moons({ pointsPerMoon: half, spacing }), sequences: curved },
  {
    name: "double Swiss roll",
    spacing,
    set: doubleSwissRoll({ pointsPerRoll: half, spacing }),
    sequences: [
      [64, 32, 16, 8, 4, 2],
      [64, 16, 4, 2],
    ],
  },
]);
const cases = isQuick ? all.map((one) => ({ ...one, sequences: one.sequences.slice(0, 2) })) : all;

const rows: Cell[][] = [];
const panels: Grey[] = [];
const joined = { even: [] as string[], random: [] as string[] };
const separated = { even: 0, random: 0 };
const blank: Grey = { title: "", matrix: { rows: 1, columns: 1, data: new Float64Array(1) } };
/** Panels in a row of the picture: layers of the longest sequence. */
const WIDE = 6;
for (const { name, spacing, set, sequences } of cases) {
  for (const sequence of sequences) {
    const before = cpuSeconds();
    const path: string[] = [];
    const drawn: Grey[] = [];
    let Q: DenseMatrix | undefined;
    let isApart = false;
    let mixed = Number.NaN;
    for (const clusters of sequence) {
      const layer = await (Q === undefined
        ? nomad(set.points, { clusters, tolerance })
        : nomad(Q, { clusters, tolerance, input: "gram" }));
      Q = layer.Q;
      if (Q === undefined) throw new Error("Q does not fit into memory");
      const { count, labels } = layer.components;
      const isPure = purity(labels, set.labels) === 1;
      isApart = count === 2 && isPure;
      mixed = leakage(Q, set.labels);
      path.push(`${clusters}: ${count}${isPure ? "*" : ""}`);
      drawn.push({ title: `${name}, K = ${clusters}`, note: `gap ${shortGap(layer.gap)}`, matrix: Q });
    }
    const seconds = cpuSeconds() - before;
    note(
      `${name}, ${spacing} [${sequence.join(", ")}]: ${isApart ? "separated" : "not separated"}, ${seconds.toFixed(1)} s`,
    );
    if (isApart) separated[spacing]++;
    else joined[spacing].push(`${name} [${sequence.join(", ")}]`);
    rows.push([
      name,
      spacing,
      sequence.join(", "),
      path.join(", "),
      isApart ? "yes" : "no",
      mixed.toExponential(1),
      seconds.toFixed(1),
    ]);
    if (spacing === "random") continue;
    panels.push(...drawn);
    for (let k = drawn.length; k < WIDE; k++) panels.push(blank);
  }
}

const ofEach = rows.length / spacings.length;
const summary = (spacing: "even" | "random"): string =>
  `With ${spacing} spacing the manifolds are separated in ${separated[spacing]} of ${ofEach} cases${joined[spacing].length === 0 ? "" : `; **not** ${joined[spacing].join("; ")}`}.`;

writeReport(
  {
    paper: "sdp",
    name: "figures-17-19",
    title: "Layers of NOMAD",
    claim:
      "Figures 9 and 17 to 19: layers of NOMAD part linearly non-separable manifolds for many sequences of K; in the last layer each is one cluster.",
    data: `Sets of two manifolds, ${2 * half} points each, evenly spaced along them and then at random places; the half rings with noise 0.05.`,
    method: `\`auto\` to a certified gap of ${tolerance} in every layer, each layer a call of its own on the Q of the one before it (\`layers\` in one call is content with a gap of 1e-2 before the last). A star: every component holds points of one manifold only. Separated: the last layer has two components, which are the manifolds. Leakage: the share of the last Q's mass that joins the two. Many sequences: more than half.`,
    repeats: ONE_RUN,
    clock: "processor",
    findings: [
      `${verdict({ "many sequences": 2 * separated.even > ofEach, "all of these": joined.even.length === 0 })} ${summary("even")}`,
      `${summary("random")} Layers tile a curve evenly, which such points are not; \`separateCurves\` is for them (layers-random).`,
    ],
    tables: [
      {
        columns: ["set", "spacing", "K", "K: components of each layer", "separated", "leakage", "seconds"],
        rows,
      },
    ],
    figures: [
      {
        name: "figures-17-19",
        caption: "Q after each layer, a sequence in each row, in the order of the data, evenly spaced.",
        svg: panelsSvg("Layers of NOMAD", panels, { columns: WIDE }),
      },
    ],
  },
  isQuick,
);
