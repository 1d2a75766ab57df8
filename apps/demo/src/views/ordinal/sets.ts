import { colorSet } from "./colors.js";
import type { DrawnSet } from "./drawn-set.js";
import type { DrawnName } from "./options.js";
import { shapeSet } from "./shapes.js";

export const drawnSets: Readonly<Record<DrawnName, DrawnSet>> = { colors: colorSet, shapes: shapeSet };
