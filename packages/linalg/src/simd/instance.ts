/**
 * The embedded module, compiled on the spot, what it exports, and its memories.
 *
 * These are as large as they are needed from the beginning. None ever grows: growth detaches a buffer, and
 * from the first detached one on V8 looks at every access to any typed array of the thread whether its buffer is still
 * there, which makes loops over vectors two to three times slower. Pages that nobody touches take no room.
 */
import { moduleText } from "./module.js";

/** All pairs in either precision: `assembly/pairs.ts`. */
type PairForcesExport = (
  isGaussian: boolean,
  x: number,
  y: number,
  from: number,
  to: number,
  table: number,
  px: number,
  py: number,
) => number;

/** Steps over rows of either precision: `assembly/row-steps.ts`. */
type RowStepsExport = (
  columns: number,
  pointers: number,
  indices: number,
  values: number,
  from: number,
  to: number,
  y: number,
  c: number,
  squares: number,
  w: number,
  B: number,
  entry: number,
  loss: number,
  isImplicit: boolean,
  unit: number,
  start: number,
) => void;

/** Tall columns of either precision: `assembly/columns.ts`. */
type DotColumnsExport = (
  P: number,
  stride: number,
  K: number,
  v: number,
  length: number,
  out: number,
) => void;
type AddColumnsExport = (P: number, stride: number, K: number, c: number, x: number, length: number) => void;
type MultiplyColumnsExport = (
  P: number,
  stride: number,
  K: number,
  Q: number,
  k: number,
  length: number,
  block: number,
) => void;

/** Addresses are in bytes. */
export interface Exports extends WebAssembly.Exports {
  readonly memory: WebAssembly.Memory;
  multiplyPanels(
    a: number,
    step: number,
    b: number,
    c: number,
    stride: number,
    height: number,
    width: number,
    deep: number,
    shift: number,
    sign: number,
  ): void;
  cholesky(A: number, n: number, stride: number, least: number, packed: number): number;
  reduce(
    A: number,
    n: number,
    m: number,
    rows: number,
    V: number,
    W: number,
    left: number,
    right: number,
    d: number,
    e: number,
    h: number,
  ): void;
  rotate(
    Z: number,
    n: number,
    width: number,
    strip: number,
    sweeps: number,
    count: number,
    c: number,
    s: number,
  ): void;
  timesSymmetric(A: number, stride: number, v: number, w: number, n: number): void;
  pairSum64(isGaussian: boolean, x: number, y: number, from: number, to: number, table: number): number;
  pairForces32: PairForcesExport;
  pairForces64: PairForcesExport;
  packPanels(rows: number, stride: number, from: number, end: number, panels: number): void;
  nearPairs(
    rows: number,
    stride: number,
    deep: number,
    h: number,
    u: number,
    uColumns: number,
    visitors: number,
    count: number,
    panels: number,
    from: number,
    width: number,
    after: number,
    first: number,
    second: number,
  ): number;
  distances(rows: number, deep: number, first: number, second: number, count: number, out: number): void;
  rowSteps32: RowStepsExport;
  rowSteps64: RowStepsExport;
  decay(w: number, B: number, count: number, share: number): void;
  renew(B: number, e: number, count: number, t0: number, common: number): void;
  transform(stages: number, count: number, xr: number, xi: number, yr: number, yi: number): void;
  foldEven(re: number, im: number, count: number, m: number, zr: number, zi: number): void;
  foldOdd(re: number, im: number, count: number, m: number, turns: number, zr: number, zi: number): void;
  unfold(
    yr: number,
    yi: number,
    zr: number,
    zi: number,
    m: number,
    turns: number,
    re: number,
    im: number,
    count: number,
  ): void;
  separate(zr: number, zi: number, m: number, isOdd: boolean, field: number, stride: number): void;
  merge(field: number, stride: number, m: number, isOdd: boolean, zr: number, zi: number): void;
  multiplyHalf(zr: number, zi: number, m: number, isOdd: boolean, spectrum: number): void;
  relax(w: number, x: number, count: number, e: number, r: number, sums: number): void;
  solvePair(count: number, layout: number, rows: number, panels: number, y: number): void;
  dotColumns32: DotColumnsExport;
  dotColumns64: DotColumnsExport;
  addColumns32: AddColumnsExport;
  addColumns64: AddColumnsExport;
  multiplyColumns32: MultiplyColumnsExport;
  multiplyColumns64: MultiplyColumnsExport;
}

