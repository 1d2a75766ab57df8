/** Powers of two by table: scaling by 2^e costs one load and one product, and is exact for normal results. */

/** 2^e stands at e + 1022, for e = −1022 … 1023: the normal doubles. */
export const powerOfTwo: Float64Array = /* @__PURE__ */ powers();

function powers(): Float64Array {
  const table = new Float64Array(2046);
  for (let e = 0, p = 1; e <= 1023; e++, p *= 2) table[e + 1022] = p;
  for (let e = -1, p = 0.5; e >= -1022; e--, p *= 0.5) table[e + 1022] = p;
  return table;
}
