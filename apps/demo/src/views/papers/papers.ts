import type { Paper, PaperId } from "./paper.js";
import { nomad } from "./texts/nomad.js";
import { ordinal } from "./texts/ordinal.js";
import { sfo } from "./texts/sfo.js";
import { sgdqn } from "./texts/sgdqn.js";
import { spectral } from "./texts/spectral.js";

export const papers: Readonly<Record<PaperId, Paper>> = { spectral, nomad, ordinal, sgdqn, sfo };
