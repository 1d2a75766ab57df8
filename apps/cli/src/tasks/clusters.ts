/** What is known of clusters once they are found: sizes and centres, agreement with classes, a model for later rows, a tree. */
import { applyScaling, type DenseMatrix, fitScaling, type Scaling } from "@curvature/linalg";
import type { Preparation } from "@curvature/linalg/tables";
import {
  type ClusterModel,
  clusterModel,
  type LabelAgreement,
  labelAgreement,
  type NomadResult,
  type Sphere,
  saveClusterModel,
  spherePoints,
  type WardMerge,
  wardTree,
} from "@curvature/optim-sdp";
import { methods, type Scaling as ScalingWord } from "./scaling.js";

/** What points go through before they are clustered. */
export interface ClusterScaling {
  /** The points as they are clustered. */
  readonly points: DenseMatrix;
  readonly scaling: Scaling | Sphere | undefined;
  /** Columns that are the same in all rows, which `standard` leaves at 0. */
  readonly constant: readonly number[];
}

export function scaledPoints(data: DenseMatrix, word: Exclude<ScalingWord, "max"> | Sphere): ClusterScaling {
  if (word === "none") return { points: data, scaling: undefined, constant: [] };
  if (typeof word === "object")
    return { points: spherePoints(data, word.order), scaling: word, constant: [] };
  const scaling = fitScaling(data, methods[word]);
  const points = applyScaling(scaling, data);
  const { rows, columns } = data;
  const isConstant = (j: number): boolean => {
    for (let i = 1; i < rows; i++) if (data.data[i * columns + j] !== data.data[j]) return false;
    return true;
  };
  const constant = word === "standard" ? Array.from({ length: columns }, (_, j) => j).filter(isConstant) : [];
  return { points, scaling, constant };
}

export interface ClusterAccount {
  /** Rows of each cluster. */
  readonly sizes: readonly number[];
  /** k × d; undefined for matrices. */
  readonly centers: DenseMatrix | undefined;
  /** In the data's units, or means of rows of length 1, or degrees. */
  readonly centersAre: "means" | "means of unit rows" | "places";
}

/** @param scaling - that the model is to know; undefined also where it would not do, as before principal components */
export function clustersOf(
  data: DenseMatrix | undefined,
  result: NomadResult,
  scaling: ClusterScaling["scaling"],
  preparation: Preparation | undefined,
): { readonly account: ClusterAccount; readonly model: ClusterModel | undefined } {
  const model = data && clusterModel(data, result, scaling, preparation);
  const sizes = Array.from(model?.parts.sizes ?? sizesOf(result.labels));
  const method = scaling?.method;
  const centersAre = method === "unit-rows" ? "means of unit rows" : method === "sphere" ? "places" : "means";
  return { account: { sizes, centers: model?.means, centersAre }, model };
}

export const modelBytes = (model: ClusterModel | undefined): Uint8Array | undefined =>
  model && saveClusterModel(model);

function sizesOf(labels: Int32Array): number[] {
  const sizes: number[] = [];
  for (const label of labels) {
    if (label < 0) continue;
    while (sizes.length <= label) sizes.push(0);
    sizes[label]++;
  }
  return sizes;
}

export interface Agreement extends LabelAgreement {
  /** Rows that have a class. */
  readonly rows: number;
}

/** Undefined where classes are names of rows, each of which has its own; rows without a class count for nothing. */
export function agreementOf(
  labels: Int32Array,
  classes: readonly string[] | undefined,
): Agreement | undefined {
  const known = (classes ?? []).flatMap((name, i) => (name === "" ? [] : [i]));
  if (classes === undefined || known.length === 0) return undefined;
  const names = known.map((i) => classes[i]);
  if (names.length > 1 && new Set(names).size === names.length) return undefined;
  return {
    rows: known.length,
    ...labelAgreement(
      known.map((i) => labels[i]),
      names,
    ),
  };
}

export interface ClusterTree {
  readonly merges: readonly WardMerge[];
  /** n × (k − 1): the labels of 2 to k groups. */
  readonly levels: DenseMatrix;
}

/** @param points - as they were clustered */
export function treeOf(points: DenseMatrix, labels: Int32Array): ClusterTree {
  const tree = wardTree(points, labels);
  const columns = Math.max(0, tree.clusters - 1);
  const data = new Float64Array(points.rows * columns);
  for (let level = 0; level < columns; level++)
    for (const [i, label] of tree.labelsOf(level + 2).entries()) data[i * columns + level] = label;
  return { merges: tree.merges, levels: { rows: points.rows, columns, data } };
}
