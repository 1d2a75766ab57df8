/** The work of `curvature assign`: the clusters of later rows; and what a model of clusters is. */
import { CurvatureError } from "@curvature/linalg";
import { numericPreparation, type Preparation, preparedNames } from "@curvature/linalg/tables";
import {
  type ClusterAssignment,
  type ClusterModel,
  loadClusterModel,
  radiusShares,
} from "@curvature/optim-sdp";
import { formatOf, type ModelFile } from "../read/model-file.js";
import { checkPlaces } from "../read/places.js";
import { checkColumns, denseRows, type RowsRead, unseenWarning, withColumns } from "../read/rows.js";
import { inFlags } from "../run/flag-names.js";
import type { Channel } from "./channel.js";
import { type Agreement, agreementOf } from "./clusters.js";
import { isMapModel, mapInstead } from "./transform.js";

export const isClusterModel = (bytes: Uint8Array): boolean => formatOf(bytes) === "curvature-cluster-model";

export interface ClusterInspection {
  readonly clusters: number;
  readonly features: number;
  /** Their names, where the table had names. */
  readonly columns: readonly string[] | undefined;
  readonly scaling: string;
  readonly cost: number | undefined;
  readonly costLower: number | undefined;
  readonly sizes: readonly number[];
  /** Of each cluster, in the data's units, or means of rows of length 1, or degrees. */
  readonly centers: readonly (readonly number[])[];
  /** Shares of the rows of each cluster, and the distances from the centre within which they lie. */
  readonly radiusShares: readonly number[];
  readonly radii: readonly (readonly number[])[];
}

/** What a model is, and how it wants its rows to be read. */
export function clusterModelTask(
  file: ModelFile,
  _: Channel,
): { readonly inspection: ClusterInspection; readonly preparation: Preparation } {
  const model = clusterModelIn(file);
  const { clusters, features, means, parts } = model;
  const { scaling, cost, costLower, sizes, radii, preparation } = parts;
  const rowsOf = (data: Float64Array): number[][] =>
    Array.from({ length: clusters }, (_row, c) =>
      Array.from(data.subarray((c * data.length) / clusters, ((c + 1) * data.length) / clusters)),
    );
  return {
    inspection: {
      clusters,
      features,
      columns: preparation?.isNamed === true ? preparedNames(preparation) : undefined,
      scaling: scaling?.method ?? "none",
      cost,
      costLower,
      sizes: Array.from(sizes),
      centers: rowsOf(means.data),
      radiusShares,
      radii: rowsOf(radii.data),
    },
    preparation: preparation ?? numericPreparation(features),
  };
}

export interface AssignTaskInput {
  readonly model: ModelFile;
  readonly data: RowsRead;
  readonly classes: readonly string[] | undefined;
}

export interface AssignTaskOutput extends ClusterAssignment {
  /** Rows of each cluster, and how many of them are outside. */
  readonly sizes: readonly number[];
  readonly outsiders: readonly number[];
  readonly agreement: Agreement | undefined;
  readonly warnings: readonly string[];
}

export function assignTask(
  { model: file, data, classes }: AssignTaskInput,
  channel: Channel,
): AssignTaskOutput {
  const model = clusterModelIn(file);
  checkColumns(data.rows, data.path, model.features);
  const unseen = unseenWarning(Math.max(0, data.rows.columns - model.features));
  channel.phase("assigning");
  const { scaling } = model.parts;
  if (scaling?.method === "sphere")
    checkPlaces(withColumns(denseRows(data.rows), model.features), scaling.order, data.path);
  const assignment = assigned(model, data);
  const { labels, outside } = assignment;
  const sizes = new Array<number>(model.clusters).fill(0);
  const outsiders = new Array<number>(model.clusters).fill(0);
  for (const [i, c] of labels.entries()) {
    sizes[c]++;
    outsiders[c] += outside[i];
  }
  return {
    ...assignment,
    sizes,
    outsiders,
    agreement: agreementOf(labels, classes),
    warnings: unseen === undefined ? [] : [unseen],
  };
}

/** Rows are counted from 1 here, and are the user's data. */
function assigned(model: ClusterModel, { path, rows }: RowsRead): ClusterAssignment {
  try {
    return model.assign(withColumns(denseRows(rows), model.features));
  } catch (error) {
    if (!(error instanceof CurvatureError) || error.code !== "ERR_ARGUMENT") throw error;
    const row = typeof error.received === "number" ? error.received + 1 : undefined;
    throw new CurvatureError(
      "ERR_PARSE",
      `${path}: Row ${row} of the data (counted from 1) is all 0 and has no direction, which this model of --metric cosine goes by. Leave it out.`,
      {
        path,
        received: row,
      },
    );
  }
}

/** @throws CurvatureError ERR_PARSE, with the file's name */
function clusterModelIn({ path, bytes }: ModelFile): ClusterModel {
  const format = formatOf(bytes);
  const other = {
    "curvature-linear-model": "train",
    "curvature-fit-model": "fit",
    "curvature-formula": "fit",
  };
  const command = Object.entries(other).find(([name]) => name === format)?.[1];
  if (isMapModel(bytes)) throw mapInstead(path);
  if (command !== undefined)
    throw new CurvatureError(
      "ERR_PARSE",
      `${path} is a model of curvature ${command}, and none of clusters; curvature predict takes it.`,
      { path },
    );
  try {
    return loadClusterModel(bytes);
  } catch (error) {
    if (!(error instanceof CurvatureError)) throw error;
    throw new CurvatureError(error.code, `${path}: ${inFlags(error)}`, { path, cause: error });
  }
}
