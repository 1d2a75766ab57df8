/**
 * A look for an end from a point without bounds: along a `SearchLine`, by the pairs of an `LbfgsMemory`.
 */
import { axpy, dot, maxAbs, norm2 } from "@curvature/linalg";
import { clearOf } from "../line-search/noise.js";
import type { SearchLine } from "../line-search/search-line.js";
import { searchWolfe } from "../line-search/strong-wolfe.js";
import type { Standpoint } from "./ending.js";
import type { LbfgsMemory } from "./lbfgs-memory.js";
import { affordableProducts, differenceStep, isAffordable, newtonStep, shiftOf } from "./newton-look.js";
import { conjugateStep } from "./product-look.js";

export class LineStandpoint implements Standpoint {
  readonly unit = 1;
  startValue = Number.NaN;
  isFirst = false;

  constructor(
    readonly line: SearchLine,
    private readonly memory: LbfgsMemory,
  ) {}

  canDifference(): boolean {
    const { x, evaluations } = this.line;
    return isAffordable(x.length, evaluations) || affordableProducts(x.length, evaluations) > 0;
  }

  aimByDifferences(): number | undefined {
    const { x, evaluations } = this.line;
    const products = affordableProducts(x.length, evaluations);
    return products > 0 ? this.aimByProducts(products) : this.aimByHessian();
  }

  private aimByProducts(most: number): number | undefined {
    const { line, memory } = this;
    const { x, p, gradient } = line;
    const tau = differenceStep(line.valueNoise);
    const reach = maxAbs(x) || 1;
    const step = new Float64Array(x.length);
    const product = (d: Float64Array, out: Float64Array): boolean => {
      const t = (tau * reach) / maxAbs(d);
      p.set(d);
      if (!(line.evaluate(t) || (!line.isSpent && line.evaluate(-t)))) return false;
      for (let i = 0; i < out.length; i++) out[i] = (line.trialGradient[i] - gradient[i]) / line.alpha;
      return true;
    };
    const precondition = (r: Float64Array, out: Float64Array): void => memory.apply(r, out);
    const { expected, isSolved } = conjugateStep(product, precondition, gradient, most, step);
    p.set(step);
    return isSolved || expected > clearOf(line.noise) ? expected : undefined;
  }

  /** The memory takes the pairs. */
  private aimByHessian(): number | undefined {
    const { line, memory } = this;
    const { p, gradient, x } = line;
    const n = p.length;
    const H = new Float64Array(n * n);
    const tau = differenceStep(line.valueNoise);
    const largest = x.reduce((most, xi) => Math.max(most, Math.abs(xi)), 0);
    for (let i = 0; i < n; i++) {
      p.fill(0);
      p[i] = shiftOf(x[i], largest, tau, line.objective.resolution?.(i));
      const isUsable = line.evaluate(1) || (!line.isSpent && line.evaluate(-1));
      if (!isUsable) return undefined;
      memory.update(line.trialX, x, line.trialGradient, gradient);
      const row = H.subarray(i * n, (i + 1) * n);
      row.set(line.trialGradient);
      axpy(-1, gradient, row);
      for (let j = 0; j < n; j++) row[j] /= line.alpha * p[i];
    }
    return newtonStep(H, gradient, largest || 1, p);
  }

  aimByPairs(): { readonly widest: number; readonly expected: number } {
    const { memory, line } = this;
    const { gradient, p } = line;
    const widest = memory.widest();
    if (widest === 0) return { widest, expected: 0 };
    memory.apply(gradient, p, widest);
    for (let i = 0; i < p.length; i++) p[i] = -p[i];
    return { widest, expected: -0.5 * dot(gradient, p) };
  }

  aimDown(): number {
    const { gradient, p } = this.line;
    for (let i = 0; i < p.length; i++) p[i] = -gradient[i];
    return norm1(gradient);
  }

  search(first: number): boolean {
    return this.line.aim() < 0 && searchWolfe(this.line, first);
  }

  isFlatter(): boolean {
    return norm2(this.line.trialGradient) < norm2(this.line.gradient);
  }

  valueAgain(): number {
    const { line } = this;
    line.p.fill(0);
    line.evaluate(0);
    return line.isSpent ? line.value : line.trialValue;
  }
}

/** ‖v‖₁ */
export function norm1(v: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < v.length; i++) sum += Math.abs(v[i]);
  return sum;
}
