/** The options of a Gram matrix, apart from what makes it: `nomad` has them too, and loads the rest when it is called. */
import { type OptionsOf, oneOf, optionTable, positive } from "@curvature/linalg";

/** Bytes that the dense arrays of one problem may take together, where the caller says nothing else: 4 GiB. */
export const defaultMemoryLimit = 2 ** 32;

export const memoryOptions = optionTable({
  /** Bytes that dense n × n arrays may take, those of the solvers included. */
  memoryLimit: positive.default(defaultMemoryLimit),
});

export const gramMatrixOptions = optionTable({
  /**
   * Whether points are divided by the largest norm of a row before centring, "norm", or not, "none". Value and bounds are in
   * that unit.
   */
  scale: oneOf("norm", "none").default("norm"),
  ...memoryOptions.entries,
});
export type GramMatrixOptions = OptionsOf<typeof gramMatrixOptions>;
