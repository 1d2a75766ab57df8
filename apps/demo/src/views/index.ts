/**
 * The views in the order of the navigation; the first one is shown to who comes without a link. What they import here is in the
 * first load, so that it is their fields alone.
 */
import { defineView, type View } from "../shell/view.js";
import { classifyCodec } from "./classify/options.js";
import { disentangleCodec } from "./disentangle/options.js";
import { embedCodec } from "./embed/options.js";
import { ordinalCodec } from "./ordinal/options.js";
import { papersCodec } from "./papers/options.js";
import { sumCodec } from "./sum/options.js";

export const views: readonly View[] = [
  defineView({
    id: "embed",
    title: "Embed",
    summary:
      "Maps of many-dimensional data in which near points stay near. The same data, start and budget, side by side: watch the spectral direction untangle what gradient descent leaves half-way.",
    codec: embedCodec,
    component: async () => (await import("./embed/view.js")).EmbedScreen,
  }),
  defineView({
    id: "disentangle",
    title: "Disentangle",
    summary:
      "Q says of every two points how much they belong together: blocks are clusters, bands are manifolds. It is found by a convex programme, and bounds from below and above prove how good it is. Move K, or draw points of your own.",
    codec: disentangleCodec,
    component: async () => (await import("./disentangle/view.js")).DisentangleScreen,
  }),
  defineView({
    id: "ordinal",
    title: "Ordinal",
    summary:
      "Which is more like this? Nobody can say how far apart two colours are, but anybody can say which of two is nearer to a third; from such answers comes a map of what you see.",
    codec: ordinalCodec,
    component: async () => (await import("./ordinal/view.js")).OrdinalScreen,
  }),
  defineView({
    id: "classify",
    title: "Classify",
    summary:
      "The border between two classes, learned from one row after the other. Click to add points, and watch the borders of five solvers turn, epoch by epoch. With the first set plain SGD takes many passes, SGD-QN and averaged SGD few.",
    codec: classifyCodec,
    component: async () => (await import("./classify/view.js")).ClassifyScreen,
  }),
  defineView({
    id: "sum",
    title: "Sum of functions",
    summary:
      "Many functions, one minimum. SFO looks at one of them at a time, as SGD does, and keeps a quadratic model of each: watch the models (ellipses) add up to F, and SFO race L‑BFGS, and Adam and SGD at their best rates. SFO has none to choose.",
    codec: sumCodec,
    component: async () => (await import("./sum/view.js")).SumScreen,
  }),
  defineView({
    id: "papers",
    title: "Papers",
    summary:
      "The five papers behind the solvers: what each is, when to use it and when not, its formula, and what was measured here.",
    codec: papersCodec,
    component: async () => (await import("./papers/view.js")).PapersScreen,
  }),
];
