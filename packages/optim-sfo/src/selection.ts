/**
 * Which subfunction is evaluated next.
 *
 *   an active one with one evaluation (a second makes a Hessian possible), else one with none, else
 *   "distance"  argmax (z − tᵢ)ᵀ H (z − tᵢ)                                                            (eq. 15)
 *   "single"    argmax (z − tᵢ)ᵀ Hᵢ (z − tᵢ), by the subfunction's own Hessian
 *   "both"      one of these two, by the toss of a coin
 *
 * Values within 1e-9 of the largest are ties, and the lowest index wins: exact ties are normal (after a failed step
 * two subfunctions share a point), and without a rule rounding would decide.
 */
import type { RandomGenerator } from "@curvature/linalg";
import type { SubfunctionModel } from "./model/subfunction-model.js";

export type SelectionRule = "both" | "distance" | "single" | "random" | "cyclic";

const TIE = 1e-9;
/** A largest distance below this means that all models are of this very point. */
const NOWHERE = 1e-12;

export interface SelectionState {
  readonly models: readonly SubfunctionModel[];
  /** Indices that are being evaluated now. */
  readonly busy: ReadonlySet<number>;
  readonly random: RandomGenerator;
  readonly rule: SelectionRule;
  readonly deterministic: boolean;
  /** The index after the last that "cyclic" took. */
  readonly cycle: number;
  /** Sets it. */
  turn(next: number): void;
  /** (z − tᵢ)ᵀ H (z − tᵢ) of these subfunctions, in their order. */
  distances(indices: readonly number[]): Float64Array;
  ownDistance(index: number): number;
  /** Takes one more subfunction in; undefined if all are. */
  activate(): number | undefined;
}

/** The next subfunction, or undefined if all active ones are busy. */
export function selectSubfunction(state: SelectionState): number | undefined {
  const { models, busy } = state;
  const free: number[] = [];
  for (let i = 0; i < models.length; i++) if (models[i].isActive && !busy.has(i)) free.push(i);
  if (free.length === 0) return undefined;
  const once = free.find((i) => models[i].evaluations === 1);
  if (once !== undefined) return once;
  const never = free.filter((i) => models[i].evaluations === 0);
  if (never.length > 0) return oneOf(never, state);
  return byRule(free, state);
}

function byRule(free: readonly number[], state: SelectionState): number | undefined {
  const { rule, random, deterministic } = state;
  if (rule === "random" && !deterministic) return oneOf(free, state);
  if (rule === "cyclic" || rule === "random") {
    const next = free.find((i) => i >= state.cycle) ?? free[0];
    state.turn(next + 1);
    return next;
  }
  const isSingle = rule === "single" || (rule === "both" && !deterministic && random.uniform() < 0.5);
  const distances = isSingle ? Float64Array.from(free, (i) => state.ownDistance(i)) : state.distances(free);
  let most = Number.NEGATIVE_INFINITY;
  for (const distance of distances) if (distance > most) most = distance;
  if (!isSingle && most < NOWHERE) {
    const joined = state.activate();
    if (joined !== undefined) return joined;
  }
  const at = distances.findIndex((distance) => distance >= most - TIE * Math.abs(most));
  return free[Math.max(at, 0)];
}

function oneOf(indices: readonly number[], { random, deterministic }: SelectionState): number {
  return indices[deterministic ? 0 : random.integer(indices.length)];
}
