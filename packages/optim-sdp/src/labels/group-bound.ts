/**
 * A bound of the cost of clusterings of many points: the sum of the bounds of groups of them.
 *
 * For any disjoint groups G_1 … G_p of the rows every clustering costs at least what it costs in each of them about the group's own means:
 *
 *   least(X, K) ≥ Σ_g least(G_g, K) ≥ Σ_g lower_g
 *
 * What that loses, Σ_g Σ_c N_gc ‖m_gc − m_c‖², is little where each group is a picture of the whole (`anticlusters.ts`): 0.1 % of the
 * cost for 10 clusters in groups of 200, where groups drawn at random lose 1 to 6 %. Each group begins at the labels in hand. All
 * have their turn, some steps at a time, as many of them at once as memory allows. Where the groups have come to their end,
 * and what they lose is what is left of the gap, groups of twice the size follow, up to 600 points.
 *
 * | symbol  | variable | shape                |
 * |---------|----------|----------------------|
 * | X       | points   | n × d, with weights  |
 * | lower_g | lowers   | p                    |
 *
 * Rounding: each bound has its own margin; p ε of the sum more.
 *
 * Piccialli, Sudoso: a lower bound of k-means by anticlusters (2024). Time n m² per step of all groups of m points.
 */
import { anticlusters } from "./anticlusters.js";
import type { BoundSettings, CostBound } from "./cost.js";
import { costOf, type WeightedPoints } from "./k-means.js";
import { type Conflicts, conflictsAmong } from "./links.js";
import { rowsOf } from "./pieces.js";
import { TriangleBound } from "./triangle-bound.js";

/** Points of a group, at first: as many steps of 200 cost little more than of 150, and lose less. */
const FEWEST = 200;
/** Points of a group for each cluster. */
const PER_CLUSTER = 12;
const MOST = 600;
/** Steps of a group in its turn: those between two looks at its bound. */
const TURN = 20;
/** Turns without cuts, as many as there may be: then the rest of the gap counts. */
const PLAIN_TURNS = 10;
/** Turns after which the rest of the gap must have become smaller by this share of it. */
const PATIENCE = 5;
const LITTLE = 0.2;
/** Arrays of m × m numbers in a group's bound. */
const ARRAYS = 10;
/** Share of the memory limit for them all. */
const SHARE = 1 / 4;
/** Share of the gap that the groups must lose for larger ones to be worth it. */
const WORTH = 1 / 3;

interface Group {
  readonly number: number;
  readonly bound: TriangleBound;
  /** What the labels cost in it. */
  readonly cost: number;
  turns: number;
  /** What was left of its gap at the latest look, `PATIENCE` turns ago. */
  left: number;
}

export class GroupBound implements CostBound {
  lower = 0;
  settled = false;
  /** Rows of each group. */
  private groups: readonly Int32Array[] = [];
  private lowers = new Float64Array(0);
  private active: Group[] = [];
  /** The next one that has its turn, of the active ones; and to become active. */
  private turn = 0;
  private next = 0;
  /** Of the labels: of all points, and the sum over the groups. */
  private readonly cost: number;
  private within = 0;

  /** @param size - points of a group, at first */
  constructor(
    private readonly points: WeightedPoints,
    private readonly K: number,
    private readonly labels: Int32Array,
    private readonly settings: BoundSettings & { readonly conflicts?: Conflicts | undefined },
    private size = Math.min(MOST, Math.max(FEWEST, PER_CLUSTER * K)),
  ) {
    this.cost = costOf(points, labels, K);
  }

  get standing(): string | undefined {
    const { length } = this.groups;
    const reached = this.lowers.filter((lower) => lower > 0).length;
    if (this.lower === 0 || reached === length) return undefined;
    return `${reached} of ${length} groups of points have a bound so far.`;
  }

  /** One step of the one group whose turn it is; the first one makes the groups. */
  step(): void {
    if (this.settled) return;
    if (this.groups.length === 0) {
      this.begin();
      return;
    }
    if (this.turn >= this.active.length) this.turnOver();
    const group = this.active[this.turn];
    const { bound } = group;
    bound.step();
    this.lowers[group.number] = Math.max(this.lowers[group.number], bound.lower);
    if (!bound.settled && bound.steps % TURN !== 0) return;
    this.add();
    if (!this.isOver(group)) this.turn++;
    else this.active.splice(this.turn, 1);
    if (this.active.length === 0 && this.next === this.groups.length) this.end();
  }

  private begin(): void {
    const { points, labels, K, size } = this;
    this.groups = anticlusters(points, labels, K, Math.max(1, Math.round(labels.length / size)));
    this.lowers = new Float64Array(this.groups.length);
    this.within = 0;
    this.active = [];
    this.turn = 0;
    this.next = 0;
  }

  /** After the last active group comes one more, where memory allows it, or the first one again. */
  private turnOver(): void {
    const { groups, settings, size, active } = this;
    const most = Math.max(1, Math.floor((SHARE * settings.memoryLimit) / (8 * ARRAYS * size * size)));
    if (active.length < most && this.next < groups.length) active.push(this.opened(this.next++));
    else this.turn = 0;
  }

  private opened(number: number): Group {
    const { points, labels, K } = this;
    const rows = this.groups[number];
    const weights = Float64Array.from(rows, (i) => points.weights[i]);
    const own = rows.map((i) => labels[i]);
    const X = rowsOf(points.X, rows);
    const cost = costOf({ X, weights }, own, K);
    this.within += cost;
    const conflicts = conflictsAmong(this.settings.conflicts, rows);
    return {
      number,
      bound: new TriangleBound(X, K, own, { weights, conflicts }),
      cost,
      turns: 0,
      left: cost,
    };
  }

  /** Whether a group's bound is as good as it has to be, or will not get much better. */
  private isOver(group: Group): boolean {
    const { bound, cost } = group;
    const left = cost - bound.lower;
    if (bound.settled || left <= (this.settings.tolerance / 2) * cost) return true;
    if (++group.turns < PLAIN_TURNS || group.turns % PATIENCE !== 0) return false;
    const isStill = group.turns > PLAIN_TURNS && left > (1 - LITTLE) * group.left;
    group.left = left;
    return isStill;
  }

  private add(): void {
    let sum = 0;
    for (const lower of this.lowers) sum += lower;
    this.lower = Math.max(this.lower, sum * (1 - 2 * this.lowers.length * Number.EPSILON));
  }

  private end(): void {
    const left = this.cost - this.lower;
    const lost = this.cost - this.within;
    const isWorth = left > this.settings.tolerance * this.cost && lost > WORTH * left;
    if (!isWorth || 2 * this.size > MOST || this.groups.length === 1) {
      this.settled = true;
      return;
    }
    this.size *= 2;
    this.begin();
  }
}
