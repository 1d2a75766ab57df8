/** The legend: one switch per class, or the scale of the numbers. All text goes in as text. */
import type { Payload } from "./payload.js";

export function buildLegend(
  panel: HTMLElement,
  { classes, labelName, scale }: Payload,
  hidden: Uint8Array,
  changed: () => void,
): void {
  const heading = panel.appendChild(document.createElement("h2"));
  heading.textContent = labelName;
  if (scale !== null) {
    panel.appendChild(scaleBar(scale));
    return;
  }
  const buttons = classes.map(({ name, color, ring, count }, index) => {
    const button = panel.appendChild(document.createElement("button"));
    const dot = button.appendChild(document.createElement("i"));
    dot.style.borderColor = color;
    if (!ring) dot.style.background = color;
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

function scaleBar({ low, high, colors }: NonNullable<Payload["scale"]>): HTMLElement {
  const bar = document.createElement("div");
  bar.className = "scale";
  const strip = bar.appendChild(document.createElement("i"));
  strip.style.background = `linear-gradient(to top, ${colors.join(", ")})`;
  bar.appendChild(document.createElement("span")).textContent = high;
  bar.appendChild(document.createElement("span")).textContent = low;
  return bar;
}
