/**
 * The best clustering of points into K groups, with the proof that no other one is cheaper.
 *
 * Node    some points are put together, some pairs of these groups are to be apart; its bound is that of `triangle-bound.ts`
 * Pruned  where the bound is at least T = (1 − 1e-9) times the cost of the best labels at hand
 * Fixed   i and j are apart in every clustering of cost below T if LB + 2 S_ij √(w_i w_j)/m ≥ T, since in one cluster, of mass m at
 *         most, Q'_ij = √(w_i w_j)/|C| would take 2 S_ij Q'_ij off the bound of Tr(D Q). m counts the points that are apart from
 *         neither
 * Joined  of K groups each two of which are apart, each is in a cluster of its own; a group that is apart from all of them but one
 *         is in the cluster of that one, and one that is apart from all is in none: the node is empty
 * Branch  on the pair whose Q_ij is farthest from what it is in a clustering, 0 or max(Q_ii, Q_jj): together, or apart
 *
 * The node of the least bound is next, or the latest where many are open; it starts from the multipliers of the one above it. Q of a node, rounded and polished, may be
 * better labels. A node of K groups has one clustering left. Proof: all nodes are pruned or down to one clustering.
 *
 * Piccialli, Sudoso, Wiegele: SOS-SDP: an exact solver for minimum sum-of-squares clustering. INFORMS J. Comput. 34 (2022), branch on
 * pairs; the fixing by S and what follows from it is this library's.
 */

import { zeros } from "@curvature/linalg";
import { clustersOf } from "../geometry/clusters.js";
import { DenseSolution } from "../geometry/solution.js";
import { atOnce } from "../steps.js";
import { roundingShare } from "./cost.js";
import { polished, type WeightedPoints } from "./k-means.js";
import type { Conflicts } from "./links.js";
import { type CutRelaxation, TriangleBound } from "./triangle-bound.js";

/** What a cheaper clustering must save, of the cost. */
const PROVED = 1e-9;
/** Steps of a node between two looks at it: those of its bound. */
const LOOK_EVERY = 20;
/** Where so many looks bring less than this share of what is missing, it is time to branch. */
const PATIENCE = 5;
const SLOW = 0.05;
/** Groups that must be gone for the matrices to be made smaller, over the groups. */
const SHRINK = 0.05;

/** Of an open node, over n²; and of all of them. */
const NODE_BYTES = 64;
const MOST_BYTES = 2 ** 29;

export interface ProofOptions {
  /** Whether to branch; if not, the first node is all, and the proof ends when its bound stands still. */
  readonly branches?: boolean;
  /** Points that are in different clusters, as they are in those of the labels: the proof is among clusterings in which they are. */
  readonly conflicts?: Conflicts | undefined;
  /** Labels that respect the conflicts, from any. Left out: by moves of one point. */
  readonly polish?: (labels: Int32Array) => Int32Array;
}

interface Node {
  readonly relaxation: CutRelaxation;
  /** Of each point its group. */
  readonly groupOf: Int32Array;
  readonly apart: Uint8Array;
  /** At least the bound of the node that it comes from. */
  bound: number;
}

export class BranchAndBound {
  /** The best ones so far, of the points as they were given. */
  labels: Int32Array;
  /** Nodes that were looked at to the end. */
  nodes = 0;
  /** Steps of all nodes. */
  steps = 0;
  private readonly root: TriangleBound;
  private cost: number;
  private readonly open: Node[] = [];
  private node: Node | undefined;
  private readonly branches: boolean;
  private readonly polish: (labels: Int32Array) => Int32Array;
  /** Whether there is nothing to prove: each point is a cluster, there is one cluster, or the labels cost nothing but rounding. */
  private readonly isClosed: boolean;

  /** @param labels - a clustering of the points into K groups, polished */
  constructor(
    private readonly points: WeightedPoints,
    private readonly K: number,
    labels: Int32Array,
    { branches = true, conflicts, polish }: ProofOptions = {},
  ) {
    const { X, weights } = points;
    this.branches = branches;
    this.polish = polish ?? ((start) => atOnce(polished(points, start, K)));
    this.labels = labels;
    this.root = new TriangleBound(X, K, labels, { weights, conflicts });
    this.cost = this.costOf(labels);
    const n = X.rows;
    this.isClosed = this.root.settled || this.cost <= roundingShare(n, X.columns, K) * this.root.trace;
    this.settled = this.isClosed;
    if (this.settled) return;
    this.node = {
      relaxation: this.root,
      groupOf: Int32Array.from({ length: n }, (_, i) => i),
      apart: this.root.apart,
      bound: Number.NEGATIVE_INFINITY,
    };
  }

