import { defineView } from "../../shell/view.js";
import { disentangleCodec } from "./options.js";

export const disentangleView = defineView({
  id: "disentangle",
  title: "Disentangle",
  summary:
    "Q says of every two points how much they belong together: blocks are clusters, bands are manifolds. It is found by a convex programme, and bounds from below and above prove how good it is. Move K, or draw points of your own.",
  codec: disentangleCodec,
  component: async () => (await import("./view.js")).DisentangleScreen,
});
