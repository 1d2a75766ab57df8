import { defineView } from "../../shell/view.js";
import { sumCodec } from "./options.js";

export const sumView = defineView({
  id: "sum",
  title: "Sum of functions",
  summary:
    "Many functions, one minimum. SFO looks at one of them at a time, as SGD does, and keeps a quadratic model of each: watch the models (ellipses) add up to the landscape, and SFO race L‑BFGS, and Adam and SGD at their best rates. SFO has none to choose.",
  codec: sumCodec,
  component: async () => (await import("./view.js")).SumScreen,
});
