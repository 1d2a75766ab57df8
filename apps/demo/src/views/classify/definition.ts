import { defineView } from "../../shell/view.js";
import { classifyCodec } from "./options.js";

export const classifyView = defineView({
  id: "classify",
  title: "Classify",
  summary:
    "The border between two classes, learned from one row after the other. Click to add points, and watch the borders of five solvers turn, epoch by epoch. With the first set plain SGD takes many passes, SGD-QN and averaged SGD few.",
  codec: classifyCodec,
  component: async () => (await import("./view.js")).ClassifyScreen,
});
