/**
 * A panel for each component, in rows from the upper left, the largest first; in each its points about the middle, as large as
 * there is room for.
 */

import type { DenseMatrix } from "@curvature/linalg";
import type { Box } from "@curvature/map-view/pictures";

export interface Panel {
  readonly component: number;
  readonly points: number;
  readonly box: Box;
}

const gap = 10;
/** For the panel's name, and around the points. */
const head = 22;
const rim = 8;
/** A component whose places lie nearer to each other than this share of the usual is one place. */
const dot = 0.1;

/**
 * @param map - n × 2, each component about 0
 * @param componentOf - of each point
 */
export function componentPanels(
  map: DenseMatrix,
  componentOf: Int32Array,
  { left, top, width, height }: Box,
): { pixels: Float64Array; panels: readonly Panel[] } {
  const sizes = new Map<number, number>();
  const extents = new Map<number, number>();
  for (const [i, c] of componentOf.entries()) {
    const extent = Math.max(Math.abs(map.data[2 * i]), Math.abs(map.data[2 * i + 1]));
    sizes.set(c, (sizes.get(c) ?? 0) + 1);
    extents.set(c, Math.max(extents.get(c) ?? 0, extent));
  }
  const order = [...sizes].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const columns = Math.ceil(Math.sqrt(order.length));
  const rows = Math.ceil(order.length / columns);
  const panelWidth = (width - gap * (columns - 1)) / columns;
  const panelHeight = Math.min(panelWidth + head, (height - gap * (rows - 1)) / rows);
  const panels = new Map(
    order.map(([component, points], k) => {
      const box = {
        left: left + (k % columns) * (panelWidth + gap),
        top: top + Math.floor(k / columns) * (panelHeight + gap),
        width: panelWidth,
        height: panelHeight,
      };
      return [component, { component, points, box }];
    }),
  );
  const room = Math.min(panelWidth, panelHeight - head) / 2 - rim;
  const pixels = new Float64Array(2 * componentOf.length);
  for (const [i, c] of componentOf.entries()) {
    const panel = panels.get(c);
    if (panel === undefined) continue;
    const { box, points } = panel;
    const unit = room / Math.max(extents.get(c) ?? 0, dot / Math.sqrt(points));
    pixels[2 * i] = box.left + box.width / 2 + unit * map.data[2 * i];
    pixels[2 * i + 1] = box.top + (box.height + head) / 2 - unit * map.data[2 * i + 1];
  }
  return { pixels, panels: [...panels.values()] };
}
