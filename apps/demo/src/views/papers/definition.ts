import { defineView } from "../../shell/view.js";
import { papersCodec } from "./options.js";

export const papersView = defineView({
  id: "papers",
  title: "Papers",
  summary:
    "The five papers behind the solvers: what each is, when to use it and when not, its formula, and what was measured here.",
  codec: papersCodec,
  component: async () => (await import("./view.js")).PapersScreen,
});
