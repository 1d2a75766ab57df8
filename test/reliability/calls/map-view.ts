/** Calls of what draws maps. */
import * as mapView from "@curvature/map-view";
import { call } from "./call.ts";

const words = ["a", "b", "a", "c", "b", "a", ""];
const options = {
  labels: words,
  color: { name: "size", values: ["1", "2", "4", "8", "16", "32", ""] },
  names: words,
  details: [{ name: "kind", values: words }],
  neighbors: { count: 1, indices: [1, 0, 1, 2, 3, 4, -1] },
  regions: {
    isMeaningless: false,
    ellipses: Float64Array.from({ length: 28 }, (_, k) => [2, 1, 0.6, 0.8][k % 4]),
  },
  images: words.map(() => "data:image/png;base64,AAAA"),
  subtitle: "seven points",
};

const map = () => words.map((_, n) => [n % 3, (n * n) % 5]);

export const mapViewCalls = {
  svgMap: call(() => [map(), options], mapView.svgMap, mapView.mapOptions.defaults),
  htmlMap: call(() => [map(), options], mapView.htmlMap, mapView.mapOptions.defaults),
};
