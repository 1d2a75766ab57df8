/**
 * One suite for every façade: what the contract in `facade.ts` promises, as checks that any test framework can run.
 */
import { type Warning, withOptionNames } from "@curvature/linalg";
import { facadeEntries } from "../facade.js";
import type { RunResult } from "../result.js";
import type { RunPoint } from "../run.js";
import type { ConformanceCheck } from "./case.js";
import { bitsOf, ensure } from "./trace.js";
import { validationChecks } from "./validation.js";

/** What every façade returns. */
export interface FacadeResult extends RunResult {
  readonly phases: Readonly<Record<string, number>>;
  readonly warnings: readonly Warning[];
}

export interface FacadeCase {
  readonly name: string;
  /** The façade on one and the same small problem, of which a run takes well below a second and at least 8 iterations. */
  call(options: unknown): Promise<FacadeResult>;
  iterate(options: unknown): AsyncGenerator<RunPoint, FacadeResult, void>;
  /** The façade on data that it refuses. */
  callOnBadData(options: unknown): Promise<FacadeResult>;
  /** Options that are needed: K, for one. */
  readonly needed?: object;
  /** Options that end the run after about 3 and after about 8 iterations, by a limit. */
  readonly short: object;
  readonly long: object;
  /** The limits that it has beside `maxSeconds`, each with the status of a run that one of 1 ends. */
  readonly limits: Readonly<Record<string, RunResult["status"]>>;
  /** The phases in their order, the last of them "optimization" or later. */
  readonly phases: readonly string[];
  /** Of one that takes a `validation`: what makes it validate every iteration. Its points are arrays. */
  readonly validation?: { readonly every: number };
  /** Of the shared options those that it does not have. */
  readonly lacks?: readonly string[];
  /** How often a function of the caller's was called so far, where there is one. */
  readonly calls?: () => number;
  /** Checks that do not hold, by their names, and why; one that holds after all is a failure. */
  readonly exceptions?: Readonly<Record<string, string>>;
}

/** `for (const { name, check } of facadeConformance(mine)) test(name, check);` */
export function facadeConformance(given: FacadeCase): readonly ConformanceCheck[] {
  const { exceptions = {} } = given;
  return Object.entries(checksOf(given)).map(([what, check]) => ({
    name: `${given.name}: ${what}`,
    check: Object.hasOwn(exceptions, what) ? () => failing(check, exceptions[what]) : check,
  }));
}

async function failing(check: () => Promise<void>, reason: string): Promise<void> {
  const holds = await check().then(
    () => true,
    () => false,
  );
  ensure(!holds, `this holds, although it is an exception: ${reason}`);
}

