/** The viewer's elements, in a tree of their own within a place of the page. */
import { style } from "./style.js";

export interface Skeleton {
  /** All of it. */
  readonly host: Element;
  readonly canvas: HTMLCanvasElement;
  readonly tip: HTMLElement;
  readonly field: HTMLInputElement;
  /** What was found, for screen readers, too. */
  readonly said: HTMLElement;
  readonly lasso: HTMLButtonElement;
  readonly chosen: HTMLElement;
  readonly legend: HTMLElement;
  remove(): void;
}

const gestures = (isSpace: boolean): string =>
  `Drag to ${isSpace ? "turn, shift-drag to move" : "move"}, scroll to zoom, double-click to start over. Click a point for its neighbours: lines lead to those in the data, rings are around those in the map.`;

export function skeletonIn(
  place: Element,
  { title, subtitle, axes }: { readonly title: string; readonly subtitle: string; readonly axes: 2 | 3 },
  before: Element | null = null,
): Skeleton {
  const page = place.ownerDocument;
  const host = page.createElement("div");
  host.style.height = "100%";
  const tree = host.attachShadow({ mode: "open" });
  // A content policy for styles does not concern a sheet that is made like this.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  tree.adoptedStyleSheets = [sheet];

  const add = <K extends keyof HTMLElementTagNameMap>(
    parent: Node,
    kind: K,
    attributes: Readonly<Record<string, string>> = {},
    words = "",
  ): HTMLElementTagNameMap[K] => {
    const element = page.createElement(kind);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = words;
    parent.appendChild(element);
    return element;
  };
  const view = add(tree, "div", { class: "view" });
  const header = add(view, "header");
  const heading = add(header, "div");
  add(heading, "h1", { id: "title" }, title);
  add(heading, "p", { id: "subtitle" }, subtitle);
  const said = add(header, "span", { id: "said", role: "status" });
  const search = { type: "search", placeholder: "Search", "aria-label": "Search names and columns" };
  const field = add(header, "input", { id: "search", ...search, autocomplete: "off", spellcheck: "false" });
  const draw = { type: "button", title: "Draw a line around points to list and save them (l)" };
  const lasso = add(header, "button", { id: "lasso", ...draw, "aria-pressed": "false" }, "Lasso");
  const main = add(view, "main");
  const canvas = add(main, "canvas", {
    id: "map",
    tabindex: "0",
    role: "img",
    "aria-label": "Map of the points",
  });
  const tip = add(main, "div", { id: "tip", hidden: "" });
  const aside = add(view, "aside");
  const chosen = add(aside, "section", { id: "chosen" });
  const legend = add(aside, "section", { id: "legend" });
  add(view, "footer", {}, gestures(axes === 3));
  place.insertBefore(host, before);
  return { host, canvas, tip, field, said, lasso, chosen, legend, remove: () => host.remove() };
}
