/**
 * A sum of functions that are evaluated elsewhere: what solvers of sums take, with promises for values.
 *
 * Questions that are asked in one turn of the event loop about one point go out together, and the point with them once.
 * Each carries a number; the first answer to a number counts and every other is dropped, so that a transport may ask
 * twice whenever it is not sure. Since subfunctions are deterministic it does not matter which of two answers was first:
 * with questions asked one at a time, or in batches at one point, the bits of a run are those of a run at home.
 */
import {
  CurvatureError,
  either,
  integerFrom,
  type OptionsOf,
  oneOf,
  optionTable,
  shown,
} from "@curvature/linalg";
import type { SumOfFunctions } from "@curvature/optim-core";
import type { Part } from "./frames.js";
import { type HeldPoint, HeldPoints } from "./held-points.js";
import type { Transport } from "./transport.js";

/** Of the sum that the workers have. */
export interface RemoteShape {
  readonly dimension: number;
  readonly count: number;
  readonly fingerprint?: string;
}

export const remoteSumOptions = optionTable({
  /**
   * Into how many partial sums `evaluateBatch` cuts its indices. "each": every subfunction is answered for
   * itself and they are added up here in their order, as `asObjective` does. A number saves traffic, count / shards
   * times: each worker adds up its part. Then the bits depend on the number of shards, but never on the workers.
   */
  shards: either(integerFrom(1), oneOf("each")).default("each"),
});
export type RemoteSumOptions = OptionsOf<typeof remoteSumOptions>;

/** After as many tries a subfunction that fails is given up. */
export const mostTries = 3;
/** Bytes of gradients that may be on their way to one sum. */
const BYTES_UNDER_WAY = 2 ** 27;

interface Asked {
  readonly part: Part;
  readonly point: HeldPoint;
  readonly gradient: Float64Array | undefined;
  readonly done: (value: number) => void;
  readonly fail: (error: unknown) => void;
  tries: number;
}

export class RemoteSum implements SumOfFunctions {
  readonly dimension: number;
  readonly count: number;
  readonly fingerprint?: string;
  private readonly shards: number;
  private readonly transport: Transport;
  private readonly asked = new Map<number, Asked>();
  private readonly points: HeldPoints;
  private waiting: Asked[] = [];
  private asks = 0;
  private isFlushDue = false;
  private over: unknown;

  /**
   * @param transport - not started yet; belongs to the sum from now on
   * @throws CurvatureError ERR_ARGUMENT, ERR_OPTION
   */
  constructor(shape: RemoteShape, transport: Transport, options?: RemoteSumOptions) {
    const { shards } = remoteSumOptions.resolve("RemoteSum", options);
    checkCount("dimension", shape.dimension);
    checkCount("count", shape.count);
    this.dimension = shape.dimension;
    this.count = shape.count;
    if (shape.fingerprint !== undefined) this.fingerprint = shape.fingerprint;
    this.shards = shards === "each" ? Number.POSITIVE_INFINITY : shards;
    this.transport = transport;
    this.points = new HeldPoints((point) => transport.forget(point));
    transport.start({
      answered: (ask, value, gradient) => this.take(ask, value, gradient),
      failed: (ask, worker, reason, isFinal) => this.retry(ask, worker, reason, isFinal),
      lost: (error) => this.end(error),
    });
  }

  /** How many evaluations can be made at once, as far as is known now. */
  get width(): number {
    return this.transport.width;
  }

  /** @throws CurvatureError (the promise rejects) ERR_ARGUMENT for a subfunction that failed three times, ERR_IO */
  async evaluate(index: number, x: Float64Array, gradient?: Float64Array): Promise<number> {
    this.checkIndex(index);
    this.checkVector("x", x);
    if (gradient !== undefined) this.checkVector("gradient", gradient);
    return this.ask(Int32Array.of(index), x, gradient);
  }

  /** Added up in the order of the indices, or of the shards; not more at once than memory is good for. */
  async evaluateBatch(indices: Int32Array, x: Float64Array, gradient?: Float64Array): Promise<number> {
    if (!(indices instanceof Int32Array)) throw badArgument("indices", "an Int32Array", indices);
    for (const index of indices) this.checkIndex(index);
    this.checkVector("x", x);
    if (gradient !== undefined) this.checkVector("gradient", gradient);
    const blocks = Math.min(this.shards, indices.length);
    const bytes = gradient === undefined ? 8 : 8 * this.dimension;
    const mostAhead = Math.max(4, 2 * this.width, Math.floor(BYTES_UNDER_WAY / bytes));
    const spare: Float64Array[] = [];
    const underWay: { readonly value: Promise<number>; readonly part: Float64Array | undefined }[] = [];
    let next = 0;
    let value = 0;
    gradient?.fill(0);
    for (let block = 0; block < blocks; block++) {
      for (; next < Math.min(blocks, block + mostAhead); next++) {
        const part = gradient && (spare.pop() ?? new Float64Array(this.dimension));
        const from = Math.floor((next * indices.length) / blocks);
        const to = Math.floor(((next + 1) * indices.length) / blocks);
        const asked = this.ask(indices.slice(from, to), x, part);
        asked.catch(() => undefined); // handled in its turn
        underWay.push({ value: asked, part });
      }
      const first = underWay.shift();
      if (first === undefined) break;
      value += await first.value;
      const { part } = first;
      if (gradient === undefined || part === undefined) continue;
      for (let j = 0; j < gradient.length; j++) gradient[j] += part[j];
      spare.push(part);
    }
    return value;
  }

