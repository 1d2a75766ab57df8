/**
 * Colours that stay apart, for people with any colour vision.
 *
 * Classes: the ten-colour sequence of Petroff (arXiv:2107.02270), chosen for least confusion under simulated colour
 * vision deficiency and for liking, but a green for the first of its two greys, moved as little as brings their contrast
 * with white above 3 (WCAG 2.2, 1.4.11); the least difference over all pairs and simulated deficiencies is 15 in CIELAB.
 * The demo site has the same. An eleventh class starts again with rings for discs, a twenty-first with squares, and so on
 * through six shapes; a sixty-first takes them all in darker colours, and then in lighter ones. No class is grey.
 * Numbers: viridis (van der Walt, Smith; CC0), even in lightness, at nine support points. Entries of a matrix: from white by a
 * blue to near black, so that what is 0 stays paper.
 */

export const classColors = [
  "#0190df",
  "#da7d00",
  "#a50000",
  "#16a782",
  "#842db6",
  "#a46857",
  "#c34a01",
  "#9f9557",
  "#717581",
  "#5b9db2",
] as const;

/** As many values as are classes in any case; more different numbers are a scale. */
export const maxClasses = 2 * classColors.length;

/** What points are drawn as. Filled and hollow ones take turns, so that shapes with the same colour differ most. */
const shapes = ["disc", "ring", "square", "diamond", "triangle", "cross"] as const;
export type Shape = (typeof shapes)[number];

/** How the k-th class looks; no two of the first 180 look the same. */
export function lookOf(k: number): { readonly color: string; readonly shape: Shape } {
  const color = classColors[k % classColors.length];
  const round = Math.floor(k / classColors.length);
  const tone = Math.floor(round / shapes.length) % 3;
  return { color: toned(color, tone), shape: shapes[round % shapes.length] };
}

/** As it is, nearly half way to black, nearly half way to white. */
function toned(color: string, tone: number): string {
  if (tone === 0) return color;
  const [end, share] = tone === 1 ? [0, 0.45] : [255, 0.4];
  const channels = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16);
    return Math.round(channel + share * (end - channel));
  });
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/** The outline of a shape around 0, 0, as a path; whether it is filled, and how wide its line is where not. All cover about as much. */
export function outlineOf(
  shape: Shape,
  radius: number,
): { readonly path: string; readonly line: number | undefined } {
  const line = Math.max(0.7, 0.4 * radius);
  const rounded = (value: number): string => String(Math.round(value * 100) / 100);
  const polygon = (...places: number[]): string => {
    const points = places.map((place) => rounded(radius * place));
    return `M${points.slice(0, 2).join(" ")}L${points.slice(2).join(" ")}Z`;
  };
  const circle = (r: number): string =>
    `M${rounded(r)} 0A${rounded(r)} ${rounded(r)} 0 1 1 ${rounded(-r)} 0A${rounded(r)} ${rounded(r)} 0 1 1 ${rounded(r)} 0Z`;
  if (shape === "disc") return { path: circle(radius), line: undefined };
  if (shape === "ring") return { path: circle(radius - line / 2), line };
  if (shape === "square")
    return { path: polygon(-0.89, -0.89, 0.89, -0.89, 0.89, 0.89, -0.89, 0.89), line: undefined };
  if (shape === "diamond") return { path: polygon(0, -1.1, 1.1, 0, 0, 1.1, -1.1, 0), line };
  if (shape === "triangle") return { path: polygon(0, -1.3, 1.2, 0.8, -1.2, 0.8), line: undefined };
  const arm = rounded(0.85 * radius);
  return { path: `M-${arm} -${arm}L${arm} ${arm}M-${arm} ${arm}L${arm} -${arm}`, line: 1.3 * line };
}

export const plainColor = "#0190df";
/** Points without a label, and those of classes too many to show. */
export const restColor = "#a5aab2";
/** Points that stand behind others. */
export const backgroundColor = "#d3d6da";

const viridis = [
  [0x44, 0x01, 0x54],
  [0x47, 0x2d, 0x7b],
  [0x3b, 0x52, 0x8b],
  [0x2c, 0x72, 0x8e],
  [0x21, 0x91, 0x8c],
  [0x28, 0xae, 0x80],
  [0x5e, 0xc9, 0x62],
  [0xad, 0xdc, 0x30],
  [0xfd, 0xe7, 0x25],
] as const;

/** The scale's colour at `share`, from 0 to 1. */
export function scaleColor(share: number): string {
  const place = Math.min(1, Math.max(0, share)) * (viridis.length - 1);
  const left = Math.min(viridis.length - 2, Math.floor(place));
  const weight = place - left;
  const channels = viridis[left].map((low, c) => Math.round(low + weight * (viridis[left + 1][c] - low)));
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

const heat = [
  [0xff, 0xff, 0xff],
  [0xc6, 0xde, 0xf4],
  [0x7d, 0xb4, 0xe7],
  [0x3f, 0x90, 0xda],
  [0x1f, 0x5d, 0xa3],
  [0x13, 0x35, 0x66],
  [0x0b, 0x17, 0x30],
] as const;

/** Red, green and blue of a matrix's entry at `share` of the largest, from 0 to 1. */
export function heatColor(share: number): number[] {
  const place = Math.min(1, Math.max(0, share)) * (heat.length - 1);
  const left = Math.min(heat.length - 2, Math.floor(place));
  const weight = place - left;
  return heat[left].map((low, c) => Math.round(low + weight * (heat[left + 1][c] - low)));
}