  /** Whether the labels are proved best. */
  get isProved(): boolean {
    return this.node === undefined && this.open.length === 0;
  }

  /** Whether more steps are of no use. */
  settled = false;

  /** Tr D, and a bound of Tr(D Q) over all clusterings, in one unit. */
  get trace(): number {
    return this.root.trace;
  }

  get upper(): number {
    const { node, open, root, cost } = this;
    if (this.isClosed) return root.trace - Math.max(0, root.best);
    let least = cost * (1 - PROVED);
    for (const { bound } of open) least = Math.min(least, bound);
    if (node !== undefined) least = Math.min(least, Math.max(node.bound, node.relaxation.best));
    return root.trace - least;
  }

  step(): void {
    this.node ??= this.next();
    const { node } = this;
    if (node === undefined) {
      this.settled = true;
      return;
    }
    const { relaxation } = node;
    if (!relaxation.settled) {
      relaxation.step();
      this.steps++;
      if (relaxation.steps % LOOK_EVERY > 0 && !relaxation.settled) return;
    }
    this.look(node);
  }

  private get target(): number {
    return this.cost * (1 - PROVED);
  }

  /** That of the least bound; where so many are open that they take much memory, the latest, whose branches end soonest. */
  private next(): Node | undefined {
    const { open, root } = this;
    if (open.length === 0) return undefined;
    if (open.length * NODE_BYTES * root.n * root.n > MOST_BYTES) return open.pop();
    let at = 0;
    for (let k = 1; k < open.length; k++) if (open[k].bound < open[at].bound) at = k;
    return open.splice(at, 1)[0];
  }

  /** Prunes, fixes, joins or branches. */
  private look(node: Node): void {
    const { relaxation } = node;
    node.bound = Math.max(node.bound, relaxation.best);
    if (node.bound >= this.target) {
      this.close();
      return;
    }
    const { groupOf, groups, isEmpty } = this.fixed(node);
    if (isEmpty) {
      this.close();
      return;
    }
    if (groups === this.K) {
      this.offer(node.groupOf.map((g) => groupOf[g]));
      this.close();
      return;
    }
    const left = this.target - node.bound;
    if (!this.branches && relaxation.settled) this.settled = true;
    const isSlow = relaxation.settled || (relaxation.hasCuts && relaxation.gained(PATIENCE) < SLOW * left);
    if (isSlow && this.branches) this.branch(node, groupOf, groups);
    else if (groups < (1 - SHRINK) * relaxation.n)
      this.node = this.child(node, groupOf, groups, () => undefined);
  }

  private close(): void {
    this.nodes++;
    this.node = undefined;
  }

