/**
 * Where threads come from: Node's worker threads, or workers of a page that is cross-origin isolated. Both run a program
 * that is given as text, so that no bundler has to know of another file.
 */
import { type OptionsOf, option, optionTable } from "../index.js";

/** What a thread runs. */
export interface ThreadProgram {
  /** The script in which a page can have it as a file of its own: `setThreadScripts`. */
  readonly script: "linalg" | "objectives";
  /** Its name in that script. */
  readonly name: string;
  /** All of it, as the body of a function of `data`. */
  readonly text: string;
}

const address = option(
  "an address",
  (value): value is string | URL => typeof value === "string" || value instanceof URL,
);

/** Addresses of a page's own for the programs of threads. */
const threadScripts = optionTable({ linalg: address, objectives: address });
export type ThreadScripts = OptionsOf<typeof threadScripts>;

let scripts: ThreadScripts = {};

/**
 * For pages whose policy allows workers of their own addresses only, and no `blob:`: where `@curvature/linalg/thread.js` and
 * `@curvature/objectives/thread.js` are served. Threads that are started from now on run these.
 *
 * @throws CurvatureError ERR_OPTION for what is no address
 */
export function setThreadScripts(addresses: ThreadScripts): void {
  scripts = threadScripts.resolve("setThreadScripts", addresses);
}

/** What a script is sent. */
export interface ThreadTask<Name extends string, Data> {
  readonly name: Name;
  readonly data: Data;
}

export interface Host {
  /** How many processors there are. */
  cores(): number;
  /** Starts a thread that runs `program` with the variable `data`; it keeps nobody from ending. */
  start(program: ThreadProgram, data: unknown, onError: (reason: string) => void): void;
}

/** What may start threads here, or why nothing may. */
export function threadHost(): Host | string {
  const threads = workerThreads();
  if (threads === undefined) return webHost();
  return typeof SharedArrayBuffer === "undefined"
    ? "this engine has no SharedArrayBuffer"
    : nodeHost(threads);
}

type WorkerThreads = ReturnType<typeof process.getBuiltinModule<"node:worker_threads">>;

/** Undefined where an engine has no such module, or (Cloudflare's) one without threads, and in Node before version 20.16. */
function workerThreads(): WorkerThreads | undefined {
  if (typeof process === "undefined" || typeof process.getBuiltinModule !== "function") return undefined;
  const threads: WorkerThreads | undefined = process.getBuiltinModule("node:worker_threads");
  return typeof threads?.Worker === "function" ? threads : undefined;
}

/** As the body of a function: Deno runs a thread's text where names such as `exports` are declared already. */
const asFunction = ({ text }: ThreadProgram): string => `((data) => {\n${text}\n})`;

function nodeHost({ Worker }: WorkerThreads): Host {
  return {
    cores: () => process.getBuiltinModule("node:os").availableParallelism(),
    start(program, data, onError) {
      const text = `${asFunction(program)}(process.getBuiltinModule("node:worker_threads").workerData);`;
      const worker = new Worker(text, { eval: true, execArgv: [], workerData: data });
      worker.on("error", (error) => onError(error.message));
      // also whoever is terminated, which is no error
      worker.on("exit", (code) => code !== 0 && onError(`its exit code is ${code}`));
      worker.unref();
    },
  };
}

function webHost(): Host | string {
  if (typeof Worker === "undefined") return "this engine has no worker threads";
  if (globalThis.crossOriginIsolated !== true)
    return "the page is not cross-origin isolated, so that its threads have no memory in common";
  if (typeof document !== "undefined") return "a page's main thread must not wait for others; a worker may";
  return {
    cores: () => navigator.hardwareConcurrency,
    start(program, data, onError) {
      const script = scripts[program.script];
      const text = `self.onmessage = ({ data }) => {\n${asFunction(program)}(data.data);\nself.close();\n};`;
      const worker = new Worker(script ?? urlOf(text));
      // what a policy forbids ends here, too, without a message
      worker.onerror = (event) => {
        event.preventDefault(); // the caller learns of it here
        const cause =
          script === undefined
            ? "a page's policy forbids it, and needs worker-src blob: or setThreadScripts"
            : `${script} cannot be loaded as a worker, or is not allowed to be`;
        onError(event.message || cause);
      };
      const task: ThreadTask<string, unknown> = { name: program.name, data };
      worker.postMessage(task);
    },
  };
}

/** Of each program that was ever started; there are few, and an address that is given up might be so before it is read. */
const urls = new Map<string, string>();

function urlOf(program: string): string {
  const known = urls.get(program);
  if (known !== undefined) return known;
  const url = URL.createObjectURL(new Blob([program], { type: "text/javascript" }));
  urls.set(program, url);
  return url;
}
