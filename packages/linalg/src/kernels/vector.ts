/**
 * The few vector operations that every solver needs, float64. Sums run over four partial sums in a fixed order
 * (faster than one, and the same bits everywhere). The arrays have one length; nothing is checked here. It is read before
 * the loops, which do four entries at a time: where a buffer was ever detached, V8 finds out at every access, above all to a
 * length, whether this one was.
 */

/** ⟨x, y⟩; nothing is checked. */
export function dot(x: Float64Array, y: Float64Array): number {
  const n = x.length;
  const whole = n - (n % 4);
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (let i = 0; i < whole; i += 4) {
    s0 += x[i] * y[i];
    s1 += x[i + 1] * y[i + 1];
    s2 += x[i + 2] * y[i + 2];
    s3 += x[i + 3] * y[i + 3];
  }
  for (let i = whole; i < n; i++) s0 += x[i] * y[i];
  return s0 + s1 + (s2 + s3);
}

/** y ← y + a x; nothing is checked. */
export function axpy(a: number, x: Float64Array, y: Float64Array): void {
  const n = x.length;
  const whole = n - (n % 4);
  for (let i = 0; i < whole; i += 4) {
    y[i] += a * x[i];
    y[i + 1] += a * x[i + 1];
    y[i + 2] += a * x[i + 2];
    y[i + 3] += a * x[i + 3];
  }
  for (let i = whole; i < n; i++) y[i] += a * x[i];
}

/** y ← x + b y; nothing is checked. */
export function xpby(x: Float64Array, b: number, y: Float64Array): void {
  const n = x.length;
  const whole = n - (n % 4);
  for (let i = 0; i < whole; i += 4) {
    y[i] = x[i] + b * y[i];
    y[i + 1] = x[i + 1] + b * y[i + 1];
    y[i + 2] = x[i + 2] + b * y[i + 2];
    y[i + 3] = x[i + 3] + b * y[i + 3];
  }
  for (let i = whole; i < n; i++) y[i] = x[i] + b * y[i];
}

/** x ← a x; nothing is checked. */
export function scale(a: number, x: Float64Array): void {
  const n = x.length;
  const whole = n - (n % 4);
  for (let i = 0; i < whole; i += 4) {
    x[i] *= a;
    x[i + 1] *= a;
    x[i + 2] *= a;
    x[i + 3] *= a;
  }
  for (let i = whole; i < n; i++) x[i] *= a;
}

/** ‖x‖_∞; NaN if an entry is. Nothing is checked. */
export function maxAbs(x: Float64Array): number {
  let most = 0;
  for (let i = 0; i < x.length; i++) most = Math.max(most, Math.abs(x[i]));
  return most;
}

/** ‖x‖₂, right also where the squares overflow or vanish. Nothing is checked. */
export function norm2(x: Float64Array): number {
  const squares = dot(x, x);
  if (squares > 1e-280 && squares < Number.POSITIVE_INFINITY) return Math.sqrt(squares);
  const largest = maxAbs(x);
  if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) return largest;
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += (x[i] / largest) * (x[i] / largest);
  return largest * Math.sqrt(sum);
}

/** ‖x − y‖₂²; nothing is checked. */
export function squaredDistance(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return sum;
}

/** 2^k with 2^k ≤ x < 2^(k+1): a unit near x, to divide by without rounding. 1 unless 0 < x < ∞. */
export function powerOfTwoBelow(x: number): number {
  let power = 1;
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return power;
  while (power > x) power /= 2;
  while (power <= x - power) power *= 2; // x / 2 would be rounded where x is subnormal
  return power;
}
