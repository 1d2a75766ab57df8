import { preact } from "@preact/preset-vite";
import { defineConfig, type Plugin } from "vite";
import { studyPage } from "./study-page.js";

/**
 * Nothing is loaded from elsewhere, and nothing is evaluated from text. `data:` and `blob:` are for pictures that the
 * page draws itself.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** As a meta tag, since a static host may not let us set headers; not while developing, when Vite injects scripts. */
function contentSecurityPolicy(): Plugin {
  return {
    name: "content-security-policy",
    apply: "build",
    transformIndexHtml: () => [
      {
        tag: "meta",
        attrs: { "http-equiv": "Content-Security-Policy", content: policy },
        injectTo: "head-prepend",
      },
    ],
  };
}

export default defineConfig({
  // Relative, so that the site works from any folder of any host.
  base: "./",
  plugins: [preact(), contentSecurityPolicy(), studyPage()],
  worker: { format: "es" },
  build: {
    target: "es2023",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 400,
  },
});
