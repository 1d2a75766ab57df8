/**
 * The kernels that time goes into, each as a user comes by it and beside native code on the same numbers. What a kernel
 * found is compared, so that no contestant does less than the others.
 */
import { nativeKernel } from "../../contestants/native-kernels.ts";
import type { Contest, Native } from "./kernel-contest.ts";
import {
  cholesky,
  columns,
  eigen,
  product,
  relaxed,
  symmetricTimes,
  timesVector,
  vectors,
} from "./kernel-contests-dense.ts";
import { allPairs, convolution, tree } from "./kernel-contests-map.ts";
import { densePass } from "./kernel-contests-rows.ts";
import { epoch, factors, table } from "./kernel-contests-sparse.ts";

/** @param scale - 1 for the full sizes; sides of matrices shrink with its root */
export async function contests(folder: string, scale: number): Promise<Contest[]> {
  const native: Native = (program, ...words) => ({
    all: nativeKernel(folder, program, words, "all"),
    avx2: nativeKernel(folder, program, words, "avx2"),
  });
  const side = (n: number): number => Math.max(64, Math.round(n * Math.sqrt(scale)));
  const count = (n: number): number => Math.max(500, Math.round(n * scale));
  return [
    ...[500, 50_000].flatMap((n) => vectors(n, native)),
    ...[false, true].map((isDouble) => densePass(isDouble, count(4000), 500, native)),
    ...columns(count(100_000), 50, native),
    timesVector(side(4000), native),
    symmetricTimes(side(4000), native),
    relaxed(side(2000), native),
    ...[side(512), side(1024)].map((n) => product(n, native)),
    ...[side(500), side(1000)].map((n) => cholesky(n, native)),
    eigen(side(300), native),
    allPairs("student", "double", side(5000), 100, 2.7, native),
    allPairs("student", "single", side(5000), 100, 2, native),
    allPairs("gaussian", "double", side(3000), 8, 3, native),
    allPairs("gaussian", "single", side(3000), 8, 5, native),
    tree(count(20_000), native),
    convolution(folder, scale === 1 ? 512 : 128, native),
    ...factors(folder, count(20_000), native),
    epoch(folder, count(20_000)),
    await table(folder, count(400_000), native),
  ];
}
