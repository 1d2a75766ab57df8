/**
 * What a network is made of. A layer maps the rows of a minibatch, A (rows × inputs) to Z (rows × outputs), row-major; its
 * parameters lie inside the network's x at places that it knows. With D = ∂f/∂Z,
 *
 *   forward    Z ← z(A; x)
 *   backward   ∂f/∂x += (∂z/∂x)ᵀ D,   ∂f/∂A ← (∂z/∂A)ᵀ D
 *   tangent    Ż ← (∂z/∂A) Ȧ + (∂z/∂x) v
 *
 * `backward` and `tangent` follow a `forward` of the same rows.
 */
import type { RandomGenerator } from "@curvature/linalg";

export interface Layer {
  /** Numbers per row. */
  readonly inputs: number;
  readonly outputs: number;
  forward(rows: number, x: Float64Array, A: Float64Array, Z: Float64Array): void;
  /** @param inputSlopes - gets ∂f/∂A; left out for the first layer, whose inputs are data */
  backward(
    rows: number,
    x: Float64Array,
    A: Float64Array,
    D: Float64Array,
    gradient: Float64Array,
    inputSlopes: Float64Array | undefined,
  ): void;
  /** @param inputTangent - Ȧ; left out where it is zero */
  tangent(
    rows: number,
    x: Float64Array,
    v: Float64Array,
    A: Float64Array,
    inputTangent: Float64Array | undefined,
    outputTangent: Float64Array,
  ): void;
  /** Draws the layer's parameters into x, which comes filled with zeros. */
  initialize(random: RandomGenerator, x: Float64Array): void;
}