  /** What follows from the bound: pairs that are apart are marked, and groups that are together numbered. */
  private fixed({ relaxation, apart }: Node): { groupOf: Int32Array; groups: number; isEmpty: boolean } {
    const { target, K } = this;
    const m = relaxation.n;
    const masses = relaxation.b.map((root) => root * root);
    const total = masses.reduce((sum, mass) => sum + mass, 0);
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < i; j++) {
        if (apart[i * m + j] === 1 || relaxation.together(i, j, total - K + 1) < target) {
          if (apart[i * m + j] === 1 || relaxation.S[i * m + j] <= 0) continue;
          let mass = 0;
          for (let k = 0; k < m; k++) if (apart[i * m + k] + apart[j * m + k] === 0) mass += masses[k];
          if (relaxation.together(i, j, Math.min(mass, total - K + 1)) < target) continue;
        }
        apart[i * m + j] = 1;
        apart[j * m + i] = 1;
      }
    }
    return joined(apart, m, masses, K);
  }

  private branch(node: Node, groupOf: Int32Array, groups: number): void {
    this.round(node);
    const { relaxation, bound } = node;
    const { n: m, X, b } = relaxation;
    let [most, a, c] = [-1, -1, -1];
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < i; j++) {
        if (node.apart[i * m + j] === 1 || groupOf[i] === groupOf[j]) continue;
        const own = Math.max(X.data[i * m + i] / (b[i] * b[i]), X.data[j * m + j] / (b[j] * b[j]));
        const share = X.data[i * m + j] / (b[i] * b[j]) / own;
        const doubt = Math.min(share, 1 - share) * Math.sqrt(b[i] * b[j]);
        if (!(doubt > most)) continue;
        [most, a, c] = [doubt, i, j];
      }
    }
    this.close();
    if (a < 0) return; // one clustering is left, of which `round` knows
    const together = groupOf.map((g) => (g === groupOf[a] ? groupOf[c] : g));
    const numbered = renumbered(together);
    this.open.push({ ...this.child(node, numbered, groups - 1, () => undefined), bound });
    const separate = (marks: Uint8Array): void => {
      marks[groupOf[a] * groups + groupOf[c]] = 1;
      marks[groupOf[c] * groups + groupOf[a]] = 1;
    };
    this.open.push({ ...this.child(node, groupOf, groups, separate), bound });
  }

  private child(node: Node, groupOf: Int32Array, groups: number, mark: (apart: Uint8Array) => void): Node {
    const { relaxation } = node;
    const m = relaxation.n;
    const apart = new Uint8Array(groups * groups);
    for (let i = 0; i < m; i++)
      for (let j = 0; j < m; j++)
        if (node.apart[i * m + j] === 1) apart[groupOf[i] * groups + groupOf[j]] = 1;
    mark(apart);
    return {
      relaxation: relaxation.restrictedTo(groupOf, groups, apart),
      groupOf: node.groupOf.map((g) => groupOf[g]),
      apart,
      bound: node.bound,
    };
  }

  /** Labels from Q, polished. */
  private round({ relaxation, groupOf }: Node): void {
    const { X, n: m, b } = relaxation;
    const n = groupOf.length;
    const own = this.points.weights;
    const Q = zeros(n, n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        const [g, h] = [groupOf[i], groupOf[j]];
        Q.data[i * n + j] = (Math.sqrt(own[i] * own[j]) / (b[g] * b[h])) * X.data[g * m + h];
      }
    }
    this.offer(atOnce(clustersOf(new DenseSolution(Q), this.K, 0)).labels);
  }

  private offer(start: Int32Array): void {
    const labels = this.polish(start);
    const cost = this.costOf(labels);
    if (!(cost < this.cost)) return;
    this.cost = cost;
    this.labels = labels;
  }

  /** In the unit of the bounds. */
  private costOf(labels: Int32Array): number {
    return this.root.costOf(labels);
  }
}

/** Groups that must be in one cluster; `isEmpty` where there is no clustering. */
function joined(
  apart: Uint8Array,
  m: number,
  masses: Float64Array,
  K: number,
): { groupOf: Int32Array; groups: number; isEmpty: boolean } {
  const groupOf = Int32Array.from({ length: m }, (_, i) => i);
  const apartCount = groupOf.map((i) => apart.subarray(i * m, (i + 1) * m).reduce((sum, a) => sum + a, 0));
  for (const score of [(i: number) => masses[i], (i: number) => apartCount[i]]) {
    const order = Array.from({ length: m }, (_, i) => i).sort((i, j) => score(j) - score(i) || i - j);
    const seeds: number[] = [];
    for (const i of order) if (seeds.every((s) => apart[i * m + s] === 1)) seeds.push(i);
    if (seeds.length > K) return { groupOf, groups: m, isEmpty: true };
    if (seeds.length < K) continue;
    for (let i = 0; i < m; i++) {
      const possible = seeds.filter((s) => s === i || (apart[i * m + s] === 0 && !seeds.includes(i)));
      if (possible.length === 0) return { groupOf, groups: m, isEmpty: true };
      if (possible.length === 1) groupOf[i] = possible[0];
    }
    break;
  }
  for (let i = 0; i < m; i++)
    for (let j = 0; j < i; j++)
      if (apart[i * m + j] === 1 && groupOf[i] === groupOf[j]) return { groupOf, groups: m, isEmpty: true };
  const numbered = renumbered(groupOf);
  return { groupOf: numbered, groups: Math.max(...numbered) + 1, isEmpty: false };
}

/** 0, 1, … in the order of the first of each. */
function renumbered(groups: Int32Array): Int32Array {
  const numbers = new Map<number, number>();
  for (const g of groups) if (!numbers.has(g)) numbers.set(g, numbers.size);
  return groups.map((g) => numbers.get(g) ?? 0);
}
