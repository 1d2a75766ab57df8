/** What a contest of kernels is, and what all of them use. */
import type { Instructions, NativeKernel, NativeProgram } from "../../contestants/native-kernels.ts";

/** What a call found: a number, or an array, whose sum native code tells, too, and makes outside of its time. */
export type Found = number | Float64Array;

export type Call = () => Found | Promise<Found>;

export interface Contest {
  readonly kernel: string;
  readonly size: string;
  /** Time beside native code that is thought to be in reach; undefined where none was set. */
  readonly goal: number | undefined;
  /** Of a figure, and the figure of a call of so many nanoseconds. */
  readonly unit: string;
  readonly figure: (nanoseconds: number) => number;
  /** What is prepared in the form that is in use. */
  prepare(): Call;
  /** Whether the form in WebAssembly is another one. */
  readonly hasSimd: boolean;
  readonly native: NativeKernels;
  /** How far what is found may differ from what native code finds, relative. */
  readonly tolerance: number;
  /** Whether native code takes another way to the same end, so that the ratio does not compare like with like. */
  readonly isOtherWay?: true;
  /** Of ours, where the kernel is an approximation; that of native code comes with its run. */
  readonly error?: () => number;
}

/** Numbers in [−1/2, 1/2), those of `native/kernel.h`. */
export function draws(count: number, seed: number): Float64Array {
  const out = new Float64Array(count);
  for (let k = 0, state = seed; k < count; k++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    out[k] = state / 2 ** 32 - 0.5;
  }
  return out;
}

export const perUnit =
  (units: number) =>
  (nanoseconds: number): number =>
    nanoseconds / units;
export const perSecond =
  (units: number) =>
  (nanoseconds: number): number =>
    units / nanoseconds;
export const milliseconds = perUnit(1e6);

/** Undefined where they cannot be built or run. */
export type NativeKernels = Readonly<Record<Instructions, NativeKernel | undefined>>;

export type Native = (program: NativeProgram, ...words: (string | number)[]) => NativeKernels;
