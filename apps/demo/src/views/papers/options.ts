/** Which paper is shown. */
import { type Codec, codec } from "../../state/codec.js";
import { choice } from "../../state/fields.js";
import { type PaperId, paperIds } from "./paper.js";

export interface PapersState {
  readonly paper: PaperId;
}

export const papersCodec: Codec<PapersState> = codec<PapersState>(
  { paper: "spectral" },
  { paper: choice(paperIds) },
);
