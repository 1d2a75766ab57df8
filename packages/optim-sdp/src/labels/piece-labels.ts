/**
 * Labels of points that fall apart into pieces (see `pieces.ts`): each piece has its own search, in its own coordinates, and clusters
 * go from one piece to another as long as that lowers the sum of the costs.
 */
import type { Scaled } from "./cost.js";

/** A search in one piece. */
interface PieceSearch {
  readonly labels: Int32Array;
  readonly own: Scaled;
  /** Different points. */
  readonly different: number;
  starts(isOwn: boolean): Generator<number, void>;
  moreStarts(): Generator<number, void>;
  offerRounding(labels: Int32Array): void;
}

/** Of the cost: what rounding could pretend. */
const GAIN = 1e-12;

export class PieceLabels<Search extends PieceSearch = PieceSearch> {
  /** How many clusters each piece has. */
  readonly shares: Int32Array;
  /** Different points of each piece. */
  readonly most: readonly number[];
  private readonly searches = new Map<string, Search>();
  /** Those that have been brought to their end. */
  private readonly done = new Set<Search>();
  private readonly start: readonly Int32Array[];

  /**
   * @param rows - of each piece
   * @param labels - of all points: where the pieces begin
   * @param make - a search in a piece for so many clusters, without any start
   */
  constructor(
    readonly rows: readonly Int32Array[],
    labels: Int32Array,
    private readonly k: number,
    private readonly make: (rows: Int32Array, share: number) => Search,
  ) {
    this.start = rows.map((piece) => renumbered(piece.map((i) => labels[i])));
    this.shares = Int32Array.from(this.start, (own) => 1 + own.reduce((a, b) => Math.max(a, b), 0));
    this.most = rows.map((piece, q) => (piece.length === 1 ? 1 : this.begun(q, this.shares[q]).different));
  }

  /** Whether one piece at the most can have more than one cluster. */
  get isForced(): boolean {
    return this.most.filter((different) => different > 1).length <= 1;
  }

  /** Clusters of all pieces together. */
  get total(): number {
    return this.shares.reduce((sum, share) => sum + share, 0);
  }

  /** The searches of the pieces, and the exchange of clusters. */
  *search(): Generator<number, void> {
    const { shares, k } = this;
    for (let q = 0; q < shares.length; q++) yield* this.run(q, shares[q]);
    for (;;) {
      const spare = k - this.total;
      if (this.isForced && spare === 0) return;
      const taker = yield* this.best((q) => (shares[q] < this.most[q] ? 1 : 0));
      const giver = spare > 0 ? undefined : yield* this.best((q) => (shares[q] > 1 ? -1 : 0), taker.q);
      if (taker.q < 0 || giver?.q === -1) return;
      if (!(taker.change + (giver?.change ?? 0) < -GAIN * Math.abs(taker.cost))) return;
      shares[taker.q]++;
      if (giver !== undefined) shares[giver.q]--;
    }
  }

  /** The piece whose cost changes for the better, or least for the worse, by one cluster more or less; q = −1 where there is none. */
  private *best(step: (q: number) => number, without = -1): Generator<number, Change> {
    let best: Change = { q: -1, change: Number.POSITIVE_INFINITY, cost: 0 };
    for (let q = 0; q < this.shares.length; q++) {
      const more = step(q);
      if (more === 0 || q === without) continue;
      yield* this.run(q, this.shares[q] + more);
      const cost = this.cost(q, this.shares[q]);
      const change = this.cost(q, this.shares[q] + more) - cost;
      if (change < best.change) best = { q, change, cost };
    }
    return best;
  }

  /** In a unit that all costs have here. */
  cost(q: number, share: number): number {
    const { own } = this.begun(q, share);
    const over = own.unit / this.unit;
    return own.cost * over * over;
  }

  /** The largest unit of a piece that costs something. */
  private get unit(): number {
    let unit = 0;
    for (let q = 0; q < this.shares.length; q++) {
      const { own } = this.begun(q, this.shares[q]);
      if (own.cost > 0) unit = Math.max(unit, own.unit);
    }
    return unit === 0 ? 1 : unit;
  }

  private *run(q: number, share: number): Generator<number, void> {
    const search = this.begun(q, share);
    if (this.done.has(search)) return;
    yield* search.starts(true);
    this.done.add(search);
  }

  /** The search in piece q for so many clusters, as far as it has come. */
  private begun(q: number, share: number): Search {
    const name = `${q},${share}`;
    let search = this.searches.get(name);
    if (search === undefined) {
      search = this.make(this.rows[q], share);
      if (share === this.shares[q]) search.offerRounding(this.start[q]);
      this.searches.set(name, search);
    }
    return search;
  }

  /** The search in piece q for so many clusters, brought to its end. */
  searched(q: number, share: number): Search {
    for (const _ of this.run(q, share));
    return this.begun(q, share);
  }

  /** More starts in every piece. */
  *moreStarts(): Generator<number, void> {
    const { shares } = this;
    for (let q = 0; q < shares.length; q++)
      for (const part of this.searched(q, shares[q]).moreStarts()) yield (q + part) / shares.length;
  }

  /** The labels of all points, and the sum of the pieces' costs. */
  all(): { readonly labels: Int32Array; readonly own: Scaled } {
    const { rows, shares } = this;
    const labels = new Int32Array(rows.reduce((sum, piece) => sum + piece.length, 0));
    let first = 0;
    let cost = 0;
    for (let q = 0; q < rows.length; q++) {
      const own = this.searched(q, shares[q]).labels;
      for (let i = 0; i < own.length; i++) labels[rows[q][i]] = first + own[i];
      first += shares[q];
      cost += this.cost(q, shares[q]);
    }
    return { labels, own: { cost, unit: this.unit } };
  }
}

interface Change {
  readonly q: number;
  readonly change: number;
  readonly cost: number;
}

/** Labels from 0 on, without a gap, in the order of their first points. */
function renumbered(labels: Int32Array): Int32Array {
  const names = new Map<number, number>();
  return labels.map((label) => {
    const name = names.get(label) ?? names.size;
    names.set(label, name);
    return name;
  });
}
