/** What is minimised, wherever it comes from. */
import type { Model } from "@curvature/objectives/networks";
import type { Objective, SumOfFunctions } from "@curvature/optim-core";
import type { TargetScaling } from "./fit-model.js";

/** A part of the parameters: rows × columns numbers from `offset` on, row after row. */
export interface ParameterPart {
  readonly name: string;
  readonly offset: number;
  readonly rows: number;
  readonly columns: number;
}

export interface FitProblem extends SumOfFunctions {
  /** For messages: the module's file, or the objective. */
  readonly name: string;
  readonly fingerprint: string;
  readonly initial: Float64Array;
  /** F as one objective, where it has products with its curvature. */
  readonly whole: Objective | undefined;
  /** What the parameters mean, where that is known. */
  readonly layout: readonly ParameterPart[] | undefined;
  /** What its parameters compute of rows, where they do. */
  readonly model: Model | undefined;
  /** Of labels, in the order of the classes that the parameters count; empty without. */
  readonly classes: readonly (string | number)[];
  /** Of labels that are numbers. */
  readonly targets: TargetScaling | undefined;
  /** What early stopping looks at, where something is held out. */
  readonly validation: FitValidation | undefined;
}

export interface FitValidation {
  /** Held out; undefined where a module validates by itself. */
  readonly rows: number | undefined;
  /** The mean loss of these rows without the ridge; a module's figure. */
  readonly evaluate: (x: Float64Array) => number | Promise<number>;
}
