import { type Drawing, pathOf } from "./drawn-set.js";

interface ThingProps {
  readonly drawing: Drawing;
  /** Half of its width. */
  readonly size: number;
}

/** A thing of a drawn set, around the origin of an SVG. */
export function Thing({ drawing, size }: ThingProps) {
  return drawing.kind === "disc" ? (
    <circle class="thing-disc" r={size} fill={drawing.color} />
  ) : (
    <path
      class="thing-outline"
      d={pathOf(drawing.points.map((value) => value * size))}
      stroke-linejoin="round"
    />
  );
}
