/**
 * The bound of a clustering's cost, by whatever road the points allow: in closed form, of numbers, by pieces, by groups, or as a whole.
 *
 * | road   | where                                    | what bounds                                |
 * |--------|------------------------------------------|--------------------------------------------|
 * | closed | K = 1, or the cost is 0                  | the cost itself, less its rounding         |
 * | line   | one column that is not constant          | the dynamic programme of `one-column.ts`   |
 * | pieces | rows that no good clustering joins       | the least sum of the pieces' bounds        |
 * | groups | more than 600 different points           | the sum of the groups' bounds              |
 * | whole  | else                                     | the relaxation with triangle cuts          |
 */
import { type BoundSettings, type CostBound, roundingShare } from "./cost.js";
import { GroupBound } from "./group-bound.js";
import { type LabelSearch, MOST_AT_ONCE } from "./label-search.js";
import type { PieceLabels } from "./piece-labels.js";
import { sharedOut } from "./pieces.js";
import { TriangleBound } from "./triangle-bound.js";

/** Of the labels that a search has found; its unit is that of their cost. */
export function costBound(search: LabelSearch, settings: BoundSettings): CostBound {
  const { own, k, points, different, pieces } = search;
  if (own.cost === 0 || k === 1) {
    const margin = roundingShare(points.rows, points.columns, k);
    return { lower: Math.max(0, own.cost * (1 - margin)), settled: true, step: () => undefined };
  }
  if (search.lower !== undefined) return { lower: search.lower, settled: true, step: () => undefined };
  if (pieces !== undefined) return new PieceBound(search, pieces, settings);
  const { X, unit, weights, labels, conflicts } = search.differentPoints();
  const bound =
    different > MOST_AT_ONCE
      ? new GroupBound({ X, weights }, k, labels, { ...settings, conflicts })
      : new TriangleBound(X, k, labels, { weights, conflicts });
  const ratio = unit / own.unit;
  const within = search.withinGroups;
  const margin = roundingShare(points.rows, points.columns, k);
  const rounding = margin * (traceOf(X.data, weights, X.columns) + within / (ratio * ratio));
  return new OfOwnUnit(bound, ratio, own.cost, rounding, within * (1 - margin));
}

function traceOf(data: Float64Array, weights: Float64Array, d: number): number {
  let trace = 0;
  for (let i = 0; i < weights.length; i++)
    for (let j = 0; j < d; j++) trace += weights[i] * data[i * d + j] * data[i * d + j];
  return trace;
}

/** A bound in other coordinates, less what these have lost, and what groups of points that must be together cost within. */
class OfOwnUnit implements CostBound {
  constructor(
    private readonly bound: CostBound,
    private readonly ratio: number,
    private readonly cost: number,
    private readonly rounding: number,
    private readonly within: number,
  ) {}

  get lower(): number {
    const { bound, ratio, cost, rounding, within } = this;
    return Math.min(cost, Math.max(0, bound.lower - rounding) * ratio * ratio + within);
  }

  get settled(): boolean {
    return this.bound.settled;
  }

  get standing(): string | undefined {
    return this.bound.standing;
  }

  step(): void {
    this.bound.step();
  }
}

/** The dynamic programme over the pieces: where the least sum is, there the bounds are made better. */
class PieceBound implements CostBound {
  private readonly bounds = new Map<string, CostBound>();
  private readonly unit: number;
  private readonly cost: number;
  private readonly k: number;
  private readonly known: readonly Float64Array[];

  constructor(
    search: LabelSearch,
    private readonly pieces: PieceLabels<LabelSearch>,
    private readonly settings: BoundSettings,
  ) {
    this.unit = search.own.unit;
    this.cost = search.own.cost;
    this.k = search.k;
    const spare = search.k - pieces.rows.length;
    this.known = pieces.most.map((most) => new Float64Array(Math.min(most, spare + 1) + 1));
    for (let q = 0; q < this.known.length; q++) this.learn(q, 1);
  }

  get lower(): number {
    const { cost } = this.least();
    return Math.min(this.cost, cost * (1 - 2 * (this.known.length + 1) * Number.EPSILON));
  }

  get settled(): boolean {
    return this.widest() === undefined;
  }

  step(): void {
    const at = this.widest();
    if (at === undefined) return;
    this.bound(at.q, at.share).step();
    this.learn(at.q, at.share);
  }

  private least() {
    return sharedOut(this.pieces.most, this.k, (q, share) => this.known[q][share]);
  }

  /** Of the least sum the part whose bound is farthest from what labels cost; undefined where all parts are settled. */
  private widest(): { readonly q: number; readonly share: number } | undefined {
    const { shares } = this.least();
    let widest: { q: number; share: number; gap: number } | undefined;
    for (let q = 0; q < shares.length; q++) {
      const share = shares[q];
      if (share >= this.pieces.most[q] || this.bound(q, share).settled) continue;
      const gap = this.pieces.cost(q, share) - this.known[q][share];
      if (widest === undefined || gap > widest.gap) widest = { q, share, gap };
    }
    return widest;
  }

  private bound(q: number, share: number): CostBound {
    const name = `${q},${share}`;
    let bound = this.bounds.get(name);
    if (bound === undefined) {
      bound = costBound(this.pieces.searched(q, share), this.settings);
      this.bounds.set(name, bound);
      this.learn(q, share);
    }
    return bound;
  }

  /** What is no less for more clusters is no less for fewer. */
  private learn(q: number, share: number): void {
    const known = this.known[q];
    if (share >= this.pieces.most[q]) return; // costs nothing
    const ratio = this.pieces.searched(q, share).own.unit / this.unit;
    const lower = this.bound(q, share).lower * ratio * ratio;
    for (let s = share; s >= 1; s--) known[s] = Math.max(known[s], lower);
  }
}
