/** What a GPU makes of each kernel of a map: milliseconds, and operations or bytes a second. */
import { fillNormal, RandomGenerator } from "@curvature/linalg";
import { type Gpu, nearestOnGpu } from "@curvature/webgpu";
import {
  attractionJob,
  chebyshevJobs,
  curveOrder,
  exactRepulsionJobs,
  type Job,
  Slab,
  tiledRepulsionJobs,
} from "@curvature/webgpu/kernels";

/** Entries of a row: what 90 neighbours and their union come to. */
const ENTRIES = 128;
const COLUMNS = 50;
const NEIGHBORS = 90;
/** The solver's. */
const VECTORS = 37;

export interface KernelTime {
  readonly kernel: string;
  readonly points: number;
  readonly milliseconds: number;
  /** In 10¹²; of kernels that compute more than they read. */
  readonly operationsPerSecond?: number;
  /** In 10⁹, each buffer's once for each time that it is read or written; of kernels that read more than they compute. */
  readonly bytesPerSecond?: number;
}

/** Points evenly in a disc of the size of a map of so many, and rows whose entries lie anywhere among them. */
export async function kernelTimes(gpu: Gpu, points: number): Promise<KernelTime[]> {
  const random = new RandomGenerator(1);
  const radius = 0.4 * Math.sqrt(points);
  const X = new Float32Array(2 * points);
  for (let i = 0; i < points; i++) {
    const [length, angle] = [radius * Math.sqrt(random.uniform()), 2 * Math.PI * random.uniform()];
    X.set([length * Math.cos(angle), length * Math.sin(angle)], 2 * i);
  }
  const indices = new Uint32Array(points * ENTRIES);
  for (let k = 0; k < indices.length; k++) indices[k] = Math.floor(random.uniform() * points);
  const rows = {
    rows: points,
    pointers: gpu.upload(Uint32Array.from({ length: points + 1 }, (_, i) => i * ENTRIES)),
    indices: gpu.upload(indices),
    values: gpu.upload(new Float32Array(indices.length).fill(1 / ENTRIES)),
    degrees: gpu.upload(new Float32Array(points).fill(1)),
  };
  const [x, out, v] = [gpu.upload(X), gpu.buffer(16 * points), gpu.buffer(16 * points)];
  const slab = await Slab.create(gpu, points, VECTORS);
  const tiles = await tiledRepulsionJobs(gpu, points, x, out);
  gpu.write(tiles.order, curveOrder(X));
  const exact = await exactRepulsionJobs(gpu, points, x, out);
  const chebyshev = await chebyshevJobs(gpu, rows, v);
  const timed = async (jobs: readonly Job[]): Promise<number> => {
    const wait = () => gpu.read([], [{ buffer: out, bytes: 16 }]);
    const once = async (times: number): Promise<number> => {
      const before = performance.now();
      for (let k = 0; k < times; k++) gpu.run(jobs);
      await wait();
      return (performance.now() - before) / times;
    };
    await once(1);
    const first = await once(1);
    return once(Math.max(1, Math.min(50, Math.round(300 / first))));
  };
  const found: KernelTime[] = [];
  const add = async (kernel: string, jobs: readonly Job[], of: { operations?: number; bytes?: number }) => {
    const milliseconds = await timed(jobs);
    const perSecond = (amount: number, unit: number): number => amount / (milliseconds / 1000) / unit;
    found.push({
      ...{ kernel, points, milliseconds },
      ...(of.operations === undefined ? {} : { operationsPerSecond: perSecond(of.operations, 1e12) }),
      ...(of.bytes === undefined ? {} : { bytesPerSecond: perSecond(of.bytes, 1e9) }),
    });
  };
  const entries = points * ENTRIES;
  await add("repulsion, all pairs", exact, { operations: 13 * points * points });
  await add("repulsion, tiles", tiles.jobs, {});
  await add("attraction", [await attractionJob(gpu, rows, x, out)], { bytes: 16 * entries + 32 * points });
  await add("Chebyshev, 8 steps", chebyshev.jobs, { bytes: 7 * (24 * entries + 92 * points) });
  await add(`inner products with ${VECTORS} vectors`, [slab.outerProducts(v).job], {
    bytes: (8 * VECTORS + 16) * points,
  });
  for (const buffer of [rows.pointers, rows.indices, rows.values, rows.degrees, x, out, v]) buffer.destroy();

  const Y = { rows: points, columns: COLUMNS, data: new Float64Array(points * COLUMNS) };
  fillNormal(random, Y.data);
  const k = Math.min(NEIGHBORS, points - 1);
  const before = performance.now();
  await nearestOnGpu(gpu, Y, k);
  const milliseconds = performance.now() - before;
  const operationsPerSecond = (2 * COLUMNS * points * points) / (milliseconds / 1000) / 1e12;
  const kernel = `${k} neighbours, the processor's check included`;
  return [...found, { kernel, points, milliseconds, operationsPerSecond }];
}
