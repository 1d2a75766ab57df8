/**
 * The natural logarithm by arithmetic alone: the same bits on every engine, which `Math.log` does not promise.
 *
 * Method     x = 2^k (1 + f),  √½ ≤ 1 + f < √2;  s = f / (2 + f)
 *            log x = k ln 2 + log(1 + f),   log(1 + f) = 2 artanh s = f − f²/2 + s (f²/2 + R),
 *            R = z g(z), z = s²,   g the near-minimax polynomial of degree 6 to (2 artanh(s)/s − 2)/z
 * log(1+x)   1 + x = u + e exactly (u the rounded sum); u = 2^k m, then f + c = m − 1 + 2^-k e exactly, and c
 *            enters to first order as c / (1 + f)
 * Accuracy   within 0.8 units in the last place (measured)
 *
 * The form of log(1 + f), which loses nothing where f is small, is that of FDLIBM (Sun Microsystems, 1993), e_log.c;
 * differs from it: the coefficients, and a reduction without branches.
 */
import { powerOfTwo } from "./exp.js";

const view = /* @__PURE__ */ new Float64Array(1);
const words = /* @__PURE__ */ wordsOf(view);
const HIGH_WORD = /* @__PURE__ */ highWord();

/** log x. log(±0) is −∞, log(∞) is ∞; NaN for x < 0 and for NaN. */
export function log(x: number): number {
  return x >= 2 ** -1022 && x <= 2 ** 1022 ? logPlain(x, 0) : logExtreme(x);
}

/** log(1 + x), accurate where x is small. log1p(±0) is ±0, log1p(−1) is −∞; NaN for x < −1 and for NaN. */
export function log1p(x: number): number {
  if (!(x > -1 && x <= 2 ** 1022 && x !== 0)) return log1pExtreme(x);
  const u = 1 + x;
  const one = u - x;
  const e = 1 - one + (x - (u - one));
  const k = exponent(u);
  const scale = powerOfTwo[1022 - k];
  const m1 = u * scale - 1;
  const f = m1 + e * scale;
  const c = e * scale - (f - m1);
  const s = f / (2 + f);
  return assemble(k, f, s, c * (1 - s) * (1 - s + s * s)); // 1/(1 + f) = (1 − s)/(1 + s)
}

/** log(x) + shift · ln 2 */
function logPlain(x: number, shift: number): number {
  const k = exponent(x);
  const f = x * powerOfTwo[1022 - k] - 1;
  return assemble(k + shift, f, f / (2 + f), 0);
}

/** k with √½ ≤ x / 2^k < √2: 0x95f62 takes √½ to 1 in the high words of doubles. */
function exponent(x: number): number {
  view[0] = x;
  return ((words[HIGH_WORD] + 0x95f62) >> 20) - 1023;
}

/** k ln 2 + log(1 + f) + c */
function assemble(k: number, f: number, s: number, c: number): number {
  const halfSquare = 0.5 * f * f;
  const z = s * s;
  const w = z * z;
  const odd =
    0.666666666666667 + w * (0.28571428626001427 + w * (0.18182889433757515 + w * 0.14616576421644387));
  const even = 0.3999999999989945 + w * (0.22222211130560726 + w * 0.15331711346672997);
  const R = z * (odd + z * even);
  return (
    k * 0.6931471803691238 - (halfSquare - (s * (halfSquare + R) + (k * 1.9082149292705877e-10 + c)) - f)
  );
}

function logExtreme(x: number): number {
  if (x === 0) return Number.NEGATIVE_INFINITY;
  if (!(x > 0) || x === Number.POSITIVE_INFINITY) return x < 0 ? Number.NaN : x;
  return x < 1 ? logPlain(x * 2 ** 54, -54) : logPlain(x * 2 ** -54, 54);
}

function log1pExtreme(x: number): number {
  if (x === 0) return x;
  return x <= -1 ? logExtreme(x === -1 ? 0 : x) : logExtreme(x);
}

function wordsOf({ buffer }: Float64Array): Int32Array {
  return new Int32Array(buffer);
}

function highWord(): number {
  view[0] = 1;
  return words[0] === 0 ? 1 : 0;
}
