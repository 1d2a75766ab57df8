/**
 * An expression at one row after another, with its derivatives by the parameters: values go forward through its nodes, then
 * the derivative of the last by each of them goes backward (reverse differentiation), which is exact and costs a few times
 * the value, however many parameters there are.
 */
import { log } from "@curvature/linalg";
import { functionNamed } from "./functions.js";
import { PI } from "./names.js";
import type { Expression } from "./parse-formula.js";

export class Tape {
  private readonly values: Float64Array;
  private readonly slopes: Float64Array;
  /** Where a name's value is: that of a column, that of a parameter behind all columns; −1 for what is no name. */
  private readonly places: Int32Array;
  /** Whether a node's value depends on parameters. */
  private readonly varies: readonly boolean[];

  constructor(
    private readonly nodes: Expression,
    private readonly columns: readonly string[],
    parameters: readonly string[] = [],
  ) {
    this.values = new Float64Array(nodes.length);
    this.slopes = new Float64Array(nodes.length);
    const names = [...columns, ...parameters];
    this.places = Int32Array.from(nodes, (node) => (node.kind === "name" ? names.indexOf(node.name) : -1));
    const varies: boolean[] = [];
    for (const [k, node] of nodes.entries())
      varies.push(this.places[k] >= columns.length || operandsOf(node).some((at) => varies[at]));
    this.varies = varies;
  }

  /** @param data - has the row's columns from `at` on; `x` are the parameters */
  value(data: Float64Array, at: number, x: ArrayLike<number> = []): number {
    const { nodes, values, places } = this;
    const count = this.columns.length;
    for (let k = 0; k < nodes.length; k++) {
      const node = nodes[k];
      switch (node.kind) {
        case "number":
          values[k] = node.value;
          break;
        case "name": {
          const place = places[k];
          values[k] =
            place < 0 ? numberNamed(node.name) : place < count ? data[at + place] : x[place - count];
          break;
        }
        case "negative":
          values[k] = -values[node.of];
          break;
        case "call":
          values[k] = functionNamed(node.name).value(values[node.of]);
          break;
        case "operation":
          values[k] = operated(node.sign, values[node.left], values[node.right]);
      }
    }
    return values[nodes.length - 1];
  }

  /** @param gradient - gets the derivatives by the parameters. @returns the value */
  gradient(data: Float64Array, at: number, x: ArrayLike<number>, gradient: Float64Array): number {
    const { nodes, values, slopes, places, varies } = this;
    const count = this.columns.length;
    const value = this.value(data, at, x);
    slopes.fill(0);
    slopes[nodes.length - 1] = 1;
    gradient.fill(0);
    for (let k = nodes.length - 1; k >= 0; k--) {
      const node = nodes[k];
      const slope = slopes[k];
      if (slope === 0 || !varies[k]) continue; // 0 times an infinite derivative is still 0
      switch (node.kind) {
        case "number":
          break;
        case "name":
          if (places[k] >= count) gradient[places[k] - count] += slope;
          break;
        case "negative":
          slopes[node.of] -= slope;
          break;
        case "call":
          slopes[node.of] += slope * functionNamed(node.name).slope(values[node.of], values[k]);
          break;
        case "operation":
          this.backThrough(node, slope, values[k]);
      }
    }
    return value;
  }

  /** @param slope - the derivative by the operation, whose value is `value` */
  private backThrough({ sign, left, right }: Operation, slope: number, value: number): void {
    const { slopes } = this;
    const [a, b] = [this.values[left], this.values[right]];
    switch (sign) {
      case "+":
        slopes[left] += slope;
        slopes[right] += slope;
        break;
      case "-":
        slopes[left] += slope;
        slopes[right] -= slope;
        break;
      case "*":
        slopes[left] += slope * b;
        slopes[right] += slope * a;
        break;
      case "/":
        slopes[left] += slope / b;
        slopes[right] -= (slope * value) / b;
        break;
      case "^":
        // The limits: 0^b does not change with b, and a^0 not with a.
        if (b !== 0) slopes[left] += slope * b * a ** (b - 1);
        if (this.varies[right] && !(a === 0 && b > 0)) slopes[right] += slope * value * log(a);
    }
  }
}

type Operation = Extract<Expression[number], { kind: "operation" }>;

function operandsOf(node: Expression[number]): readonly number[] {
  if (node.kind === "operation") return [node.left, node.right];
  return node.kind === "negative" || node.kind === "call" ? [node.of] : [];
}

const numberNamed = (name: string): number => (name === PI ? Math.PI : Number.NaN);

function operated(sign: Operation["sign"], a: number, b: number): number {
  switch (sign) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / b;
    case "^":
      return a ** b;
  }
}
