/**
 * Colours that stay apart, for people with any colour vision, on a light and on a dark ground.
 *
 * Classes: the ten-colour sequence of Petroff (arXiv:2107.02270), chosen for least confusion under simulated colour
 * vision deficiency, but a green for the first of its two greys; for a light and for a dark ground they were moved as
 * little as brings their contrast with it above 3 (WCAG 2.2, 1.4.11) and keeps their least difference over all pairs and
 * simulated deficiencies in CIELAB: 15 on light, 16 on dark. The command line's plots have the colours for a light ground.
 * Numbers: viridis (van der Walt, Smith; CC0), even in lightness, at nine support points; of points the part of it that
 * does not fade into the ground.
 */
import type { Theme } from "../shell/theme.js";

const classColors: Readonly<Record<Theme, readonly string[]>> = {
  light: [
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
  ],
  dark: [
    "#56a1e8",
    "#e6d62f",
    "#e04329",
    "#53dbb4",
    "#8656c6",
    "#b47a67",
    "#f07a1d",
    "#d9ab70",
    "#8c919c",
    "#a1e1e4",
  ],
};

/** As many classes as colours and shapes (discs, then rings) tell apart. */
export const mostClasses = 2 * classColors.light.length;

/** The colour of a class; the eleventh has the first one's, and is drawn as a ring. */
export const classColor = (index: number, theme: Theme): string =>
  classColors[theme][index % classColors[theme].length];

export const isRing = (index: number): boolean => index >= classColors.light.length;

/** Points without a class: fainter than those with one. */
export const restColor = (theme: Theme): string => (theme === "light" ? "#a5aab2" : "#5d626b");

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

/** What part of the scale points are drawn in. */
const visible: Readonly<Record<Theme, readonly [number, number]>> = { light: [0, 0.8], dark: [0.22, 1] };

/** The colour of a point at `share` of the numbers' range, from 0 to 1. */
export function pointColor(share: number, theme: Theme): string {
  const [low, high] = visible[theme];
  return scaleColor(low + (high - low) * Math.min(1, Math.max(0, share)));
}

/** The scale's colour at `share`, from 0 to 1. */
export function scaleColor(share: number): string {
  const place = Math.min(1, Math.max(0, share)) * (viridis.length - 1);
  const left = Math.min(viridis.length - 2, Math.floor(place));
  const weight = place - left;
  const channels = viridis[left].map((low, c) => Math.round(low + weight * (viridis[left + 1][c] - low)));
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/** Red, green and blue of "#rrggbb", 0 … 255. */
export function channelsOf(color: string): readonly [number, number, number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}
