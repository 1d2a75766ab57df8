/**
 * The decay of `skip` rows at once: w ← (1 − skip/(t + t₀)) w. Where that factor is below 0.8, its first order would lose
 * too much (or turn negative), and the product of the single decays, (1 − 1/(t + t₀))^skip, stands for it.
 */
export function decayFactor(skip: number, time: number): number {
  const factor = 1 - skip / time;
  return factor >= 0.8 ? factor : wholePower(Math.max(0, 1 - 1 / time), skip);
}

/** By repeated squaring, which gives the same bits on every engine. */
function wholePower(base: number, exponent: number): number {
  let power = 1;
  for (let square = base, rest = exponent; rest > 0; rest = Math.floor(rest / 2), square *= square)
    if (rest % 2 === 1) power *= square;
  return power;
}
