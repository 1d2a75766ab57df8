/** What a user of `nomad` should know about the answer. */
import type { RunResult } from "@curvature/optim-core";
import type { Layers } from "./layers.js";
import type { NomadSettings } from "./nomad-options.js";
import type { NomadLayer } from "./nomad-result.js";
import { reasonForNone } from "./solvers/auto-options.js";

export function nomadWarnings(
  { status }: RunResult,
  layers: Layers,
  shown: NomadLayer,
  settings: NomadSettings,
): string[] {
  const warnings: string[] = [];
  const { layers: finished, attempts, stage } = layers;
  const isCut = status === "aborted" || status === "time-limit" || status === "max-iterations";
  if (isCut && (stage.layer > 1 || !stage.isLast))
    warnings.push(
      `The run was stopped in layer ${stage.layer}; the result is that of K = ${shown.clusters}.`,
    );
  if (shown.gap === Number.POSITIVE_INFINITY)
    warnings.push(
      `There is no upper bound: the value is a lower bound, and how far it is from the best possible one is not known.${whyNone(layers.n, shown, settings)}`,
    );
  if (shown.clusters > 1 && shown.upper === 0 && shown.lower === 0)
    warnings.push(
      "All points are the same, or differ by less than double precision holds of their products: nothing tells clusters apart. Rescale the data if they are small.",
    );
  if (settings.layers === "auto" && !isCut && finished.length < 2 && attempts.length > 0)
    warnings.push(
      `No number of components settled in ${attempts.length} sequences of layers: the result is one layer of K = ${shown.clusters}, as it is. Noise may bridge what is apart, or split what is one: see attempts, or give the layers.`,
    );
  return warnings;
}

/** Where a certificate was not asked for, or refused, the result says so itself. */
function whyNone(n: number, { clusters }: NomadLayer, { certify, memoryLimit }: NomadSettings): string {
  const reason = certify === "auto" ? reasonForNone(certify, n, clusters, memoryLimit) : undefined;
  return reason === undefined ? "" : ` ${reason}`;
}
