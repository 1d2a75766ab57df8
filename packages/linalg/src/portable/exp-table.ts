/**
 * 2^(j/128) for j = 0 … 127 as the unevaluated sum of two doubles: the double nearest to it at 2j, the rest, rounded,
 * at 2j + 1. Whole numbers of 2^-200 are what it is made with when the module is loaded, so that every engine has the same.
 */
export const powersOfTwo128: Float64Array = /* @__PURE__ */ powers();

function powers(): Float64Array {
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
