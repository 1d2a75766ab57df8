export { htmlMap } from "./html-map.js";
export { type DataNeighbors, type MapOptions, mapOptions, type NamedColumn, type Regions } from "./map.js";
export { svgMap } from "./svg-map.js";
