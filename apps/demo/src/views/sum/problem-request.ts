/** Which sum is minimised, as the page asks for it and the worker makes it. */
export const planarNames = ["valleys", "bowls", "lines"] as const;
/** Of two variables, so that they can be drawn. */
export type PlanarName = (typeof planarNames)[number];
/** The others are of the digits. */
export type ObjectiveName = PlanarName | "softmax" | "mlp";

export interface ProblemRequest {
  readonly objective: ObjectiveName;
  readonly count: number;
  readonly seed: number;
}

export const isPlanar = (name: ObjectiveName): name is PlanarName =>
  planarNames.some((planar) => planar === name);

/** The grey value of full ink: pixels are divided by it. */
export const mostInk = 16;
/** Hidden units of the network. */
export const hiddenUnits = 16;
