/**
 * Activations a = φ(z), in place on the outputs of a layer. All of them have slopes that follow from the activation
 * alone, so that z need not be kept:
 *
 * | name               | φ(z)            | φ′       |
 * |--------------------|-----------------|----------|
 * | "sigmoid"          | 1/(1 + e^−z)    | a (1 − a) |
 * | "tanh"             | tanh z          | 1 − a²   |
 * | "rectified-linear" | max(0, z)       | 1 if a > 0, else 0 |
 * | "linear"           | z               | 1        |
 */
import { exp, oneOf } from "@curvature/linalg";

export type ActivationName = "sigmoid" | "tanh" | "rectified-linear" | "linear";

export interface Activation {
  /** z ← φ(z), the first `length` of them. */
  apply(z: Float64Array, length: number): void;
  /** d ← φ′ d */
  timesSlope(a: Float64Array, d: Float64Array, length: number): void;
}

const sigmoid: Activation = {
  apply(z, length) {
    for (let e = 0; e < length; e++) z[e] = 1 / (1 + exp(-z[e]));
  },
  timesSlope(a, d, length) {
    for (let e = 0; e < length; e++) d[e] *= a[e] * (1 - a[e]);
  },
};

const hyperbolicTangent: Activation = {
  apply(z, length) {
    for (let e = 0; e < length; e++) z[e] = tanh(z[e]);
  },
  timesSlope(a, d, length) {
    for (let e = 0; e < length; e++) d[e] *= 1 - a[e] * a[e];
  },
};

const rectifiedLinear: Activation = {
  apply(z, length) {
    for (let e = 0; e < length; e++) z[e] = Math.max(z[e], 0); // a NaN stays one
  },
  timesSlope(a, d, length) {
    for (let e = 0; e < length; e++) d[e] = a[e] > 0 ? d[e] : 0;
  },
};

const linear: Activation = { apply() {}, timesSlope() {} };

const activations: Readonly<Record<ActivationName, Activation>> = {
  sigmoid,
  tanh: hyperbolicTangent,
  "rectified-linear": rectifiedLinear,
  linear,
};

export const activationNamed = (name: ActivationName): Activation => activations[name];
export const anActivation = oneOf("sigmoid", "tanh", "rectified-linear", "linear");

/**
 * tanh z by arithmetic alone, within 3 units in the last place (measured): near 0 the continued fraction
 * z/(1 + z²/(3 + z²/(5 + … 13))), written as z less a quotient of polynomials; beyond, (1 − e)/(1 + e) with e = e^−2|z|.
 */
export function tanh(z: number): number {
  const size = Math.abs(z);
  if (size >= 0.4) {
    const e = exp(-2 * size);
    const t = (1 - e) / (1 + e);
    return z < 0 ? -t : t;
  }
  const q = z * z;
  const P = 45045 + q * (2772 + 27 * q);
  const Q = 135135 + q * (62370 + q * (3150 + 28 * q));
  return z - (z * q * P) / Q;
}
