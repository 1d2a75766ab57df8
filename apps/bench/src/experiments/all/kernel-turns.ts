/** Turns of contestants: both of our forms in one warm process, native code in a process for every turn. */
import { disableSimd, enableSimd } from "@curvature/linalg/simd";
import {
  type Instructions,
  instructionSets,
  type NativeKernel,
  type NativeRun,
} from "../../contestants/native-kernels.ts";
import { cpuSeconds, note } from "../../processor.ts";
import { median, type Spread, spreadOf } from "../../spread.ts";
import type { Call, Contest, Found } from "./kernel-contest.ts";

export interface Turns {
  readonly repeats: number;
  /** Nanoseconds of a turn: the clock of processor time is coarse. */
  readonly least: number;
}

/** Native code, built for some instructions. */
export interface Beside {
  readonly time: number;
  /** Of the faster form's time to it, over the turns. */
  readonly ratio: Spread;
}

export interface Measured {
  readonly contest: Contest;
  readonly typescript: number;
  readonly simd: number | undefined;
  readonly native: Readonly<Partial<Record<Instructions, Beside>>>;
  /** Relative errors of forces, ours and native. */
  readonly errors: string | undefined;
}

const summed = (found: Found): number =>
  typeof found === "number" ? found : found.reduce((total, entry) => total + entry, 0);

/** A contestant in the form that `choose` puts to use; its times. */
class Own {
  readonly times: number[] = [];
  readonly found: number;
  private readonly choose: () => void;
  private readonly call: Call;
  private calls = 1;

  private constructor(choose: () => void, call: Call, found: number) {
    this.choose = choose;
    this.call = call;
    this.found = found;
  }

  static async of(contest: Contest, choose: () => void, least: number): Promise<Own> {
    choose();
    const call = contest.prepare();
    const found = summed(await call());
    const own = new Own(choose, call, found);
    while ((await own.total()) < least) own.calls *= 2; // compiles, too
    return own;
  }

  private async total(): Promise<number> {
    this.choose();
    const before = cpuSeconds();
    for (let k = 0; k < this.calls; k++) await this.call();
    return 1e9 * (cpuSeconds() - before);
  }

  async measure(): Promise<void> {
    this.times.push((await this.total()) / this.calls);
  }
}

/** Native code for some instructions; its times. */
class Rival {
  readonly times: number[] = [];
  readonly instructions: Instructions;
  readonly first: NativeRun;
  private readonly kernel: NativeKernel;
  private calls = 1;

  constructor(instructions: Instructions, kernel: NativeKernel, least: number) {
    this.instructions = instructions;
    this.kernel = kernel;
    this.first = kernel(1);
    while (this.calls * kernel(this.calls).nanoseconds < least) this.calls *= 2; // a single call is too short for its clock
  }

  measure(): void {
    this.times.push(this.kernel(this.calls).nanoseconds);
  }

  beside(own: readonly number[]): Beside {
    return { time: median(this.times), ratio: spreadOf(this.times.map((time, round) => own[round] / time)) };
  }
}

function check({ kernel, size, tolerance }: Contest, own: Own, run: NativeRun): void {
  const distance = Math.abs(own.found - run.found);
  if (distance > tolerance * Math.max(1, Math.abs(run.found)))
    throw new Error(`${kernel}, ${size}: ${own.found}, and in native code ${run.found}`);
}

export async function measure(contest: Contest, { repeats, least }: Turns): Promise<Measured> {
  const typescript = await Own.of(contest, disableSimd, least);
  const simd = contest.hasSimd ? await Own.of(contest, enableSimd, least) : undefined;
  if (simd !== undefined && !Object.is(simd.found, typescript.found))
    throw new Error(`${contest.kernel}: ${simd.found} with SIMD, ${typescript.found} without`);
  const rivals = instructionSets.flatMap((instructions) => {
    const kernel = contest.native[instructions];
    return kernel === undefined ? [] : [new Rival(instructions, kernel, least)];
  });
  for (const { first } of rivals) check(contest, typescript, first);
  for (let round = 0; round < repeats; round++) {
    await typescript.measure();
    await simd?.measure();
    for (const rival of rivals) rival.measure();
  }
  const best = (simd ?? typescript).times;
  const measured: Measured = {
    contest,
    typescript: median(typescript.times),
    simd: simd && median(simd.times),
    native: Object.fromEntries(rivals.map((rival) => [rival.instructions, rival.beside(best)])),
    errors: contest.error && `${shown(contest.error())} and ${shown(rivals[0]?.first.error)}`,
  };
  note(
    `${contest.kernel}, ${contest.size}: ${measured.native.avx2?.ratio.median.toFixed(2) ?? "-"} of native code`,
  );
  return measured;
}

const shown = (error: number | undefined): string => error?.toExponential(1) ?? "-";
