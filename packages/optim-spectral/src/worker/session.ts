/**
 * One task in a worker of its own, which ends with it: its functions are called here, an abort is passed on, and the iterations come
 * as they are asked for.
 */
import { connect } from "./host.js";
import { type CallName, errorOf, type FromWorker, type PlainPoint, type Task } from "./messages.js";

export type Calls = { readonly [K in CallName]?: ((...given: never[]) => unknown) | undefined };

/** The task without what the session knows. */
export type TaskToDo = Task extends infer T ? (T extends Task ? Omit<T, "calls"> : never) : never;

/** What was heard, in order, for who waits for it. */
class Inbox {
  private readonly messages: FromWorker[] = [];
  private failure: { readonly error: unknown } | undefined;
  private wake: () => void = () => undefined;

  readonly hear = (message: FromWorker): void => {
    this.messages.push(message);
    this.wake();
  };

  /** What was heard before still counts. */
  readonly fail = (error: unknown): void => {
    this.failure ??= { error };
    this.wake();
  };

  async next(): Promise<FromWorker> {
    for (;;) {
      const message = this.messages.shift();
      if (message !== undefined) return message;
      if (this.failure !== undefined) throw this.failure.error;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }
}

/**
 * @param transfer - memory that the worker takes over, once it runs
 * @throws CurvatureError ERR_IO for a worker that cannot be started or ends too soon, ERR_ARGUMENT for what cannot be posted, and
 *   what the task throws; what a function of the caller's throws; the signal's reason if it is aborted before the optimisation
 */
export async function* session(
  task: TaskToDo,
  calls: Calls,
  signal: AbortSignal | undefined,
  transfer: readonly Transferable[],
): AsyncGenerator<PlainPoint, unknown, void> {
  if (signal?.aborted === true) throw reasonOf(signal);
  const inbox = new Inbox();
  const worker = connect(inbox);
  const thrown = new Map<number, unknown>();
  let hasBegun = false;
  const abort = (): void => {
    if (hasBegun) worker.post({ type: "abort" }, []);
    else inbox.fail(reasonOf(signal)); // there is no result yet: the worker ends at once
  };
  signal?.addEventListener("abort", abort);

  const answer = async ({ id, name, given }: Extract<FromWorker, { type: "call" }>): Promise<void> => {
    let isFalse = false;
    let hasThrown = false;
    try {
      isFalse = (await Reflect.apply(calls[name] ?? (() => undefined), undefined, given)) === false;
    } catch (error) {
      hasThrown = true;
      thrown.set(id, error);
    }
    worker.post({ type: "answer", id, isFalse, hasThrown }, []);
  };

  /** The next that is of the task; calls are answered on the way. */
  const next = async (): Promise<Extract<FromWorker, { type: "point" | "result" | "left" }>> => {
    for (;;) {
      const message = await inbox.next();
      switch (message.type) {
        case "ready":
          break;
        case "begun":
          hasBegun = true;
          break;
        case "call":
          void answer(message); // several may be under way
          break;
        case "thrown":
          throw thrown.get(message.id);
        case "aborted":
          throw reasonOf(signal);
        case "error":
          throw errorOf(message.error);
        case "point":
        case "result":
        case "left":
          return message;
      }
    }
  };

  try {
    const named = (Object.keys(calls) as CallName[]).filter((name) => calls[name] !== undefined);
    if (transfer.length > 0) await inbox.next(); // "ready", or why it does not start
    worker.post({ type: "start", task: { ...task, calls: named } as Task }, transfer);
    for (;;) {
      const message = await next();
      if (message.type === "result") return message.result;
      if (message.type === "left") return undefined;
      let isLeft = true;
      try {
        yield message.point;
        isLeft = false;
      } finally {
        if (isLeft) {
          worker.post({ type: "leave" }, []);
          await next(); // a last checkpoint is written
        }
      }
      worker.post({ type: "next" }, []);
    }
  } finally {
    signal?.removeEventListener("abort", abort);
    worker.end();
  }
}

const reasonOf = (signal: AbortSignal | undefined): unknown =>
  signal?.reason ?? new DOMException("This operation was aborted.", "AbortError");

export async function toEnd<Result>(steps: AsyncGenerator<unknown, Result, void>): Promise<Result> {
  for (;;) {
    const next = await steps.next();
    if (next.done === true) return next.value;
  }
}
