/**
 * How questions get to those who answer them: threads of this machine or workers behind Redis. A transport brings every
 * question to an end at least once; that an answer counts once only is up to `RemoteSum`.
 */
import type { Part } from "./frames.js";

/** A point that subfunctions are evaluated at, sent once for all questions about it. */
export interface RemotePoint {
  readonly id: number;
  /** A copy of its own: nobody writes into it. */
  readonly x: Float64Array;
}

export interface TransportListener {
  answered(ask: number, value: number, gradient: Float64Array | undefined): void;
  /** @param isFinal - whether another try would be no use */
  failed(ask: number, worker: string, reason: string, isFinal: boolean): void;
  /** It is all over, with the error that every question ends in from now on. */
  lost(error: Error): void;
}

export interface Transport {
  /** How many evaluations can be made at once, as far as is known now. */
  readonly width: number;
  /** Called once, before anything else. */
  start(listener: TransportListener): void;
  submit(point: RemotePoint, wantsGradient: boolean, parts: readonly Part[]): void;
  /** No more questions will be asked about this point, unless it is submitted again. */
  forget(point: RemotePoint): void;
  close(): Promise<void>;
}
