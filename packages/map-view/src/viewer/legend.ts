/** The legend: one switch per class, or the scale of the numbers. All text goes in as text. */
import { outlineOf, type Shape } from "../palette.js";
import type { Payload } from "./payload.js";

export function buildLegend(
  panel: HTMLElement,
  { classes, legendName, scale }: Payload,
  hidden: Uint8Array,
  changed: () => void,
): void {
  const heading = panel.appendChild(document.createElement("h2"));
  heading.textContent = legendName;
  if (scale !== null) {
    panel.appendChild(scaleBar(scale));
    return;
  }
  const buttons = classes.map(({ name, color, shape, count }, index) => {
    const button = panel.appendChild(document.createElement("button"));
    button.type = "button";
    button.appendChild(markOf(shape, color));
    button.appendChild(document.createElement("span")).textContent = name;
    button.appendChild(document.createElement("small")).textContent = count.toLocaleString("en-US");
    button.title = "Click: show or hide. Double-click: show this one alone.";
    button.addEventListener("click", () => {
      hidden[index] = hidden[index] === 0 ? 1 : 0;
      update();
    });
    button.addEventListener("dblclick", () => {
      const alone = hidden.every((value, k) => (k === index ? value === 0 : value === 1));
      hidden.fill(alone ? 0 : 1);
      hidden[index] = 0;
      update();
    });
    return button;
  });
  const update = (): void => {
    buttons.forEach((button, k) => {
      button.setAttribute("aria-pressed", hidden[k] === 0 ? "true" : "false");
    });
    changed();
  };
  update();
}

const svgNames = "http://www.w3.org/2000/svg";

/** A class's point, as the map has it. */
function markOf(shape: Shape, color: string): SVGElement {
  const svg = document.createElementNS(svgNames, "svg");
  svg.setAttribute("viewBox", "-8 -8 16 16");
  svg.setAttribute("aria-hidden", "true");
  const outline = svg.appendChild(document.createElementNS(svgNames, "path"));
  const { path, line } = outlineOf(shape, 5.5);
  outline.setAttribute("d", path);
  outline.setAttribute("fill", line === undefined ? color : "none");
  if (line !== undefined) {
    outline.setAttribute("stroke", color);
    outline.setAttribute("stroke-width", String(line));
  }
  return svg;
}

function scaleBar({ ticks, colors }: NonNullable<Payload["scale"]>): HTMLElement {
  const bar = document.createElement("div");
  bar.className = "scale";
  const strip = bar.appendChild(document.createElement("i"));
  strip.style.background = `linear-gradient(to top, ${colors.join(", ")})`;
  for (const tick of ticks) bar.appendChild(document.createElement("span")).textContent = tick;
  return bar;
}