  private ask(indices: Int32Array, x: Float64Array, gradient: Float64Array | undefined): Promise<number> {
    if (this.over !== undefined) return Promise.reject(this.over);
    const point = this.points.asked(x);
    return new Promise((done, fail) => {
      const part = { ask: this.asks++, indices };
      const asked = { part, point, gradient, done, fail, tries: 0 };
      this.asked.set(part.ask, asked);
      this.waiting.push(asked);
      if (this.isFlushDue) return;
      this.isFlushDue = true;
      queueMicrotask(() => this.flush());
    });
  }

  /** What waits, by points and by whether gradients are wanted. */
  private flush(): void {
    this.isFlushDue = false;
    const waiting = this.waiting.filter(({ part }) => this.asked.has(part.ask));
    this.waiting = [];
    while (waiting.length > 0) {
      const { point, gradient } = waiting[0];
      const wantsGradient = gradient !== undefined;
      const parts: Part[] = [];
      for (let k = 0; k < waiting.length; ) {
        const other = waiting[k];
        const isAlike = other.point === point && (other.gradient !== undefined) === wantsGradient;
        if (isAlike) {
          parts.push(other.part);
          waiting.splice(k, 1);
        } else k++;
      }
      this.transport.submit(point, wantsGradient, parts);
    }
  }

  private take(ask: number, value: number, gradient: Float64Array | undefined): void {
    const asked = this.asked.get(ask);
    if (asked === undefined) return; // answered before
    if (asked.gradient !== undefined) {
      if (gradient === undefined || gradient.length !== this.dimension) {
        const what = gradient === undefined ? "no gradient" : `a gradient of ${gradient.length} entries`;
        this.retry(ask, "a worker", `it gave ${what} where ${this.dimension} were asked for`, false);
        return;
      }
      asked.gradient.set(gradient);
    }
    this.settle(asked);
    asked.done(value);
  }

  private retry(ask: number, worker: string, reason: string, isFinal: boolean): void {
    const asked = this.asked.get(ask);
    if (asked === undefined) return;
    asked.tries++;
    if (!isFinal && asked.tries < mostTries) {
      this.waiting.push(asked);
      if (!this.isFlushDue) {
        this.isFlushDue = true;
        queueMicrotask(() => this.flush());
      }
      return;
    }
    this.settle(asked);
    const { indices } = asked.part;
    const which =
      indices.length === 1
        ? `Subfunction ${indices[0]}`
        : `The sum of subfunctions ${indices[0]} to ${indices[indices.length - 1]}`;
    asked.fail(
      new CurvatureError(
        "ERR_ARGUMENT",
        `${which} failed ${mostTries} times, at last at ${worker}: ${reason.replace(/[.]?$/, ".")}`,
        { path: `subfunction ${indices[0]}` },
      ),
    );
  }

  private settle(asked: Asked): void {
    this.asked.delete(asked.part.ask);
    this.points.answered(asked.point);
  }

  private end(error: unknown): void {
    this.over ??= error;
    const open = [...this.asked.values()];
    this.asked.clear();
    this.waiting = [];
    for (const { fail } of open) fail(this.over);
  }

  /** Open questions end in an error. */
  async close(): Promise<void> {
    this.end(new CurvatureError("ERR_ARGUMENT", "The remote sum has been closed.", { path: "close" }));
    await this.transport.close();
  }

  private checkIndex(index: unknown): void {
    if (!Number.isSafeInteger(index) || Number(index) < 0 || Number(index) >= this.count)
      throw badArgument("index", `a whole number from 0 to ${this.count - 1}`, index);
  }

  private checkVector(path: string, vector: unknown): void {
    if (vector instanceof Float64Array && vector.length === this.dimension) return;
    throw new CurvatureError(
      "ERR_SHAPE",
      `${path} must be a Float64Array of length ${this.dimension}; received ${shown(vector)}.`,
      { where: "RemoteSum", path, received: vector },
    );
  }
}

function checkCount(path: string, value: unknown): void {
  if (!Number.isSafeInteger(value) || Number(value) < 1 || Number(value) >= 2 ** 31)
    throw badArgument(path, "a whole number of at least 1 and below 2^31", value);
}

const badArgument = (path: string, expected: string, received: unknown): CurvatureError =>
  new CurvatureError("ERR_ARGUMENT", `${path} must be ${expected}; received ${shown(received)}.`, {
    where: "RemoteSum",
    path,
    expected,
    received,
  });
