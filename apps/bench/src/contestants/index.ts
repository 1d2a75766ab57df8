import type { Contestant } from "./contestant.ts";

/** Loaded one at a time, so that a process pays for its own contestant only. */
export const contestants: Readonly<Record<string, () => Promise<Contestant>>> = {
  curvature: async () => (await import("./curvature.ts")).curvature,
  druid: async () => (await import("./druid.ts")).druid,
  keckelt: async () => (await import("./keckelt.ts")).keckelt,
  "tsne-js": async () => (await import("./tsne-js.ts")).tsneJs,
  "umap-js": async () => (await import("./umap-js.ts")).umapJs,
};
