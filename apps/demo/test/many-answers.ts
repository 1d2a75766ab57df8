/** Comparisons that keep the Ordinal view busy until it is stopped, as CSV. */
export function manyAnswers(): string {
  const objects = 3000;
  const lines = Array.from({ length: 60_000 }, (_, q) => [
    q % objects,
    (q * 7 + 1) % objects,
    (q * 13 + 5) % objects,
  ]).filter(([i, j, k]) => i !== j && j !== k && i !== k);
  return lines.map((line) => line.join()).join("\n");
}
