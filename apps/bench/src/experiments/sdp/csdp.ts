/**
 * NOMAD beside CSDP, an interior-point method of others, on the same semidefinite programme (`sdpa.ts`): the optimum of both, and
 * processor seconds to the same relative gap. Q ≥ 0 makes n (n − 1)/2 of the programme's rows, and an interior-point method
 * solves a dense system of as many unknowns in each iteration, so that only small n are within its reach.
 *
 * Usage: node csdp.ts [--quick] [--sizes 20,40,60,80] [--repeats 3]
 *
 * Borchers: CSDP, a C library for semidefinite programming. Optimization Methods and Software 11 (1999) 613-623.
 */
import { twoRings } from "@curvature/datasets";
import { gramOfPoints, nomad } from "@curvature/optim-sdp";
import { experimentArguments, string, whole, wholeNumber } from "../../experiment-arguments.ts";
import { powerLaw } from "../../fit.ts";
import { cpuSeconds, note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { decimals, type Spread, spreadOf, spreadText } from "../../spread.ts";
import { mediansOf, verdict } from "../../words.ts";
import { type CsdpRun, csdpVersion, solveByCsdp } from "./csdp-run.ts";
import { shortGap } from "./gap.ts";
import { constraintsOf, sdpaOf } from "./sdpa.ts";
import { digits, type PointSet } from "./sets.ts";

const values = experimentArguments({
  sizes: string("20,40,60,80", "20,40"),
  repeats: whole(3, 1),
});
const { isQuick, repeats } = values;
const sizes = values.sizes.split(",").map((word) => wholeNumber("sizes", word, 10));
/** Relative gaps at which both end; CSDP's own besides, whose value is taken for the optimum. */
const tolerances = [1e-3, 1e-5];
const OWN_GAP = 1e-8;
/** Digits to which CSDP's value is the optimum: the infeasibility that it allows. */
const ROUNDING = 1e-6;
/** Standard error of an exponent that still says something. */
const CLEAR = 0.5;
/** From which n on the claim has `auto` sooner. */
const SOONER_FROM = 40;

const version = csdpVersion();
if (version === undefined) note("There is no csdp here (Debian's coinor-csdp): its columns stay empty.");

interface Ours {
  readonly lower: number;
  readonly upper: number;
  readonly gap: number;
  readonly seconds: number;
}

async function ours({ points, clusters }: PointSet, tolerance: number, seed: number): Promise<Ours> {
  const before = cpuSeconds();
  const { lower, upper, gap } = await nomad(points, { clusters, tolerance, seed });
  return { lower, upper, gap, seconds: cpuSeconds() - before };
}

/** The first of several runs, with the seconds of all. */
type Timed<T> = Omit<T, "seconds"> & { readonly seconds: Spread };

interface Pair {
  readonly ours: Timed<Ours>;
  readonly csdp: Timed<CsdpRun> | undefined;
}

interface Found {
  readonly set: PointSet;
  readonly n: number;
  /** By tolerance. */
  readonly pairs: readonly Pair[];
  readonly csdp: CsdpRun | undefined;
}

const timed = <T extends { readonly seconds: number }>(runs: readonly T[]): Timed<T> => ({
  ...runs[0],
  seconds: spreadOf(runs.map(({ seconds }) => seconds)),
});

async function measured(set: PointSet): Promise<Found> {
  const n = set.points.rows;
  const programme = sdpaOf(gramOfPoints(set.points).dense(), set.clusters);
  const pairs: Pair[] = [];
  for (const tolerance of tolerances) {
    const own: Ours[] = [];
    const theirs: CsdpRun[] = [];
    for (let seed = 0; seed < repeats; seed++) {
      own.push(await ours(set, tolerance, seed));
      if (version !== undefined) theirs.push(solveByCsdp(programme, tolerance));
    }
    pairs.push({
      ours: timed(own),
      csdp: theirs.length === 0 ? undefined : timed(theirs),
    });
  }
  const csdp = version === undefined ? undefined : solveByCsdp(programme, OWN_GAP);
  note(
    `${set.name}: ${pairs.map(({ ours: own }) => `${shortGap(own.gap)} in ${own.seconds.median.toFixed(2)} s`).join(", ")}; CSDP ${csdp?.primal ?? "not run"} in ${csdp?.seconds ?? "-"} s`,
  );
  return { set, n, pairs, csdp };
}

const ringsOf = (n: number): PointSet => ({
  name: `two rings ${n}`,
  ...twoRings({ pointsPerRing: n / 2 }),
  clusters: n / 5,
});
const digitsOf = async (n: number): Promise<PointSet> => ({ ...(await digits(n)), clusters: n / 5 });

await ours(await digitsOf(40), 1e-3, 0); // compiles
const found: Found[] = [];
for (const n of sizes) for (const set of [await digitsOf(n), ringsOf(n)]) found.push(await measured(set));

const told = (tolerance: number): string => tolerance.toExponential(0);
const compared = found.filter(({ csdp }) => csdp !== undefined);
/** Whether our interval holds CSDP's optimum, up to what its own tolerances leave open. */
const holds = ({ pairs, csdp }: Found): boolean =>
  csdp !== undefined &&
  pairs.every(
    ({ ours: { lower, upper } }) =>
      lower <= csdp.dual * (1 + ROUNDING) && upper >= csdp.primal * (1 - ROUNDING),
  );
const apart = compared.filter((one) => !holds(one));
const unreached = found.flatMap(({ set, pairs }) =>
  pairs.flatMap(({ ours: { gap } }, k) =>
    gap > tolerances[k] ? [`${set.name} to ${told(tolerances[k])} (${shortGap(gap)})`] : [],
  ),
);
const growth = (secondsOf: (one: Found) => number | undefined): string => {
  const points = found.flatMap((one): [number, number][] => {
    const seconds = secondsOf(one);
    return seconds === undefined || seconds < 0.05 ? [] : [[one.n, seconds]];
  });
  if (points.length < 3) return "are too short or too few for a power of n";
  const { exponent, error } = powerLaw(points);
  const law = `n^${exponent.toFixed(1)} ± ${error.toFixed(1)}`;
  return error <= CLEAR ? `grow as ${law}` : `follow no power of n (the fit is ${law})`;
};
const first = sizes.find((n) =>
  compared
    .filter((one) => one.n >= n)
    .every(({ pairs }) =>
      pairs.every(({ ours: own, csdp }) => csdp !== undefined && own.seconds.median < csdp.seconds.median),
    ),
);
const largest = compared.filter(({ n }) => n === Math.max(...sizes));
const text = (pair: Pair): string =>
  `${pair.ours.seconds.median.toFixed(2)} s against ${pair.csdp?.seconds.median.toFixed(2)} s`;

writeReport(
  {
    paper: "sdp",
    name: "csdp",
    title: "NOMAD beside an interior-point method",
    claim: `Not a paper's: \`auto\` finds the optimum that CSDP finds on the same semidefinite programme, and sooner from ${SOONER_FROM} points on.`,
    data: "The first n of the bundled digits, and two rings of n points in all; K = n/5.",
    method: `${version === undefined ? "CSDP is not here" : `CSDP ${version} (Debian's coinor-csdp, one thread) reads the programme from a file`}: Z ⪰ 0, slacks for Z ≥ 0, n (n + 1)/2 + 1 rows. Either ends at the relative gap that stands at its column; seconds are those of the whole call or process; our bounds are those of seed 0. CSDP runs once more to its own gap, ${told(OWN_GAP)}: the optimum. Our interval holds it if it does up to ${told(ROUNDING)}, for CSDP's points are feasible to 1e-8 only. Our gap is certified: the lower bound is that of an exactly feasible Q.`,
    repeats: `${mediansOf(repeats)}, in turn, CSDP in a process of its own for each run; one run to its own gap. The seeds are those of \`auto\`; in CSDP nothing is drawn, nor in the data.`,
    clock: "processor",
    findings:
      compared.length === 0
        ? ["CSDP is not here: nothing was compared."]
        : [
            `${verdict({ "the optimum": apart.length === 0 && unreached.length === 0, time: first !== undefined && first <= Math.max(SOONER_FROM, sizes[0]) })} Our bounds hold CSDP's optimum on ${compared.length - apart.length} of ${compared.length} problems${apart.length === 0 ? "" : `, **not** on ${apart.map(({ set }) => set.name).join(", ")}`}. ${first === undefined ? "CSDP is **faster** somewhere at every size measured." : `From n = ${first} on \`auto\` is faster on both sets and to both gaps${first === sizes[0] ? "" : "; **below, CSDP is faster somewhere**"}.`} At n = ${Math.max(...sizes)}: ${largest.map(({ set, pairs }) => `${set.name} ${pairs.map((pair, k) => `${text(pair)} to ${told(tolerances[k])}`).join(", ")}`).join("; ")}. ${unreached.length === 0 ? "All gaps are reached." : `**Not reached** by \`auto\`: ${unreached.join(", ")}.`}`,
            `CSDP's seconds ${growth(({ csdp }) => csdp?.seconds)} in this range (runs below 0.05 s left out, standard error behind), ours to ${told(tolerances[1])} ${growth(({ pairs }) => pairs[1].ours.seconds.median)}.`,
          ],
    tables: [
      {
        columns: [
          "set",
          "n",
          "K",
          "rows",
          "CSDP's optimum",
          "its seconds",
          ...tolerances.flatMap((t) => [`bounds to ${told(t)}`, "seconds", `CSDP to ${told(t)}, seconds`]),
        ],
        rows: found.map(({ set, n, pairs, csdp }): Cell[] => [
          set.name,
          n,
          set.clusters,
          constraintsOf(n),
          csdp?.primal ?? null,
          csdp?.seconds.toFixed(2) ?? null,
          ...pairs.flatMap(({ ours: own, csdp: theirs }): Cell[] => [
            `${own.lower.toPrecision(8)} to ${own.upper.toPrecision(8)}`,
            spreadText(own.seconds, decimals(2)),
            theirs === undefined ? null : spreadText(theirs.seconds, decimals(2)),
          ]),
        ]),
      },
    ],
  },
  isQuick,
);
