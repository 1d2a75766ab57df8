import { defineView } from "../../shell/view.js";
import { classifyCodec } from "./options.js";

export const classifyView = defineView({
  id: "classify",
  title: "Classify",
  summary:
    "A line between two classes, learned from one row after the other. Click to add points, and watch five solvers turn their lines: plain SGD takes many passes over the rows, SGD-QN and averaged SGD few.",
  codec: classifyCodec,
  component: async () => (await import("./view.js")).ClassifyScreen,
});