let kernels: WebAssembly.Module | undefined;

/** Undefined where the engine has no WebAssembly or no SIMD, or may not compile it: `refusal` says which. */
export function compiled(): WebAssembly.Module | undefined {
  try {
    kernels ??= new WebAssembly.Module(bytesOf(moduleText));
    return kernels;
  } catch {
    return undefined;
  }
}

/** Why nothing is compiled here; undefined where it is. A function of its own, so that bundles without it stay small. */
export function refusal(): string | undefined {
  const bytes = bytesOf(moduleText);
  try {
    new WebAssembly.Module(bytes);
    return undefined;
  } catch (error) {
    // an engine validates what it knows, whatever a policy forbids
    return typeof WebAssembly === "object" && WebAssembly.validate(bytes)
      ? `WebAssembly may not be compiled here (${error}); a page's policy needs script-src 'wasm-unsafe-eval'`
      : "this engine has no WebAssembly with SIMD";
  }
}

/** What `assembly/build.mjs` has made of the bytes, undone. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  let count = 0;
  let group = 0;
  for (let k = 0; k < text.length; k++) {
    const code = text.charCodeAt(k);
    if (code > 124) {
      group = code - 124;
    } else {
      bytes[count++] = code - 35 + 90 * group - 5;
      group = 0;
    }
  }
  return bytes.subarray(0, count);
}

/** Requests that are refused unheard after a refusal: twice as many after each of them in a row, so many at the most. */
const LONGEST_PAUSE = 256;
let pause = 1;
let unheard = 0;

/** The next request is answered. */
export function forgetRefusals(): void {
  pause = 1;
  unheard = 0;
}

/**
 * An instance with room for `bytes` from `START` on; undefined where there is no memory for it. To find that out takes the
 * engine tens of milliseconds, since it collects garbage before it gives up: after a refusal the next requests are refused
 * unheard.
 */
export function instantiated(module: WebAssembly.Module, bytes: number): Exports | undefined {
  const pages = pagesFor(bytes);
  if (pages === undefined) return undefined;
  if (unheard > 0) {
    unheard--;
    return undefined;
  }
  try {
    const { exports } = new WebAssembly.Instance(module, {
      env: { memory: new WebAssembly.Memory({ initial: pages }) },
    });
    pause = 1;
    return isComplete(exports) ? exports : undefined;
  } catch {
    unheard = pause;
    pause = Math.min(2 * pause, LONGEST_PAUSE);
    return undefined;
  }
}

/** The module is embedded and made of the assembly beside it: with its memory it has all the rest. */
function isComplete(exports: WebAssembly.Exports): exports is Exports {
  return exports["memory"] instanceof WebAssembly.Memory;
}

const PAGE = 65_536;
/** Addresses have 32 bits. */
const MAX_PAGES = 65_535;

/** The address from which on memory is the caller's; the module has the page below. */
export const START = PAGE;

/** Bytes from `START` on that addresses reach. */
export const MAX_BYTES = (MAX_PAGES - 1) * PAGE;

/** Cache lines: what arrays begin with. */
export const aligned = (bytes: number): number => Math.ceil(bytes / 64) * 64;

/** Addresses of arrays, one after the other from `START` on. */
export class Addresses {
  /** Bytes taken so far. */
  size = 0;

  /** @returns the address of so many bytes */
  take(bytes: number): number {
    const address = START + this.size;
    this.size += aligned(bytes);
    return address;
  }
}

/** The pages of so many bytes from `START` on; undefined where addresses end before. */
export function pagesFor(bytes: number): number | undefined {
  const pages = 1 + Math.ceil(bytes / PAGE);
  return pages <= MAX_PAGES ? pages : undefined;
}
