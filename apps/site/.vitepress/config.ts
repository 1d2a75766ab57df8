import { cpSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { directives } from "./directives.js";
import { withPolicy } from "./policy.js";

const api = fileURLToPath(new URL("../pages/reference/api", import.meta.url));
const demo = fileURLToPath(new URL("../../demo/dist", import.meta.url));

/** The pages that scripts/api.mjs writes, by the names under which modules are imported. */
const modules = (existsSync(api) ? readdirSync(api, { recursive: true, encoding: "utf8" }) : [])
  .filter((file) => file.endsWith(".md") && file !== "index.md")
  .map((file) => file.replaceAll("\\", "/").replace(/\.md$/, ""))
  .sort();

export default defineConfig({
  title: "curvature",
  description: "Maps, clusters, scales from comparisons, classifiers and sums of functions, in TypeScript",
  lang: "en",
  srcDir: "pages",
  outDir: "dist",
  cacheDir: "node_modules/.cache/vitepress",
  cleanUrls: false, // any static host and `npm run demo` serve files by their names
  metaChunk: true,
  router: { prefetchLinks: false },
  head: [["link", { rel: "icon", href: "/icon.svg", type: "image/svg+xml" }]],
  markdown: { config: directives },
  vite: { build: { assetsInlineLimit: 0 } }, // pictures are files, which a page's program need not carry
  transformHtml: withPolicy,
  ignoreDeadLinks: [/^\/demo\//], // no page of these; apps/site/test/site.test.ts looks for them
  buildEnd: ({ outDir }) => cpSync(demo, join(outDir, "demo"), { recursive: true }),
  themeConfig: {
    logo: "/icon.svg",
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Tutorials", link: "/tutorials/map" },
      { text: "How it works", link: "/how-it-works/maps" },
      { text: "Reference", link: "/reference/" },
      { text: "Demo", link: "/demo/index.html", target: "_self" },
    ],
    sidebar: [
      { text: "Start", link: "/" },
      {
        text: "Tutorials",
        items: [
          { text: "A map of your table", link: "/tutorials/map" },
          { text: "Clusters with a proof", link: "/tutorials/clusters" },
          { text: "A scale from comparisons", link: "/tutorials/comparisons" },
          { text: "A classifier from a CSV", link: "/tutorials/classifier" },
        ],
      },
      {
        text: "How it works",
        items: [
          { text: "Maps: the spectral direction", link: "/how-it-works/maps" },
          { text: "Clusters: NOMAD", link: "/how-it-works/clusters" },
          { text: "Comparisons: SVRG-SBB", link: "/how-it-works/comparisons" },
          { text: "Linear models: SGD-QN", link: "/how-it-works/linear-models" },
          { text: "Sums of functions: SFO", link: "/how-it-works/sums" },
        ],
      },
      {
        text: "Reference",
        items: [
          { text: "Overview", link: "/reference/" },
          { text: "Command line", link: "/reference/command-line" },
          {
            text: "TypeScript API",
            collapsed: true,
            items: modules.map((name) => ({
              text: name.replace("@curvature/", ""),
              link: `/reference/api/${name}`,
            })),
          },
        ],
      },
    ],
  },
});
