/**
 * Threads of this machine as those who evaluate: each has the sum of its own and a port to the thread that asks. A port
 * has one question at a time, so that the next one goes to whoever is free.
 */

import { CurvatureError } from "@curvature/linalg";
import type { SumOfFunctions } from "@curvature/optim-core";
import { answerTask } from "./answer-task.js";
import { decodeFrame, encodeFrame, type Part } from "./frames.js";
import type { RemotePoint, Transport, TransportListener } from "./transport.js";

/** What is needed of a `Worker` or a `MessagePort` of Node. */
export interface EvaluatorPort {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  on(
    event: "message" | "close" | "exit" | "error" | "messageerror",
    listener: (message: unknown) => void,
  ): unknown;
}

interface Job {
  readonly point: RemotePoint;
  readonly wantsGradient: boolean;
  readonly part: Part;
}

interface Seat {
  readonly name: string;
  readonly port: EvaluatorPort;
  /** Points that it has been sent. */
  readonly points: Set<number>;
  job: Job | undefined;
  isOpen: boolean;
}

export class PortTransport implements Transport {
  private readonly seats: readonly Seat[];
  private readonly queue: Job[] = [];
  private readonly whenClosed: () => Promise<void>;
  private listener: TransportListener | undefined;
  private lastReason = "";

  /**
   * @param ports - of threads that call `servePort`
   * @param whenClosed - ends the threads
   */
  constructor(ports: readonly EvaluatorPort[], whenClosed: () => Promise<void> = async () => undefined) {
    if (ports.length === 0)
      throw new CurvatureError("ERR_ARGUMENT", "there must be at least one port.", {
        where: "PortTransport",
        path: "ports",
      });
    this.whenClosed = whenClosed;
    this.seats = ports.map((port, k) => ({
      name: `thread ${k}`,
      port,
      points: new Set<number>(),
      job: undefined,
      isOpen: true,
    }));
  }

  get width(): number {
    return this.seats.filter(({ isOpen }) => isOpen).length;
  }

  start(listener: TransportListener): void {
    this.listener = listener;
    for (const seat of this.seats) {
      seat.port.on("message", (message) => this.receive(seat, message));
      seat.port.on("error", (error) => {
        this.lastReason = error instanceof Error ? error.message : String(error);
      });
      seat.port.on("close", () => this.leave(seat));
      seat.port.on("exit", () => this.leave(seat));
    }
  }

  submit(point: RemotePoint, wantsGradient: boolean, parts: readonly Part[]): void {
    for (const part of parts) this.queue.push({ point, wantsGradient, part });
    for (const seat of this.seats) this.next(seat);
  }

  private next(seat: Seat): void {
    if (!seat.isOpen || seat.job !== undefined) return;
    const job = this.queue.shift();
    if (job === undefined) return;
    const { point, wantsGradient, part } = job;
    seat.job = job;
    if (!seat.points.has(point.id)) {
      seat.points.add(point.id);
      post(seat.port, encodeFrame({ kind: "point", epoch: 0, point: point.id, x: point.x }));
    }
    post(seat.port, encodeFrame({ kind: "task", epoch: 0, point: point.id, wantsGradient, parts: [part] }));
  }

  private receive(seat: Seat, message: unknown): void {
    if (!(message instanceof Uint8Array)) return;
    const frame = decodeFrame(message);
    seat.job = undefined;
    if (frame.kind === "value") this.listener?.answered(frame.ask, frame.value, frame.gradient);
    if (frame.kind === "failure") this.listener?.failed(frame.ask, seat.name, frame.reason, false);
    this.next(seat);
  }

  /** What it was at goes to another; the last one to leave ends it all. */
  private leave(seat: Seat): void {
    if (!seat.isOpen) return;
    seat.isOpen = false;
    const { job } = seat;
    const why = this.lastReason === "" ? "the thread ended" : `the thread ended: ${this.lastReason}`;
    if (job !== undefined) this.listener?.failed(job.part.ask, seat.name, why, false);
    if (this.width > 0) return;
    this.listener?.lost(
      new CurvatureError("ERR_IO", `All threads that evaluate have ended; ${why.replace(/[.]?$/, ".")}`, {
        path: "threads",
      }),
    );
  }

  /** Nothing waits for this point, so no thread will be asked about it: they drop the oldest by themselves. */
  forget({ id }: RemotePoint): void {
    for (const seat of this.seats) {
      if (!seat.points.delete(id)) continue;
      if (seat.isOpen) seat.port.postMessage({ forget: id });
    }
  }

  async close(): Promise<void> {
    for (const seat of this.seats) seat.isOpen = false;
    await this.whenClosed();
  }
}

function post(port: EvaluatorPort, frame: Uint8Array<ArrayBuffer>): void {
  port.postMessage(frame, [frame.buffer]);
}

/** The thread's side: answers what comes through the port, for as long as it is open. */
export function servePort(port: EvaluatorPort, sum: SumOfFunctions): void {
  const points = new Map<number, Float64Array>();
  port.on("message", (message) => {
    const forgotten =
      typeof message === "object" && message !== null && "forget" in message && message.forget;
    if (typeof forgotten === "number") points.delete(forgotten);
    if (!(message instanceof Uint8Array)) return;
    const frame = decodeFrame(message);
    if (frame.kind === "point") points.set(frame.point, frame.x);
    if (frame.kind !== "task") return;
    const x = points.get(frame.point) ?? new Float64Array(0);
    answerTask(sum, frame, x, "", (answer) => post(port, answer)).catch(() => undefined); // it never rejects
  });
}
