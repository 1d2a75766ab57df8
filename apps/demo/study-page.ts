/**
 * The page of a study as one file: script and styles stand in it, and its policy allows these alone, by their hashes, so that it
 * works from a disk, from a mail and from any host. The site has it as `study.html`.
 */
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { preact } from "@preact/preset-vite";
import { build, type Plugin } from "vite";
import { emptyStudy } from "./src/study/carry.js";

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

export function studyPage(): Plugin {
  return {
    name: "study-page",
    apply: "build",
    async generateBundle() {
      this.emitFile({ type: "asset", fileName: "study.html", source: await page() });
    },
  };
}

async function page(): Promise<string> {
  const made = await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: "warn",
    publicDir: false,
    plugins: [preact()],
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      write: false,
      target: "es2023",
      lib: {
        entry: fileURLToPath(new URL("./src/study/page/main.tsx", import.meta.url)),
        formats: ["iife"],
        name: "study",
        fileName: "study",
        cssFileName: "study",
      },
    },
  });
  const outputs = (Array.isArray(made) ? made : [made]).flatMap((each) =>
    "output" in each ? each.output : [],
  );
  const script = outputs
    .flatMap((each) => (each.type === "chunk" ? [each.code] : []))
    .join("\n")
    .replaceAll("</script", "<\\/script")
    .replaceAll("<!--", "<\\!--");
  const style = outputs.flatMap((each) => (each.type === "asset" ? [String(each.source)] : [])).join("\n");
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>Study</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>This study needs JavaScript. On a phone, open the file in a browser and not in the preview of the mail.</noscript>
${emptyStudy}
<script>${script}</script>
</body>
</html>
`;
}
