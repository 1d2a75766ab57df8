/** The views in the order of the navigation; the first one is shown to who comes without a link. */
import type { View } from "../shell/view.js";
import { classifyView } from "./classify/definition.js";
import { disentangleView } from "./disentangle/definition.js";
import { embedView } from "./embed/definition.js";
import { ordinalView } from "./ordinal/definition.js";
import { papersView } from "./papers/definition.js";
import { sumView } from "./sum/definition.js";

export const views: readonly View[] = [
  embedView,
  disentangleView,
  ordinalView,
  classifyView,
  sumView,
  papersView,
];
