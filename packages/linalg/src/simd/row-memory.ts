/** Memories for sparse rows and the steps over them: an instance of the module for each, which goes with it. */
import { type RowMemory, STEP_ROWS, type StepLoss, type TakeRowMemory } from "../kernels/row-steps.js";
import { aligned } from "./arena.js";
import { type Exports, instantiated } from "./instance.js";
import { START } from "./memory.js";

/** Stored entries from which on an instance is worth it. */
const LEAST = 2 ** 14;

const lossCodes: Readonly<Record<StepLoss, number>> = { "squared-hinge": 0, hinge: 1, "squared-error": 2 };

export const rowMemoryOf =
  (module: WebAssembly.Module): TakeRowMemory =>
  (rows, columns, stored, isDouble) => {
    const sizes = [
      4 * (rows + 1),
      4 * stored,
      (isDouble ? 8 : 4) * stored,
      8 * (columns + 1),
      4 * (columns + 1),
      8 * (columns + 1),
    ];
    const blocks = [8 * STEP_ROWS, 8 * STEP_ROWS, 8 * STEP_ROWS];
    const bytes = [...sizes, ...blocks].reduce((sum, size) => sum + aligned(size), 0);
    const exports = stored < LEAST ? undefined : instantiated(module, bytes);
    return exports && placed(exports, rows, columns, stored, isDouble);
  };

function placed(
  exports: Exports,
  rows: number,
  columns: number,
  stored: number,
  isDouble: boolean,
): RowMemory {
  const { buffer } = exports.memory;
  let next = START;
  const take = (size: number): number => {
    const address = next;
    next += aligned(size);
    return address;
  };
  const rowPointers = new Int32Array(buffer, take(4 * (rows + 1)), rows + 1);
  const columnIndices = new Int32Array(buffer, take(4 * stored), stored);
  const entries = take((isDouble ? 8 : 4) * stored);
  const w = new Float64Array(buffer, take(8 * (columns + 1)), columns + 1);
  const B = new Float32Array(buffer, take(4 * (columns + 1)), columns + 1);
  const excess = new Float64Array(buffer, take(8 * (columns + 1)), columns + 1);
  const [targets, importances, squaredNorms] = [0, 0, 0].map(
    () => new Float64Array(buffer, take(8 * STEP_ROWS), STEP_ROWS),
  );
  const pattern = { rows, columns, rowPointers, columnIndices };
  const [P, J, y, c] = [rowPointers, columnIndices, targets, importances].map((part) => part.byteOffset);
  const [bias, biasGain] = [w.byteOffset + 8 * columns, B.byteOffset + 4 * columns];
  const gradientSteps = isDouble ? exports.gradientSteps64 : exports.gradientSteps32;
  const scaledSteps = isDouble ? exports.scaledSteps64 : exports.scaledSteps32;
  return {
    owner: undefined,
    rows: isDouble
      ? { ...pattern, values: new Float64Array(buffer, entries, stored) }
      : { ...pattern, values: new Float32Array(buffer, entries, stored) },
    w,
    B,
    excess,
    targets,
    importances,
    squaredNorms,
    gradientSteps(from, to, { loss, isImplicit, lambda, start: offset, biasGain: gain }) {
      const q = isImplicit ? squaredNorms.byteOffset : 0;
      const code = lossCodes[loss];
      gradientSteps(P, J, entries, from, to, y, c, q, w.byteOffset, bias, gain, code, lambda, offset);
    },
    scaledSteps(from, to, { loss, isImplicit, unit, entry }) {
      const [code, implicit] = [lossCodes[loss], isImplicit ? 1 : 0];
      const [weights, gains] = [w.byteOffset, B.byteOffset];
      scaledSteps(P, J, entries, from, to, y, c, weights, bias, gains, biasGain, entry, code, implicit, unit);
    },
    decayScaled(count, share) {
      exports.decayScaled(w.byteOffset, B.byteOffset, count, share);
    },
    renewGains(t0, common) {
      exports.renewGains(B.byteOffset, excess.byteOffset, columns + 1, t0, common);
    },
  };
}
