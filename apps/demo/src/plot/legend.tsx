import { useTheme } from "../shell/theme.js";
import type { Coloring } from "./coloring.js";
import { shortNumber } from "./numbers.js";
import { classColor, isRing, pointColor, restColor } from "./palette.js";
import "./legend.css";

interface LegendProps {
  readonly coloring: Coloring;
  /** What the labels are. */
  readonly title: string | undefined;
  /** The index of the class that stands out; −1 for the rest, undefined for none. */
  readonly chosen: number | undefined;
  readonly onChoose: (index: number | undefined) => void;
}

/** Names the colours; a press on a class lets it stand out, another press lets it go. */
export function Legend({ coloring, title = "label", chosen, onChoose }: LegendProps) {
  const theme = useTheme();
  if (coloring.kind === "plain") return null;
  if (coloring.kind === "scale") {
    const stops = [0, 0.25, 0.5, 0.75, 1].map((share) => pointColor(share, theme)).join(", ");
    return (
      <div class="legend legend-scale">
        <span>{title}</span>
        <span class="numbers">{shortNumber(coloring.low)}</span>
        <span class="legend-bar" style={{ background: `linear-gradient(90deg, ${stops})` }} />
        <span class="numbers">{shortNumber(coloring.high)}</span>
      </div>
    );
  }
  const entries = coloring.classes.map(({ name, count }, index) => ({
    index,
    name,
    count,
    color: classColor(index, theme),
    isHollow: isRing(index),
  }));
  const { rest } = coloring;
  if (rest !== undefined) entries.push({ index: -1, ...rest, color: restColor(theme), isHollow: false });
  return (
    <fieldset class="legend">
      <legend class="visually-hidden">{title}</legend>
      {entries.map(({ index, name, count, color, isHollow }) => (
        <button
          key={index}
          type="button"
          class="quiet small"
          aria-pressed={chosen === index}
          onClick={() => onChoose(chosen === index ? undefined : index)}
          title={`${count} points`}
        >
          <span
            class="legend-mark"
            style={isHollow ? { border: `2px solid ${color}` } : { background: color }}
          />
          {name}
        </button>
      ))}
    </fieldset>
  );
}
