/** Which paper is shown. */
import { oneOf } from "@curvature/linalg";
import { codec, type StateOf } from "../../state/codec.js";
import { ruled } from "../../state/fields.js";
import { paperIds } from "./paper.js";

const fields = { paper: ruled(oneOf(...paperIds).default("spectral")) };
export type PapersState = StateOf<typeof fields>;
export const papersCodec = codec<PapersState>(fields);
