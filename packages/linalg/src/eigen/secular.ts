/**
 * Eigenvalues of a diagonal matrix and a multiple of one dyad, D + ρ z zᵀ: the roots of the secular equation
 *
 *            f(λ) = 1/ρ + ψ(λ) + φ(λ) = 0,  ψ = Σ_{j≤i} z_j² / (d_j − λ) < 0,  φ = Σ_{j>i} z_j² / (d_j − λ) > 0,
 *
 * one of them, λ_i, between d_i and d_{i+1}, the last between d_k and d_k + ρ ‖z‖².
 *
 * Origin     the pole that λ_i is nearer to, as f in the middle tells: λ_i = d_o + μ, and only μ is sought, so that all
 *            d_j − λ_i = (d_j − d_o) − μ have small relative errors
 * Step       ψ ≈ r + s / (d_i − λ) and φ ≈ R + S / (d_{i+1} − λ), which have their values and slopes at the last λ: a
 *            quadratic equation, whose root between the poles is next. Where it leaves the bracket of signs, and every
 *            eighth time, the bracket's middle, so that there is an end
 * End        |f| is within its rounding error
 *
 * | symbol    | variable    | shape                                                              |
 * |-----------|-------------|--------------------------------------------------------------------|
 * | d, z      | d, z        | k, d increasing, no z_j and no difference of neighbours vanishing   |
 * | d_j − λ_i | differences | k × k, a row for each root                                          |
 *
 * Li: Solving secular equations stably and efficiently. LAPACK Working Note 89 (1993), "the middle way".
 */

const EPSILON = 2 ** -52;

/** λ_i into `roots`, and d_j − λ_i into row i of `differences`. */
export function secularRoots(
  d: Float64Array,
  z: Float64Array,
  rho: number,
  roots: Float64Array,
  differences: Float64Array,
): void {
  const k = d.length;
  for (let i = 0; i < k; i++) {
    const row = differences.subarray(i * k, (i + 1) * k);
    roots[i] = root(d, z, rho, i, row);
  }
}

/** λ_i, and d_j − λ_i into `row`. */
function root(d: Float64Array, z: Float64Array, rho: number, i: number, row: Float64Array): number {
  const k = d.length;
  const isLast = i === k - 1;
  const middle = (isLast ? rho : d[i + 1] - d[i]) / 2;
  let origin = i;
  let low = 0;
  let high = isLast ? 2 * rho : middle; // beyond ρ ‖z‖² whatever the rounding of z
  let mu = middle;
  for (let j = 0; j < k; j++) row[j] = d[j] - d[origin];
  for (let step = 0; ; step++) {
    let psi = 0;
    let psiSlope = 0;
    for (let j = 0; j <= i; j++) {
      const ratio = z[j] / (row[j] - mu);
      psi += z[j] * ratio;
      psiSlope += ratio * ratio;
    }
    let phi = 0;
    let phiSlope = 0;
    for (let j = i + 1; j < k; j++) {
      const ratio = z[j] / (row[j] - mu);
      phi += z[j] * ratio;
      phiSlope += ratio * ratio;
    }
    const f = 1 / rho + psi + phi;
    const slope = psiSlope + phiSlope;
    if (step === 0 && !isLast && f < 0) {
      origin = i + 1;
      mu = -middle;
      low = -middle;
      high = 0;
      for (let j = 0; j < k; j++) row[j] = d[j] - d[origin];
    }
    if (Math.abs(f) <= EPSILON * (8 * (1 / rho - psi + phi) + Math.abs(mu) * slope)) break;
    if (f < 0) low = mu;
    else high = mu;
    const below = row[i] - mu;
    const above = isLast ? 0 : row[i + 1] - mu;
    let next =
      mu + (isLast ? stepFromOne(f, psiSlope, below) : stepBetween(f, psiSlope, phiSlope, below, above));
    if (!(next > low && next < high) || step % 8 === 7) next = low + (high - low) / 2;
    if (next === low || next === high) break; // neighbouring numbers
    mu = next;
  }
  for (let j = 0; j < k; j++) row[j] -= mu;
  return d[origin] + mu;
}

/** The root's distance, by one pole at distance `below` < 0. */
function stepFromOne(f: number, slope: number, below: number): number {
  return (below * f) / (f - below * slope);
}

/** By two, at `below` < 0 < `above`. */
function stepBetween(f: number, psiSlope: number, phiSlope: number, below: number, above: number): number {
  const a = (below + above) * f - below * above * (psiSlope + phiSlope);
  const b = below * above * f;
  const c = f - below * psiSlope - above * phiSlope;
  const discriminant = Math.sqrt(Math.abs(a * a - 4 * b * c));
  return a <= 0 ? (a - discriminant) / (2 * c) : (2 * b) / (a + discriminant);
}
