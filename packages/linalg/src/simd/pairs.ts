/**
 * Sums over all pairs with their innermost loops in WebAssembly. Points go into its memory and forces come back from
 * there, both small beside N² pairs.
 */
import {
  addBlockForces,
  blockCount,
  blockStart,
  type PairSums,
  pairsInTypeScript,
} from "../kernels/pairs.js";
import { powersOfTwo128 } from "../portable/exp-table.js";
import type { Arena, Scope } from "./arena.js";

/** Points from which on a sum is quicker here than in TypeScript. */
const LEAST = 32;

export const pairsOf = (arena: Arena): PairSums => ({
  sum(kernel, x, y) {
    const N = x.length;
    const scope = entered(arena, N, 2);
    if (scope === undefined) return pairsInTypeScript.sum(kernel, x, y);
    const { exports } = scope;
    const [table, atX, atY] = placed(scope, x, y);
    const S = sumOfBlocks(N, (from, to) =>
      kernel === "student"
        ? exports.studentSum(atX, atY, from, to)
        : exports.gaussianSum(atX, atY, from, to, table),
    );
    arena.leave(scope);
    return S;
  },
  forces(kernel, x, y, fx, fy, block) {
    const N = x.length;
    const scope = entered(arena, N, 4);
    if (scope === undefined) return pairsInTypeScript.forces(kernel, x, y, fx, fy, block);
    const { exports } = scope;
    const [table, atX, atY, px, py] = placed(scope, x, y);
    const [, , , blockX, blockY] = scope.arrays;
    blockX.fill(0);
    blockY.fill(0);
    fx.fill(0);
    fy.fill(0);
    const S = sumOfBlocks(N, (from, to) => {
      const sum =
        kernel === "student"
          ? exports.studentForces(atX, atY, from, to, px, py)
          : exports.gaussianForces(atX, atY, from, to, px, py, table);
      addBlockForces(to, blockX, fx);
      addBlockForces(to, blockY, fy);
      return sum;
    });
    arena.leave(scope);
    return S;
  },
});

function sumOfBlocks(N: number, sum: (from: number, to: number) => number): number {
  let S = 0;
  for (let b = 0; b < blockCount(N); b++) S += sum(blockStart(N, b), blockStart(N, b + 1));
  return S;
}

function entered(arena: Arena, points: number, arrays: number): Scope | undefined {
  if (points < LEAST) return undefined;
  return arena.enter([powersOfTwo128.length, ...new Array<number>(arrays).fill(points)]);
}

/** Addresses of the scope's arrays: the table and the points are there. */
function placed({ arrays }: Scope, x: Float64Array, y: Float64Array): number[] {
  arrays[0].set(powersOfTwo128);
  arrays[1].set(x);
  arrays[2].set(y);
  return arrays.map(({ byteOffset }) => byteOffset);
}
