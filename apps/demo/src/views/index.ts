/** The views in the order of the navigation; the first one is shown to who comes without a link. */
import type { View } from "../shell/view.js";
import { classifyView } from "./classify/definition.js";
import { embedView } from "./embed/definition.js";

export const views: readonly View[] = [embedView, classifyView];