function checksOf(given: FacadeCase): Readonly<Record<string, () => Promise<void>>> {
  const { needed = {}, short, long, limits, lacks = [], calls = () => 0 } = given;
  const shared = Object.entries(facadeEntries()).filter(([name]) => !lacks.includes(name));
  const call = (options: object) => given.call({ ...needed, ...options });
  const refused = async (options: unknown, path: string, ...inMessage: readonly string[]) => {
    const error = await rejection(given.call(options));
    ensure(isOurs(error, "ERR_OPTION"), `${path}: it must reject with ERR_OPTION`, error);
    ensure(error.path === path, `the error's path must be ${path}`, error.path);
    for (const words of inMessage)
      ensure(error.message.includes(words), `the message must have "${words}"`, error.message);
  };
  return {
    ...(given.validation && validationChecks(call, given.validation.every, given)),
    "a signal that is aborted already rejects with its reason, before anything is called": async () => {
      const reason = new Error("closed");
      const before = calls();
      const reported: string[] = [];
      const options = {
        ...short,
        signal: AbortSignal.abort(reason),
        onPhase: (name: string) => reported.push(name),
      };
      ensure((await rejection(call(options))) === reason, "it must reject with the signal's reason");
      ensure(
        (await rejection(given.iterate({ ...needed, ...options }).next())) === reason,
        "so must the first step of iterate",
      );
      ensure(reported.length === 0, "no phase may begin", reported);
      ensure(calls() === before, "no function of the caller's may be called", calls() - before);
    },
    "a signal that is aborted in the first phase rejects with its reason": async () => {
      if (given.phases[0] === "optimization") return;
      const reason = new Error("closed");
      const controller = new AbortController();
      const onPhase = () => controller.abort(reason);
      const error = await rejection(call({ ...long, signal: controller.signal, onPhase }));
      ensure(error === reason, "it must reject with the signal's reason", error);
    },
    "a signal that is aborted during the optimisation ends it as aborted, with a result": async () => {
      const controller = new AbortController();
      const onIteration = () => controller.abort();
      const result = await call({ ...long, signal: controller.signal, onIteration });
      ensure(result.status === "aborted", "the status must be aborted", result.status);
      ensure(result.iterations >= 1 && result.x.every(Number.isFinite), "there must be a point");
    },
    "a listener that returns false ends the run as aborted; what it throws or rejects with goes to the caller":
      async () => {
        const result = await call({ ...long, onIteration: () => false });
        ensure(result.status === "aborted", "the status must be aborted", result.status);
        const thrown = new Error("listener");
        const listeners = [
          { onIteration: () => Promise.reject(thrown) },
          {
            onIteration: () => {
              throw thrown;
            },
          },
          { onPhase: () => Promise.reject(thrown) },
        ];
        for (const listener of listeners)
          ensure((await rejection(call({ ...long, ...listener }))) === thrown, "it must go to the caller");
      },
    "maxSeconds: 0 makes one iteration, Infinity is no limit": async () => {
      const result = await call({ ...long, maxSeconds: 0 });
      ensure(result.status === "time-limit", "the status must be time-limit", result.status);
      ensure(result.iterations >= 1, "at least one iteration is made", result.iterations);
      const free = await call({ ...short, maxSeconds: Number.POSITIVE_INFINITY });
      ensure(free.status !== "time-limit", "Infinity must be no limit", free.status);
    },
    "each limit ends a run with its status, and Infinity is none": async () => {
      for (const [name, status] of Object.entries(limits)) {
        const one = await call({ ...long, [name]: 1 });
        ensure(one.status === status, `${name}: 1 must end as ${status}`, one.status);
        const none = await call({ ...short, [name]: Number.POSITIVE_INFINITY, maxSeconds: 0 });
        ensure(
          none.status !== status || Object.hasOwn(short, name),
          `${name}: Infinity must be none`,
          none.status,
        );
        for (const wrong of [-1, Number.NaN, "1", null]) await refused({ ...needed, [name]: wrong }, name);
      }
    },
    "wrong values of the shared options are refused by name": async () => {
      for (const name of lacks) await refused({ ...needed, [name]: {} }, name);
      for (const [name, entry] of shared) {
        for (const value of odd)
          if (!entry.accepts(value)) await refused({ ...needed, [name]: value }, name, entry.expected);
      }
    },
    "an unknown option names the nearest of all that there are": async () => {
      await refused({ ...needed, maxSecnds: 1 }, "maxSecnds", '"maxSeconds"');
      await refused({ ...needed, onIterations: () => 0 }, "onIterations", '"onIteration"');
      await refused({ ...needed, histry: true }, "histry", '"history"');
    },
    "what is no object of options is refused, and said": async () => {
      await refused(null, "options", "received null");
      await refused([], "options", "received an array");
      await refused(3, "options", "received 3");
    },
    "options are judged before the data": async () => {
      const error = await rejection(given.callOnBadData({ ...needed, maxSecnds: 1 }));
      ensure(isOurs(error, "ERR_OPTION"), "it must reject with ERR_OPTION", error);
      const data = await rejection(given.callOnBadData(needed));
      ensure(isOurs(data) && data.code !== "ERR_OPTION", "bad data must reject with a CurvatureError", data);
    },
    "frozen options and undefined ones do; nothing is written into them": async () => {
      const undefinedOnes = Object.fromEntries(shared.map(([name]) => [name, undefined]));
      const options = Object.freeze({ ...undefinedOnes, ...needed, ...short });
      await given.call(options);
    },
    "the same call gives the same bits, listened to or not, in a loop or not": async () => {
      const plain = numbersOf(await call(long));
      let reported = 0;
      const onIteration = () => {
        reported++;
      };
      const listened = await call({
        ...long,
        onIteration,
        onPhase: () => undefined,
        history: true,
        yieldEvery: 0,
      });
      ensure(numbersOf(listened) === plain, "listeners must change nothing");
      ensure(reported === listened.iterations, "every iteration must be reported", reported);
      const states = given.iterate({ ...needed, ...long });
      let count = 0;
      for (;;) {
        const next = await states.next();
        if (next.done === true) {
          ensure(numbersOf(next.value) === plain, "iterate must return the same result");
          break;
        }
        count++;
        ensure(next.value.iteration.index >= 1 && next.value.best.x.length > 0, "a state has its points");
      }
      ensure(count === listened.iterations, "iterate must yield every iteration", count);
    },
    "a loop can be left": async () => {
      for await (const { iteration } of given.iterate({ ...needed, ...long }))
        if (iteration.index >= 2) break;
    },
    "phases come in their order, and their seconds are in the result": async () => {
      const reported: string[] = [];
      const onPhase = (name: string, share: number | undefined) => {
        if (share === undefined && reported.at(-1) !== name) reported.push(name);
      };
      const { phases } = await call({ ...short, onPhase });
      ensure(
        reported.join() === given.phases.join(),
        `the phases must be ${given.phases.join()}`,
        reported.join(),
      );
      for (const name of given.phases) {
        const seconds = phases[name];
        ensure(Number.isFinite(seconds) && seconds >= 0, `the phase ${name} must have its seconds`, seconds);
      }
    },
    "the result is complete, and can be cloned but for its functions": async () => {
      const result = await call(short);
      for (const name of resultNames) ensure(Object.hasOwn(result, name), `the result must have ${name}`);
      ensure(withOptionNames(result.message) === result.message, "options have their names", result.message);
      for (const { code, message } of result.warnings) {
        ensure(/^[a-z0-9-]+$/.test(code) && message.length > 0, "a warning has a code and a message", code);
        ensure(withOptionNames(message) === message, "its options are called by their names", message);
      }
      ensure(typeof result.options["solver"] === "string", "options must name the solver", result.options);
      structuredClone(result.options);
    },
    "history keeps none, the last few or all": async () => {
      ensure((await call(long)).history.length === 0, "none by default");
      const all = await call({ ...long, history: true });
      ensure(all.history.length === all.iterations, "true keeps all", all.history.length);
      const few = await call({ ...long, history: 2 });
      ensure(few.history.length === 2, "a number keeps so many of the last ones", few.history.length);
      ensure(few.history[1].index === few.iterations, "the last one among them");
    },
    "resumed from a checkpoint it ends as if uninterrupted; other bytes are refused": async () => {
      if (lacks.includes("resume")) return;
      const whole = await call(long);
      let bytes = new Uint8Array();
      const checkpoint = {
        write: (written: Uint8Array) => {
          bytes = written.slice();
        },
      };
      await call({ ...short, checkpoint });
      const resumed = await call({ ...long, resume: bytes });
      ensure(numbersOf(resumed) === numbersOf(whole), "a resumed run must end with the same bits");
      for (const wrong of [new Uint8Array(), bytes.slice(0, bytes.length >> 1), Uint8Array.of(1, 2, 3)]) {
        const error = await rejection(call({ ...long, resume: wrong }));
        ensure(isOurs(error, "ERR_CHECKPOINT"), "other bytes must reject with ERR_CHECKPOINT", error);
      }
    },
  };
}

/** Values of every kind, most of which no option takes. */
const odd: readonly unknown[] = [-1, 0, 0.5, Number.NaN, "1", "", null, [], {}, true, { write: 1 }];

const resultNames = [
  ...["x", "last", "value", "gradientNorm", "iterations", "evaluations", "gradientEvaluations"],
  ...["monitoringEvaluations", "passes", "elapsedSeconds", "status", "usable", "message", "cause", "history"],
  ...["options", "phases", "warnings"],
];

const numbersOf = ({ x, last, value, iterations, evaluations, status }: FacadeResult): string =>
  bitsOf({ x, last, value, iterations, evaluations, status });

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

interface OurError extends Error {
  readonly code: string;
  readonly path: unknown;
}

function isOurs(error: unknown, code?: string): error is OurError {
  return (
    error instanceof Error &&
    "code" in error &&
    "path" in error &&
    (code === undefined || error.code === code)
  );
}
