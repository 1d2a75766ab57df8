/** The result of `clusterPoints`. */
import type { ClusterChoice } from "./labels/choose-clusters.js";
import type { NomadResult } from "./nomad-result.js";

/**
 * What `nomad` returns, with labels that always have their certificate. With `noiseLabel` the rows of noise have the label −1, as
 * among the components, and memberships of 0; `cost`, `costLower` and `costGap` are those of the rows kept, and so are `x`, `Q`,
 * `factored`, the components of `layers` and the table of `choice`; `order` ends with the noise.
 */
export interface ClusterPointsResult extends NomadResult {
  readonly cost: number;
  readonly costLower: number;
  readonly costGap: number;
  /** Of all rows: noise is a uniform component, so that runs with noise labels and without can be compared. */
  readonly bic: number;
  /** With `noiseLabel` by the fence that made the labels, to whose clusters it belongs: above 3.5 is noise, and above 4.4 in a cluster of 20 rows. */
  readonly outlierScore: Float64Array;
  /** The rows that are no noise, increasing. */
  readonly kept: Int32Array;
  /** Of `clusters: "auto"`: what was tried. */
  readonly choice: ClusterChoice | undefined;
  readonly options: NomadResult["options"] & { readonly exact: boolean };
}
