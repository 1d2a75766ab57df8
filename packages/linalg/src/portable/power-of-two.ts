/** Powers of two, by table and near a number: scaling by 2^e is exact for normal results, and by the table costs one load and one product. */

/** 2^e stands at e + 1022, for e = −1022 … 1023: the normal doubles. */
export const powerOfTwo: Float64Array = /* @__PURE__ */ powers();

function powers(): Float64Array {
  const table = new Float64Array(2046);
  for (let e = 0, p = 1; e <= 1023; e++, p *= 2) table[e + 1022] = p;
  for (let e = -1, p = 0.5; e >= -1022; e--, p *= 0.5) table[e + 1022] = p;
  return table;
}

/** 2^k with 2^k ≤ x < 2^(k+1): a unit near x, to divide by without rounding. 1 unless 0 < x < ∞. */
export function powerOfTwoBelow(x: number): number {
  let power = 1;
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return power;
  while (power > x) power /= 2;
  while (power <= x / 2) power *= 2;
  return power;
}
