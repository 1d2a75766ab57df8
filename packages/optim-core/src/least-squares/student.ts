/**
 * Quantiles of Student's t distribution with ν degrees of freedom, ν = 1, 2, 3 …, by arithmetic alone.
 *
 *   t = √ν tan θ;   P(|T| ≤ t) = A(θ),   A′(θ) = c cos^{ν−1} θ
 *   ν odd    A = (2/π) (θ + sin θ (cos θ + (2/3) cos³θ + … + (2·4…(ν−3))/(3·5…(ν−2)) cos^{ν−2}θ))
 *   ν even   A = sin θ (1 + (1/2) cos²θ + … + (1·3…(ν−3))/(2·4…(ν−2)) cos^{ν−2}θ)
 *
 * Newton's iteration from θ = 0 rises to the solution of A(θ) = level, since A is concave.
 *
 * Abramowitz, Stegun: Handbook of Mathematical Functions (1964), 26.7.3 and 26.7.4. Beyond 10⁵ degrees of freedom the first
 * term of 26.7.5 takes t from there to ν, which is right to 10⁻⁹.
 */
import { cos, sin } from "@curvature/linalg";

const MANY = 1e5;
const ITERATIONS = 100;

/** t with P(|T| ≤ t) = level. @param degrees - a whole number of at least 1 */
export function studentQuantile(level: number, degrees: number): number {
  const nu = Math.min(degrees, MANY);
  let theta = 0;
  for (let k = 0; k < ITERATIONS; k++) {
    const { probability, density } = within(theta, nu);
    const next = theta + (level - probability) / density;
    if (!(next > theta)) break;
    theta = next;
  }
  const t = (Math.sqrt(nu) * sin(theta)) / cos(theta);
  return degrees <= MANY ? t : t + ((t * t * t + t) / 4) * (1 / degrees - 1 / MANY);
}

/** A(θ) and A′(θ). */
function within(theta: number, nu: number) {
  const [s, c] = [sin(theta), cos(theta)];
  const isOdd = nu % 2 === 1;
  const unit = isOdd ? 2 / Math.PI : 1;
  let term = isOdd ? c : 1;
  let sum = nu === 1 ? 0 : term;
  let power = 1; // the term without its cosines, times the k before it: c / unit
  let k = isOdd ? 3 : 2;
  for (; k < nu; k += 2) {
    term *= (c * c * (k - 1)) / k;
    sum += term;
    power *= (k - 1) / k;
  }
  const highest = nu === 1 ? 1 : power * (nu - 1);
  let cosines = nu === 1 ? 1 : term / power; // cos^{ν−2} θ
  if (nu > 1) cosines *= c;
  return { probability: unit * ((isOdd ? theta : 0) + s * sum), density: unit * highest * cosines };
}
