/**
 * Kernels in native code, one thread: `native/*.cpp`, built here with g++ -O3. Each program makes its own numbers, or reads
 * them from a file, and prints the nanoseconds of a call and a number that says what it found.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
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

/** The instructions that native code may use: all that this machine has, or AVX2 and FMA, with lanes of 256 bits. */
export type Instructions = "all" | "avx2";
export const instructionSets: readonly Instructions[] = ["avx2", "all"];

/** For g++, and the kernels that OpenBLAS is to choose. */
export const builds: Readonly<Record<Instructions, { readonly march: string; readonly openblas: string }>> = {
  all: { march: "-march=native", openblas: "" },
  avx2: { march: "-march=x86-64-v3", openblas: "Haswell" },
};

const fast = ["-O3", "-ffast-math"];

const programs = {
  dense: { flags: [...fast, "-lopenblas"], needs: "libopenblas-dev" },
  "dense-rows": { flags: fast, needs: "g++" },
  pairs: { flags: fast, needs: "g++" },
  sparse: {
    flags: ["-O3", "-I/usr/include/suitesparse", "-lcholmod", "-lopenblas"],
    needs: "libsuitesparse-dev, libopenblas-dev",
  },
  fourier: { flags: [...fast, "-lfftw3"], needs: "libfftw3-dev" },
  numbers: { flags: ["-O3"], needs: "g++" },
} as const;

export type NativeProgram = keyof typeof programs;

/** Of each program built or tried, by its file's name. */
const built = new Map<string, { readonly program: NativeProgram; readonly isThere: boolean }>();

/** What Debian calls that which a program needs and is not there. */
export function lacking(): string[] {
  const needs = [...built.values()]
    .filter(({ isThere }) => !isThere)
    .map(({ program }) => programs[program].needs);
  return [...new Set(needs)];
}

/** What the processor knows, where the system is Linux on x86. */
function processorFlags(): ReadonlySet<string> {
  if (!existsSync("/proc/cpuinfo")) return new Set();
  return new Set(/^flags\s*:(.*)$/m.exec(readFileSync("/proc/cpuinfo", "utf8"))?.[1].trim().split(/\s+/));
}

/** Whether this machine runs what is built for these instructions. */
export function hasInstructions(instructions: Instructions): boolean {
  const flags = processorFlags();
  return instructions === "all" || (flags.has("avx2") && flags.has("fma"));
}

/** The widest lanes of all instructions, in words. */
export function widestLanes(): string {
  const flags = processorFlags();
  if (flags.has("avx512f")) return "AVX-512, lanes of 512 bits";
  return flags.has("avx2") ? "no wider ones" : "not known";
}

/**
 * @param folder - where programs are put
 * @param words - the program's, but the last one, the count
 * @returns undefined where the program cannot be built, or not be run
 */
export function nativeKernel(
  folder: string,
  program: NativeProgram,
  words: readonly (string | number)[],
  instructions: Instructions,
): NativeKernel | undefined {
  const file = join(folder, `${program}-${instructions}`);
  if (!hasInstructions(instructions) || !isBuilt(file, program, instructions)) return undefined;
  const { openblas } = builds[instructions];
  const env = { ...process.env, OPENBLAS_NUM_THREADS: "1", OPENBLAS_CORETYPE: openblas };
  return (count) => {
    const args = [...words, count].map(String);
    const [nanoseconds, found, error] = execFileSync(file, args, { encoding: "utf8", env })
      .trim()
      .split(/\s+/)
      .map(Number);
    return { nanoseconds, found, error };
  };
}

function isBuilt(file: string, program: NativeProgram, instructions: Instructions): boolean {
  const known = built.get(file);
  if (known !== undefined) return known.isThere;
  const source = fileURLToPath(new URL(`./native/${program}.cpp`, import.meta.url));
  const args = ["-o", file, source, builds[instructions].march, ...programs[program].flags];
  const isThere = spawnSync("g++", args, { stdio: "ignore" }).status === 0;
  built.set(file, { program, isThere });
  return isThere;
}
