/**
 * The unit in which seconds are told: one dense symmetric eigendecomposition with vectors of n × n on one thread, by numpy
 * (LAPACK) where python3 has it, else by our own. In processor time, the median of several, after one that does not count.
 */
import { spawnSync } from "node:child_process";
import { fillNormal, RandomGenerator, symmetricEigen, zeros } from "@curvature/linalg";
import { cpuSeconds } from "../../processor.ts";
import { median } from "../../spread.ts";

export interface Yardstick {
  /** "numpy 2.1.0 (eigh), Python 3.12.1" or "our own symmetricEigen". */
  readonly name: string;
  readonly seconds: number;
}

export const YARDSTICK_REPEATS = 5;

const program = `
import platform
import sys
import time
import numpy
n = int(sys.argv[1])
A = numpy.random.RandomState(0).standard_normal((n, n))
A = A + A.T
times = []
for _ in range(${YARDSTICK_REPEATS + 1}):
    start = time.process_time()
    numpy.linalg.eigh(A)
    times.append(time.process_time() - start)
print(numpy.__version__, platform.python_version(), sorted(times[1:])[${YARDSTICK_REPEATS >> 1}])
`;

/** Of n × n. */
export const yardstick = (python: string, n: number): Yardstick =>
  numpyYardstick(python, n) ?? ownYardstick(n);

/** Undefined where python has no numpy. */
function numpyYardstick(python: string, n: number): Yardstick | undefined {
  const oneThread = { OPENBLAS_NUM_THREADS: "1", OMP_NUM_THREADS: "1", MKL_NUM_THREADS: "1" };
  const { stdout, status } = spawnSync(python, ["-c", program, String(n)], {
    encoding: "utf8",
    env: { ...process.env, ...oneThread },
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (status !== 0) return undefined;
  const [numpy, version, seconds] = stdout.trim().split(" ");
  return { name: `numpy ${numpy} (eigh), Python ${version}`, seconds: Number(seconds) };
}

function ownYardstick(n: number): Yardstick {
  const A = zeros(n, n);
  fillNormal(new RandomGenerator(0), A.data);
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) A.data[i * n + j] = A.data[j * n + i];
  const times: number[] = [];
  for (let k = 0; k <= YARDSTICK_REPEATS; k++) {
    const before = cpuSeconds();
    symmetricEigen(A);
    times.push(cpuSeconds() - before);
  }
  return { name: "our own symmetricEigen", seconds: median(times.slice(1)) };
}
