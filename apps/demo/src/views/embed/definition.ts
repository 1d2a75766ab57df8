import { defineView } from "../../shell/view.js";
import { embedCodec } from "./options.js";

export const embedView = defineView({
  id: "embed",
  title: "Embed",
  summary:
    "Maps of many-dimensional data in which near points stay near. The same data, start and budget, side by side: watch the spectral direction untangle what gradient descent leaves half-way.",
  codec: embedCodec,
  component: async () => (await import("./view.js")).EmbedScreen,
});
