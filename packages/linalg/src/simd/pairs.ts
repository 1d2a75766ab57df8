/**
 * Sums over all pairs with their innermost loops in WebAssembly. Points go into its memory and forces come back from
 * there, both small beside N² pairs.
 */
import {
  addBlockForces,
  blockCount,
  blockStart,
  type PairKernel,
  type PairSums,
  pairsInTypeScript,
} from "../kernels/pairs.js";
import { powersOfTwo128 } from "../portable/exp-table.js";
import { type Arena, aligned, type Scope } from "./arena.js";

/** Points from which on a sum is quicker here than in TypeScript. */
const LEAST = 32;

export const pairsOf = (arena: Arena): PairSums => ({
  sum(kernel, x, y) {
    const scope = entered(arena, x.length, 2);
    if (scope === undefined) return pairsInTypeScript.sum(kernel, x, y);
    const rows = new PairRows(scope, kernel, x, y);
    let S = 0;
    for (let b = 0; b < blockCount(x.length); b++)
      S += rows.sum(blockStart(x.length, b), blockStart(x.length, b + 1));
    arena.leave(scope);
    return S;
  },
  forces(kernel, x, y, fx, fy, block) {
    const N = x.length;
    const scope = entered(arena, N, 4);
    if (scope === undefined) return pairsInTypeScript.forces(kernel, x, y, fx, fy, block);
    const rows = new PairRows(scope, kernel, x, y);
    const px = scope.take(8 * N);
    const py = scope.take(8 * N);
    const blockX = scope.float64(px, N).fill(0);
    const blockY = scope.float64(py, N).fill(0);
    let S = 0;
    fx.fill(0);
    fy.fill(0);
    for (let b = 0; b < blockCount(N); b++) {
      const end = blockStart(N, b + 1);
      S += rows.forces(blockStart(N, b), end, px, py);
      addBlockForces(end, blockX, fx);
      addBlockForces(end, blockY, fy);
    }
    arena.leave(scope);
    return S;
  },
});

function entered(arena: Arena, points: number, arrays: number): Scope | undefined {
  if (points < LEAST) return undefined;
  return arena.enter(aligned(powersOfTwo128.byteLength) + arrays * aligned(8 * points));
}

/** The kernel's rows over points that lie in the module's memory. */
class PairRows {
  private readonly exports: Scope["exports"];
  private readonly table: number;
  private readonly x: number;
  private readonly y: number;

  constructor(
    scope: Scope,
    private readonly kernel: PairKernel,
    x: Float64Array,
    y: Float64Array,
  ) {
    this.exports = scope.exports;
    this.table = placed(scope, powersOfTwo128);
    this.x = placed(scope, x);
    this.y = placed(scope, y);
  }

  sum(from: number, to: number): number {
    const { exports, kernel, x, y, table } = this;
    return kernel === "student"
      ? exports.studentSum(x, y, from, to)
      : exports.gaussianSum(x, y, from, to, table);
  }

  forces(from: number, to: number, px: number, py: number): number {
    const { exports, kernel, x, y, table } = this;
    return kernel === "student"
      ? exports.studentForces(x, y, from, to, px, py)
      : exports.gaussianForces(x, y, from, to, px, py, table);
  }
}

function placed(scope: Scope, numbers: Float64Array): number {
  const address = scope.take(numbers.byteLength);
  scope.float64(address, numbers.length).set(numbers);
  return address;
}
