/**
 * Colours that stay apart, for people with any colour vision.
 *
 * Classes: the ten-colour sequence of Petroff (arXiv:2107.02270), chosen for least confusion under simulated colour
 * vision deficiency and for liking, but a green for the first of its two greys, moved as little as brings their contrast
 * with white above 3 (WCAG 2.2, 1.4.11); the least difference over all pairs and simulated deficiencies is 15 in CIELAB.
 * The demo site has the same. An eleventh class starts again with rings for discs.
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

/** As many classes as colours and shapes distinguish. */
export const maxClasses = 2 * classColors.length;

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
