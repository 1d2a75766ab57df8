/**
 * Bytes that one thread reads and another works on: the reader hands over a piece whenever it is asked for one, so
 * that neither runs ahead of the other, and whoever asks first asks for the beginning.
 */
import type { MessagePort } from "node:worker_threads";
import { CurvatureError } from "@curvature/linalg";
import { failureOf, isErrorCode } from "./failure.js";

type Request = "open" | "next";

type Answer =
  | { readonly type: "piece"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: "end" }
  /** The user has asked to stop. */
  | { readonly type: "stopped" }
  | { readonly type: "failed"; readonly code: string; readonly message: string };

/** The reader's side. @param open - begins to read anew; ends with an AbortError if `signal` is aborted */
export function serveBytes(
  port: MessagePort,
  open: () => AsyncGenerator<Uint8Array>,
  signal: AbortSignal,
): void {
  let pieces = open();
  const answer = async (request: Request): Promise<Answer> => {
    try {
      if (request === "open") {
        await pieces.return(undefined);
        pieces = open();
      }
      const next = await pieces.next();
      return next.done ? { type: "end" } : { type: "piece", bytes: new Uint8Array(next.value) };
    } catch (error) {
      if (signal.aborted) return { type: "stopped" };
      const { code, message } = failureOf(error);
      return { type: "failed", code, message };
    }
  };
  port.on("message", (request: Request) => {
    void answer(request).then((message) => port.postMessage(message, transferOf(message)));
  });
}

const transferOf = (answer: Answer): ArrayBuffer[] => (answer.type === "piece" ? [answer.bytes.buffer] : []);

/** The worker's side: the bytes from the beginning. Ends early if the user has asked to stop. */
export async function* bytesFrom(port: MessagePort): AsyncGenerator<Uint8Array> {
  let request: Request = "open";
  for (;;) {
    const answer = await asked(port, request);
    if (answer.type === "failed") {
      throw new CurvatureError(isErrorCode(answer.code) ? answer.code : "ERR_IO", answer.message);
    }
    if (answer.type !== "piece") return;
    request = "next";
    yield answer.bytes;
  }
}

function asked(port: MessagePort, request: Request): Promise<Answer> {
  return new Promise((done) => {
    port.once("message", done);
    port.postMessage(request);
  });
}
