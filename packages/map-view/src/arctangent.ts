/** The angle of a direction, with arithmetic and roots alone: the same bits in every engine. */

/** Of (x, y) from the x axis, in degrees from −180 to 180; 0 for no direction. To 1e-9 degrees. */
export function degreesOf(x: number, y: number): number {
  const [width, height] = [Math.abs(x), Math.abs(y)];
  const larger = Math.max(width, height);
  if (!(larger > 0)) return 0;
  let tangent = Math.min(width, height) / larger;
  for (let halving = 0; halving < 3; halving++) tangent /= 1 + Math.sqrt(1 + tangent * tangent);
  // 8 (t − t³/3 + t⁵/5 − …), t at most tan(π/32)
  const square = tangent * tangent;
  let sum = 0;
  for (let power = 11; power > 0; power -= 2) sum = 1 / power - square * sum;
  const within = ((8 * 180) / Math.PI) * tangent * sum;
  const fromX = width >= height ? within : 90 - within;
  const upper = x < 0 ? 180 - fromX : fromX;
  return y < 0 ? -upper : upper;
}
