/** The work of `curvature extend`: one map of the rows of a saved one and later rows. */
import type { DenseMatrix } from "@curvature/linalg";
import { type ExtendOptions, extendMap, type Movement, saveMap } from "@curvature/optim-spectral";
import { runWarnings } from "../read/data-warnings.js";
import type { ModelFile } from "../read/model-file.js";
import { checkColumns, denseRows, type RowsRead, unseenWarning, withColumns } from "../read/rows.js";
import type { ReportedResult } from "../write/report.js";
import { plainOptions } from "../write/report.js";
import type { Channel } from "./channel.js";
import { asDataError } from "./data-error.js";
import { phaseNames, stepOf } from "./embed.js";
import { mapIn } from "./transform.js";

export interface ExtendTaskInput {
  readonly model: ModelFile;
  readonly data: RowsRead;
  /** Plain data only. */
  readonly options: ExtendOptions;
  /** Whether the map is to be saved for later rows. */
  readonly wantsModel: boolean;
}

export interface ExtendTaskOutput {
  /** The old rows first. */
  readonly map: DenseMatrix;
  /** How many of them there are. */
  readonly old: number;
  readonly movement: Movement;
  /** Of each new row: 1 where it is farther from the old ones than any of these from its nearest. */
  readonly outside: Uint8Array;
  readonly model: Uint8Array | undefined;
  readonly result: ReportedResult & { readonly usable: boolean };
  readonly klDivergence: number | undefined;
  readonly options: Readonly<Record<string, unknown>>;
  readonly phases: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
}

export async function extendTask(
  { model: file, data, options, wantsModel }: ExtendTaskInput,
  channel: Channel,
): Promise<ExtendTaskOutput> {
  const model = mapIn(file);
  checkColumns(data.rows, data.path, model.columns);
  const unseen = unseenWarning(Math.max(0, data.rows.columns - model.columns));
  const grown = await extendMap(model, withColumns(denseRows(data.rows), model.columns), {
    ...options,
    signal: channel.signal,
    onPhase: (phase, share) => channel.phase(phaseNames[phase], share),
    onIteration: (iteration, { elapsedSeconds }) => channel.step(stepOf(iteration, elapsedSeconds)),
  }).catch((error: unknown) => {
    throw asDataError(error, { path: data.path });
  });
  const { value, gradientNorm, iterations, evaluations, passes, elapsedSeconds, status, message, usable } =
    grown;
  return {
    map: grown.embedding,
    old: grown.movement.ofEach.length,
    movement: grown.movement,
    outside: grown.outside,
    model: wantsModel ? saveMap(grown) : undefined,
    result: { value, gradientNorm, iterations, evaluations, passes, elapsedSeconds, status, usable, message },
    klDivergence: grown.klDivergence,
    options: plainOptions(grown.options),
    phases: grown.phases,
    warnings: [...(unseen === undefined ? [] : [unseen]), ...runWarnings(grown.warnings)],
  };
}
