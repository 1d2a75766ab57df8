/**
 * Kernels in native code, one thread: `native/*.cpp`, built here with g++ -O3 -march=native. Each program makes its own
 * numbers, or reads them from a file, and prints the nanoseconds of a call and a number that says what it found.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface NativeRun {
  /** Processor time of a call. */
  readonly nanoseconds: number;
  /** What ours must have found, too. */
  readonly found: number;
  /** Where the program says so. */
  readonly error: number | undefined;
}

/** Runs a kernel once without counting, then so many times. */
export type NativeKernel = (count: number) => NativeRun;

const fast = ["-O3", "-march=native", "-ffast-math"];

const programs = {
  dense: { flags: [...fast, "-lopenblas"], needs: "libopenblas-dev" },
  "dense-rows": { flags: fast, needs: "g++" },
  pairs: { flags: fast, needs: "g++" },
  sparse: {
    flags: ["-O3", "-march=native", "-I/usr/include/suitesparse", "-lcholmod", "-lopenblas"],
    needs: "libsuitesparse-dev, libopenblas-dev",
  },
  fourier: { flags: [...fast, "-lfftw3"], needs: "libfftw3-dev" },
  numbers: { flags: ["-O3", "-march=native"], needs: "g++" },
} as const;

export type NativeProgram = keyof typeof programs;

const built = new Map<NativeProgram, boolean>();

/** What Debian calls that which a program needs and is not there. */
export function lacking(): string[] {
  return [...built].filter(([, isThere]) => !isThere).map(([name]) => programs[name].needs);
}

/**
 * @param folder - where programs are put
 * @param words - the program's, but the last one, the count
 * @returns undefined where the program cannot be built
 */
export function nativeKernel(
  folder: string,
  program: NativeProgram,
  words: readonly (string | number)[],
): NativeKernel | undefined {
  if (!isBuilt(folder, program)) return undefined;
  return (count) => {
    const args = [...words, count].map(String);
    const options = { encoding: "utf8", env: { ...process.env, OPENBLAS_NUM_THREADS: "1" } } as const;
    const [nanoseconds, found, error] = execFileSync(join(folder, program), args, options)
      .trim()
      .split(/\s+/)
      .map(Number);
    return { nanoseconds, found, error };
  };
}

function isBuilt(folder: string, program: NativeProgram): boolean {
  const known = built.get(program);
  if (known !== undefined) return known;
  const source = fileURLToPath(new URL(`./native/${program}.cpp`, import.meta.url));
  const args = ["-o", join(folder, program), source, ...programs[program].flags];
  const isThere = spawnSync("g++", args, { stdio: "ignore" }).status === 0;
  built.set(program, isThere);
  return isThere;
}
