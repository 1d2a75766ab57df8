/** What other pictures share with maps: the page's frame, words of known width, colours, classes and their legend. */
export {
  areNames,
  type Coloring,
  type ColoringOptions,
  coloringOf,
  type PlotClass,
  type Scale,
  scaleTicks,
} from "./coloring.js";
export { type Box, fitPoints, imageSide, planeOf } from "./layout.js";
export type { MapPicture } from "./map.js";
export { type Page, svgPage } from "./page.js";
export { classColors, heatColor, type Shape } from "./palette.js";
export {
  escaped,
  header,
  ink,
  margin,
  quiet,
  short,
  shortened,
  shortenedWithin,
  svgText,
  textWidth,
} from "./svg.js";
export { type Legend, legendOf, marks, pointMarks } from "./svg-map.js";
