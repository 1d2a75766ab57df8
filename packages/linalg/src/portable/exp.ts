/**
 * The exponential function by arithmetic alone: the same bits on every engine, which `Math.exp` does not promise.
 *
 * Method     x = (k/128) ln 2 + r, |r| ≤ ln 2/256;  k = 128 m + j
 *            e^x = 2^m · 2^(j/128) · e^r,   e^r − 1 by its Taylor polynomial of degree 5 (remainder < 2^-60)
 * Accuracy   within 0.51 units in the last place for normal results; subnormal ones are rounded once more
 *
 * | symbol      | variable   | value                                                        |
 * |-------------|------------|--------------------------------------------------------------|
 * | k           | k          | nearest integer to 128 x / ln 2                              |
 * | (ln 2)/128  | 0.00541… + 1.49…e-12 | the high part has 32 bits, so that its product with k is exact |
 * | 2^(j/128)   | T + table[2j + 1]    | from its table                                   |
 * | e^r − 1     | p          |                                                              |
 *
 * The constants stand in the function, since bundlers turn a module's constants into variables (1.3 times slower).
 *
 * Tang: Table-driven implementation of the exponential function in IEEE floating-point arithmetic. ACM TOMS 15
 * (1989) 144-157. doi:10.1145/63522.214389. Differs from the paper: 128 table entries instead of 32, and a
 * Taylor polynomial, which at this |r| is as good as the minimax one.
 */
/** e^x. exp(NaN) is NaN, exp(−∞) is 0; overflows to ∞ above 709.78…, underflows to 0 below −745.13…. */
export function exp(x: number): number {
  return Math.abs(x) < 708 ? scaledExp(x, 0) : expExtreme(x);
}

/** e^x · 2^shift, for results in the normal range. */
function scaledExp(x: number, shift: number): number {
  const kRounded = x * 184.6649652337873 + 6755399441055744 - 6755399441055744; // adding 1.5 · 2^52 rounds
  const k = kRounded | 0;
  const r = x - kRounded * 0.00541521234663378 - kRounded * 1.4907929134926466e-12;
  const r2 = r * r;
  const p = r + r2 * (0.5 + r * (1 / 6) + r2 * (1 / 24 + r * (1 / 120)));
  const j = (k & 127) << 1;
  const T = powersOfTwo128[j];
  return (T + (powersOfTwo128[j + 1] + T * p)) * powerOfTwo[(k >> 7) + 1022 + shift];
}

/** e^x where 2^m may leave the normal range: scaled back by a last product, which overflows or rounds as it must. */
function expExtreme(x: number): number {
  if (x > 709.8) return Number.POSITIVE_INFINITY;
  if (x < -745.2) return 0;
  return x > 0 ? scaledExp(x, -64) * 2 ** 64 : scaledExp(x, 64) * 2 ** -64;
}

/**
 * 2^(j/128) for j = 0 … 127 as the unevaluated sum of two doubles: the double nearest to it at 2j, the rest, rounded,
 * at 2j + 1. Whole numbers of 2^-200 are what it is made with when the module is loaded, so that every engine has the same.
 */
export const powersOfTwo128: Float64Array = /* @__PURE__ */ fractionalPowers();

function fractionalPowers(): Float64Array {
  const bits = 200n;
  const table = new Float64Array(256);
  let root = 2n << bits;
  for (let halvings = 0; halvings < 7; halvings++) root = squareRoot(root << bits, root);
  for (let j = 0, power = 1n << bits; j < 128; j++, power = (power * root) >> bits) {
    const nearest = Number(power);
    table[2 * j] = nearest * 2 ** -200;
    table[2 * j + 1] = Number(power - BigInt(nearest)) * 2 ** -200;
  }
  return table;
}

/** ⌊√x⌋ by Newton's iteration from above: it falls until it is there. */
function squareRoot(x: bigint, above: bigint): bigint {
  const next = (above + x / above) >> 1n;
  return next < above ? squareRoot(x, next) : above;
}

/** 2^e at e + 1022, for e = −1022 … 1023, the normal doubles: scaling by it costs one load and one product, and is exact. */
export const powerOfTwo: Float64Array = /* @__PURE__ */ powers();

function powers(): Float64Array {
  const table = new Float64Array(2046);
  for (let e = 0, p = 1; e <= 1023; e++, p *= 2) table[e + 1022] = p;
  for (let e = -1, p = 0.5; e >= -1022; e--, p *= 0.5) table[e + 1022] = p;
  return table;
}
