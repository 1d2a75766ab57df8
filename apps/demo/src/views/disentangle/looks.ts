/** How the points look: by component, and with one of them chosen, by how much Q joins the others to it. */
import type { Looks } from "../../plot/coloring.js";
import { channelsOf, classColor, isRing, pointColor } from "../../plot/palette.js";
import type { Theme } from "../../shell/theme.js";
import type { Still } from "./task.js";

const opaque = 235;
const least = 40;

export function looksOf(
  count: number,
  still: Still | undefined,
  point: number | undefined,
  theme: Theme,
): Looks {
  const colors = new Uint8Array(4 * count);
  const shapes = new Uint8Array(count);
  const isPointShown = still !== undefined && point !== undefined && point < count;
  for (let i = 0; i < count; i++) {
    const component = still?.componentOf[i] ?? 0;
    shapes[i] = Number(isRing(component));
    if (isPointShown) {
      // The row's own largest entry has full colour.
      const level = still.levels[point * count + i] / Math.max(1, still.levels[point * count + point]);
      const share = Math.min(1, level);
      const isJoined = share > 0.05;
      const color = isJoined ? pointColor(0.25 + 0.75 * share, theme) : classColor(component, theme);
      colors.set([...channelsOf(color), isJoined ? opaque : least], 4 * i);
    } else {
      colors.set([...channelsOf(classColor(component, theme)), opaque], 4 * i);
    }
  }
  return { colors, shapes };
}
