/**
 * Which rows a sweep visits, and in which order: the rows not dropped, in their order in memory, cut into blocks,
 * and the blocks shuffled.
 *
 * Within a block the rows are read as they lie in memory: on 300,000 rows of text (180 MB) a sweep takes a fifth of
 * the time of one in wholly random order, and makes as much progress. With few columns it is otherwise: there rows
 * next to each other undo each other's steps, always in the same order, and only a random order of all rows (blocks
 * of one row) converges fast.
 */
import { type RandomGenerator, shuffle } from "@curvature/linalg";
import { int32, stateIn, whole } from "@curvature/optim-core/state";

export class ActiveRows {
  /** The first `count` are the rows, increasing; those that a sweep drops are left there as ~i. */
  readonly rows: Int32Array;
  count = 0;
  blockSize: number;
  /** The first `blocks` are the blocks of this sweep. */
  readonly order: Int32Array;
  blocks = 0;
  /** How many of the blocks have been visited. */
  position = 0;
  readonly state;

  constructor(n: number, blockSize: number) {
    this.rows = new Int32Array(n);
    this.order = new Int32Array(n);
    this.blockSize = blockSize;
    const kinds = {
      blockSize: whole(blockSize, { from: 1 }),
      count: whole(0, { to: n }),
      rows: int32(this.rows, { length: (of) => of("count"), from: -n, to: n - 1 }),
      blocks: whole(0, { to: n }),
      order: int32(this.order, { length: (of) => of("blocks"), from: 0, to: n - 1 }),
      position: whole(0, { to: n }),
    };
    this.state = stateIn<ActiveRows, keyof typeof kinds>(this, kinds, (fields) =>
      agree(fields) ? undefined : `a list of rows that fits ${n} rows`,
    );
  }

  get isSweepDone(): boolean {
    return this.position >= this.blocks;
  }

  /** Draws the order of the next sweep. */
  begin(random: RandomGenerator): void {
    this.position = 0;
    this.blocks = Math.ceil(this.count / this.blockSize);
    for (let b = 0; b < this.blocks; b++) this.order[b] = b;
    shuffle(random, this.order.subarray(0, this.blocks));
  }

  /** Closes the gaps that dropped rows have left. */
  compact(): void {
    const { rows } = this;
    let kept = 0;
    for (let k = 0; k < this.count; k++) if (rows[k] >= 0) rows[kept++] = rows[k];
    this.count = kept;
  }

  /** Adds row i, which is larger than all that are there. */
  add(i: number): void {
    this.rows[this.count++] = i;
  }

  /** No rows, and no sweep under way. */
  clear(): void {
    this.count = 0;
    this.blocks = 0;
    this.position = 0;
  }
}

/** Whether the rows increase, and the blocks under way are blocks of them. */
function agree(fields: ReadonlyMap<string, unknown>): boolean {
  const [rows, order] = [fields.get("rows"), fields.get("order")];
  const [blocks, position] = [Number(fields.get("blocks")), Number(fields.get("position"))];
  if (!(rows instanceof Int32Array && order instanceof Int32Array)) return false;
  const isUnderWay = position < blocks;
  const most = Math.ceil(rows.length / Number(fields.get("blockSize")));
  return (
    rows.every((_, k) => rowAt(rows, k) > rowAt(rows, k - 1)) &&
    (!isUnderWay || (blocks === most && order.every((b) => b < blocks)))
  );
}

/** The row at index k, dropped or not; −1 before the first. */
const rowAt = (rows: Int32Array, k: number): number => {
  if (k < 0) return -1;
  return rows[k] < 0 ? ~rows[k] : rows[k];
};
