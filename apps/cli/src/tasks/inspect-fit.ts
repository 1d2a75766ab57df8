/** The work of `curvature inspect` on a model of `curvature fit`: what it computes of a row, as plain data. */
import { preparedNames } from "@curvature/linalg/tables";
import type { LayerShape } from "@curvature/objectives/networks";
import type { ModelFile } from "../read/model-file.js";
import type { Channel } from "./channel.js";
import { fitModelIn } from "./fit/fit-model.js";
import { type ObjectiveName, objectives } from "./fit/objectives.js";

export interface FitInspection {
  readonly objective: ObjectiveName;
  readonly title: string;
  readonly classes: readonly (string | number)[];
  /** The labels' column. */
  readonly target: string | undefined;
  /** Of numbers: those of the fit. */
  readonly targets: { readonly mean: number; readonly deviation: number } | undefined;
  readonly inputs: number;
  /** Names of the inputs, where the table had columns. */
  readonly columns: readonly string[] | undefined;
  readonly scaling: string;
  /** In words, from the inputs to the outputs. */
  readonly layers: readonly string[];
  readonly link: string;
  readonly parameters: number;
}

export function inspectFitTask({ path, bytes }: ModelFile, _: Channel): FitInspection {
  const { objective, model, parameters, scaling, classes, targets, preparation } = fitModelIn(path, bytes);
  const { inputs, layers, link } = model.shape;
  return {
    objective,
    title: objectives[objective].title,
    classes,
    target: preparation?.labels,
    targets,
    inputs,
    columns: preparation === undefined ? undefined : preparedNames(preparation),
    scaling: scaling?.method ?? "none",
    layers: layers.map(layerWords),
    link,
    parameters: parameters.length,
  };
}

function layerWords(layer: LayerShape): string {
  if (layer.kind === "max-pool") return `the largest of each ${layer.side} x ${layer.side} tile`;
  if (layer.kind === "convolution")
    return `${layer.filters.rows} maps by filters of ${layer.side} x ${layer.side}, ${layer.activation}`;
  const { weights, isTransposed, biases, activation } = layer;
  const [outputs, all] = isTransposed ? [weights.columns, weights.rows] : [weights.rows, weights.columns];
  return `${biases === "last-column" ? all - 1 : all} to ${outputs}, ${activation}`;
}
