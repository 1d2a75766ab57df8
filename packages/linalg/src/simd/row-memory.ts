/** Memories for rows and the steps over them: an instance of the module for each, which goes with it. */
import { STEP_ROWS, type StepLoss, type StoredRows, type TakeRowMemory } from "../kernels/row-steps.js";
import { Addresses, instantiated } from "./instance.js";

/** Stored entries from which on an instance is worth it. */
const MIN_SIZE = 2 ** 14;

const lossCodes: Readonly<Record<StepLoss, number>> = { "squared-hinge": 0, hinge: 1, "squared-error": 2 };

export const rowMemoryOf =
  (module: WebAssembly.Module): TakeRowMemory =>
  (rows, columns, stored, isDouble) => {
    const numbers = stored ?? rows * columns;
    const addresses = new Addresses();
    const P = stored === undefined ? 0 : addresses.take(4 * (rows + 1));
    const J = stored === undefined ? 0 : addresses.take(4 * numbers);
    const x = addresses.take((isDouble ? 8 : 4) * numbers);
    const weights = addresses.take(8 * (columns + 1));
    const gains = addresses.take(4 * (columns + 1));
    const excesses = addresses.take(8 * (columns + 1));
    const [y, c, squares] = [0, 0, 0].map(() => addresses.take(8 * STEP_ROWS));
    const exports = numbers < MIN_SIZE ? undefined : instantiated(module, addresses.size);
    if (exports === undefined) return undefined;
    const { buffer } = exports.memory;
    const w = new Float64Array(buffer, weights, columns + 1);
    const withPattern = <T extends Float32Array | Float64Array>(values: T): StoredRows<T> =>
      stored === undefined
        ? { rows, columns, data: values }
        : {
            ...{ rows, columns, values },
            rowPointers: new Int32Array(buffer, P, rows + 1),
            columnIndices: new Int32Array(buffer, J, stored),
          };
    const steps = isDouble ? exports.rowSteps64 : exports.rowSteps32;
    return {
      owner: undefined,
      rows: isDouble
        ? withPattern(new Float64Array(buffer, x, numbers))
        : withPattern(new Float32Array(buffer, x, numbers)),
      w,
      B: new Float32Array(buffer, gains, columns + 1),
      excess: new Float64Array(buffer, excesses, columns + 1),
      targets: new Float64Array(buffer, y, STEP_ROWS),
      importances: new Float64Array(buffer, c, STEP_ROWS),
      squaredNorms: new Float64Array(buffer, squares, STEP_ROWS),
      gradientSteps(from, to, { loss, isImplicit, lambda, start, biasGain }) {
        const code = lossCodes[loss];
        steps(
          columns,
          P,
          J,
          x,
          from,
          to,
          y,
          c,
          squares,
          weights,
          0,
          biasGain,
          code,
          isImplicit,
          lambda,
          start,
        );
      },
      scaledSteps(from, to, { loss, isImplicit, unit, entry }) {
        const code = lossCodes[loss];
        steps(columns, P, J, x, from, to, y, c, squares, weights, gains, entry, code, isImplicit, unit, 0);
      },
      decayScaled(count, share) {
        exports.decay(weights, gains, count, share);
      },
      renewGains(t0, common) {
        exports.renew(gains, excesses, columns + 1, t0, common);
      },
    };
  };
