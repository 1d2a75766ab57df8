/**
 * The unit in which seconds are told: one dense symmetric eigendecomposition with vectors at n = 500 on one thread, by
 * numpy (LAPACK) where python3 has it, and by our own. Both in processor time, the median of several, after one that
 * does not count.
 */
import { spawnSync } from "node:child_process";
import { fillNormal, RandomGenerator, symmetricEigen, zeros } from "@curvature/linalg";
import { cpuSeconds } from "../../processor.ts";
import { median } from "../../spread.ts";

export interface Yardstick {
  /** "numpy 2.1.0 (eigh)" or "our own". */
  readonly name: string;
  readonly seconds: number;
}

const SIZE = 500;
const REPEATS = 7;

const program = `
import time
import numpy
A = numpy.random.RandomState(0).standard_normal((${SIZE}, ${SIZE}))
A = A + A.T
times = []
for _ in range(${REPEATS + 1}):
    start = time.process_time()
    numpy.linalg.eigh(A)
    times.append(time.process_time() - start)
print(numpy.__version__, sorted(times[1:])[${REPEATS >> 1}])
`;

/** Of numpy; undefined where python has none. */
export function numpyYardstick(python: string): Yardstick | undefined {
  const oneThread = { OPENBLAS_NUM_THREADS: "1", OMP_NUM_THREADS: "1", MKL_NUM_THREADS: "1" };
  const { stdout, status } = spawnSync(python, ["-c", program], {
    encoding: "utf8",
    env: { ...process.env, ...oneThread },
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (status !== 0) return undefined;
  const [version, seconds] = stdout.trim().split(" ");
  return { name: `numpy ${version} (eigh)`, seconds: Number(seconds) };
}

export function ownYardstick(): Yardstick {
  const A = zeros(SIZE, SIZE);
  fillNormal(new RandomGenerator(0), A.data);
  for (let i = 0; i < SIZE; i++) for (let j = 0; j < i; j++) A.data[i * SIZE + j] = A.data[j * SIZE + i];
  const times: number[] = [];
  for (let k = 0; k <= REPEATS; k++) {
    const before = cpuSeconds();
    symmetricEigen(A);
    times.push(cpuSeconds() - before);
  }
  return { name: "our own symmetricEigen", seconds: median(times.slice(1)) };
}
