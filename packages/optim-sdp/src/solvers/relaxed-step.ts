/**
 * The second half of an ADMM step on one matrix, in one pass:
 *
 *   W ← [W]_− + r X + (1 − r) [W]_+,   r = 1.8
 *
 * with Z = [W]_+ before and after it. See `admm.ts` for the method.
 */
const RELAXATION = 1.8;

export interface RelaxedStep {
  /** ‖X − Z‖_F / ‖Z‖_F */
  readonly primal: number;
  /** ‖Z − Z_before‖_F / ‖[W]_−‖_F */
  readonly dual: number;
  /** Tr(D X) */
  readonly objective: number;
}

/** All n × n; changes W alone. */
export function relaxedStep(w: Float64Array, x: Float64Array, d: Float64Array): RelaxedStep {
  let difference = 0;
  let size = 0;
  let change = 0;
  let negative = 0;
  let objective = 0;
  for (let k = 0; k < w.length; k++) {
    const z = 0.5 * (w[k] + Math.abs(w[k]));
    const next = w[k] - z + RELAXATION * x[k] + (1 - RELAXATION) * z;
    const zNext = 0.5 * (next + Math.abs(next));
    difference += (x[k] - z) * (x[k] - z);
    size += z * z;
    change += (zNext - z) * (zNext - z);
    negative += (next - zNext) * (next - zNext);
    objective += d[k] * x[k];
    w[k] = next;
  }
  return {
    primal: Math.sqrt(difference / size),
    dual: negative > 0 ? Math.sqrt(change / negative) : 0,
    objective,
  };
}
