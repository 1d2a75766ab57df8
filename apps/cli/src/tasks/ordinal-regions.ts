/** How sure the places of a map are, from samples of its answers. */
import { type BootstrapOptions, type BootstrapResult, bootstrapEmbedding } from "@curvature/optim-svrg";
import type { Answers } from "../read/answers.js";
import type { Channel } from "./channel.js";

export interface RegionsRequest {
  /** The probability with which a region holds its place. */
  readonly share: number;
  readonly samples: number;
}

export interface RegionFigures
  extends Pick<BootstrapResult, "samples" | "resampled" | "isMeaningless" | "spread"> {
  readonly share: number;
  /** Of each object half of the longer axis, half of the shorter one and the direction of the longer, n × 4; of maps with two axes. */
  readonly ellipses: Float64Array | undefined;
}

export async function regionFigures(
  answers: Answers,
  { share, samples }: RegionsRequest,
  fit: BootstrapOptions,
  channel: Channel,
): Promise<RegionFigures> {
  channel.phase("regions: a map by another loss");
  const found = await bootstrapEmbedding(answers, {
    ...fit,
    samples,
    signal: channel.signal,
    onSample: (sample) => channel.phase(`regions: sample ${sample} of ${samples}`, sample / samples),
  });
  const { embedding, resampled, isMeaningless, spread } = found;
  const ellipses = embedding.columns === 2 ? new Float64Array(4 * embedding.rows) : undefined;
  for (let object = 0; ellipses !== undefined && object < embedding.rows; object++) {
    const { major, minor, direction } = found.ellipse(object, share);
    ellipses.set([major, minor, ...direction], 4 * object);
  }
  return { share, samples, resampled, isMeaningless, spread, ellipses };
}
