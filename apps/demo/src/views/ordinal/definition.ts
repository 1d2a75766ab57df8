import { defineView } from "../../shell/view.js";
import { ordinalCodec } from "./options.js";

export const ordinalView = defineView({
  id: "ordinal",
  title: "Ordinal",
  summary:
    "Which is more like this? Nobody can say how far apart two colours are, but anybody can say which of two is nearer to a third; from such answers comes a map of what you see.",
  codec: ordinalCodec,
  component: async () => (await import("./view.js")).OrdinalScreen,
});
