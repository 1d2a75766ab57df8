/** The work of `curvature transform`: the places of later rows in a map; and what a saved map is. */
import { CurvatureError, type DenseMatrix } from "@curvature/linalg";
import { numericPreparation, type Preparation } from "@curvature/linalg/tables";
import { loadMap, type MapModel, type PlacedPoints, type TransformPhase } from "@curvature/optim-spectral";
import { runWarnings } from "../read/data-warnings.js";
import { formatOf, type ModelFile } from "../read/model-file.js";
import { checkColumns, denseRows, type RowsRead, unseenWarning, withColumns } from "../read/rows.js";
import { inFlags } from "../run/flag-names.js";
import type { Channel } from "./channel.js";
import { asDataError } from "./data-error.js";

export const isMapModel = (bytes: Uint8Array): boolean => formatOf(bytes) === "curvature-map";

/** To those who take another model. */
export const mapInstead = (path: string): CurvatureError =>
  new CurvatureError(
    "ERR_PARSE",
    `${path} is a map of curvature embed; curvature transform places rows in it.`,
    { path },
  );

/** How a map wants its rows to be read. */
export function mapModelTask(file: ModelFile): { readonly preparation: Preparation } {
  const { columns, parts } = mapIn(file);
  return { preparation: parts.preparation ?? numericPreparation(columns) };
}

export interface TransformTaskInput {
  readonly model: ModelFile;
  readonly data: RowsRead;
}

export interface TransformTaskOutput extends Omit<PlacedPoints, "warnings"> {
  /** The map itself. */
  readonly places: DenseMatrix;
  readonly warnings: readonly string[];
}

const phaseNames = {
  neighbors: "neighbours",
  affinities: "affinities",
  placement: "placing",
} as const satisfies Record<TransformPhase, string>;

export async function transformTask(
  { model: file, data }: TransformTaskInput,
  channel: Channel,
): Promise<TransformTaskOutput> {
  const model = mapIn(file);
  checkColumns(data.rows, data.path, model.columns);
  const unseen = unseenWarning(Math.max(0, data.rows.columns - model.columns));
  const { warnings, ...placed } = await model
    .transform(withColumns(denseRows(data.rows), model.columns), {
      signal: channel.signal,
      onPhase: (phase, share) => channel.phase(phase === "optimization" ? "" : phaseNames[phase], share),
    })
    .catch((error: unknown) => {
      throw asDataError(error, { path: data.path });
    });
  return {
    ...placed,
    places: model.parts.places,
    warnings: [...(unseen === undefined ? [] : [unseen]), ...runWarnings(warnings)],
  };
}

/** @throws CurvatureError ERR_PARSE, with the file's name */
export function mapIn({ path, bytes }: ModelFile): MapModel {
  const format = formatOf(bytes);
  if (format !== undefined && format !== "curvature-map")
    throw new CurvatureError(
      "ERR_PARSE",
      `${path} is a model, and no map; curvature ${format === "curvature-cluster-model" ? "assign" : "predict"} takes it. curvature embed --model writes maps.`,
      { path },
    );
  try {
    return loadMap(bytes);
  } catch (error) {
    if (!(error instanceof CurvatureError)) throw error;
    throw new CurvatureError(error.code, `${path}: ${inFlags(error)}`, { path, cause: error });
  }
}
