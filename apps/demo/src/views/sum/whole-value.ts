interface Sum {
  readonly count: number;
  evaluate(index: number, x: Float64Array): number;
}

/** F(x), added up in the order of the indices. */
export function wholeValue(sum: Sum, x: Float64Array): number {
  let value = 0;
  for (let i = 0; i < sum.count; i++) value += sum.evaluate(i, x);
  return value;
}
