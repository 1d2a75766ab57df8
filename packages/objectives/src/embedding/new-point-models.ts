/** The models that can place new points in a finished map (see `new-points.ts`): kernel, attraction, and whether by probabilities. */
import { logarithmic, quadratic } from "./kernels/attraction.js";
import { gaussian } from "./kernels/gaussian.js";
import type { Kernel, PairFunction } from "./kernels/pair-function.js";
import { student } from "./kernels/student.js";

export interface NewPointModel {
  readonly kernel: Kernel;
  readonly attraction: PairFunction;
  readonly isNormalized: boolean;
}

export const newPointModels = Object.freeze({
  tsne: { kernel: student, attraction: logarithmic, isNormalized: true },
  ssne: { kernel: gaussian, attraction: quadratic, isNormalized: true },
  sne: { kernel: gaussian, attraction: quadratic, isNormalized: true },
  ee: { kernel: gaussian, attraction: quadratic, isNormalized: false },
  tee: { kernel: student, attraction: logarithmic, isNormalized: false },
}) satisfies Readonly<Record<string, NewPointModel>>;

/** The models, by the names of their objectives, that can place new points. */
export type OutOfSampleModel = keyof typeof newPointModels;
