import { decodeCheckpoint, encodeCheckpoint } from "@curvature/optim-core";

/** The checkpoint of a fit that its solver has ended, as that of one that goes on: its solver is asked again, at the tolerance of now. */
export function reopened(resume: Uint8Array): Uint8Array {
  if (!(resume instanceof Uint8Array)) return resume; // for `run` to refuse
  const checkpoint = decodeCheckpoint(resume);
  const { run: progress } = checkpoint;
  if (progress.ending?.by !== "solver") return resume;
  return encodeCheckpoint({ ...checkpoint, run: { ...progress, ending: undefined } });
}
