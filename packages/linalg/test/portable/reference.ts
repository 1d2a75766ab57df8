/**
 * exp and log to some 200 bits, by series in whole numbers. A value v stands as the bigint round(v · 2^bits).
 */
export interface Scaled {
  readonly value: bigint;
  readonly bits: number;
}

const view = new DataView(new ArrayBuffer(8));

/** The double x = mantissa · 2^exponent exactly. */
function parts(x: number): { mantissa: bigint; exponent: number } {
  view.setFloat64(0, x);
  const word = view.getBigUint64(0);
  const field = Number((word >> 52n) & 2047n);
  const fraction = word & ((1n << 52n) - 1n);
  const magnitude = field === 0 ? fraction : fraction | (1n << 52n);
  return { mantissa: x < 0 ? -magnitude : magnitude, exponent: Math.max(field, 1) - 1075 };
}

function scaled(x: number, bits: number): bigint {
  const { mantissa, exponent } = parts(x);
  const shift = BigInt(exponent + bits);
  return shift >= 0n ? mantissa << shift : mantissa >> -shift;
}

/** 2 artanh(n / d) */
function twiceArtanh(n: bigint, d: bigint, bits: number): bigint {
  const s = (n << BigInt(bits)) / d;
  const z = (s * s) >> BigInt(bits);
  let sum = 0n;
  for (let term = s, k = 1n; term !== 0n && term !== -1n; term = (term * z) >> BigInt(bits), k += 2n)
    sum += term / k;
  return 2n * sum;
}

const ln2 = (bits: number): bigint => twiceArtanh(1n, 3n, bits);

/** e^x = value · 2^-bits, with 200 significant bits. */
export function exactExp(x: number): Scaled {
  const bits = 240;
  const X = scaled(x, bits);
  const LN2 = ln2(bits);
  const k = X / LN2;
  const r = X - k * LN2;
  let sum = 0n;
  for (let term = 1n << BigInt(bits), n = 1n; term !== 0n && term !== -1n; n++) {
    sum += term;
    term = ((term * r) >> BigInt(bits)) / n;
  }
  return { value: sum, bits: bits - Number(k) };
}

/** log(x + plus), plus 0 or 1, with 200 significant bits. */
export function exactLog(x: number, plus: 0 | 1): Scaled {
  const bits = 320 + (plus === 1 ? Math.max(0, -parts(x).exponent) : 1074);
  const X = scaled(x, bits) + (BigInt(plus) << BigInt(bits));
  const k = X.toString(2).length - bits;
  const one = 1n << BigInt(bits + k);
  const nearest = 3n * X > 2n * one ? k : k - 1; // of 2^k and 2^(k − 1), that nearer to x
  const m = 1n << BigInt(bits + nearest);
  return { value: twiceArtanh(X - m, X + m, bits) + BigInt(nearest) * ln2(bits), bits };
}

/** |y − exact| in units of the last place of y. */
export function ulpsBetween(y: number, exact: Scaled): number {
  const { mantissa, exponent } = parts(y);
  const shift = exponent + exact.bits; // y = mantissa · 2^shift in units of 2^-bits
  const resolution = 40;
  const scale = BigInt(shift - resolution);
  const inUlps = scale >= 0n ? exact.value >> scale : exact.value << -scale;
  const difference = inUlps - (mantissa << BigInt(resolution));
  return Math.abs(Number(difference)) / 2 ** resolution;
}
