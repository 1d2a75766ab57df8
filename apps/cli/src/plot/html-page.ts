/** Pictures that need no program, as pages. */

import { createHash } from "node:crypto";
import { escaped } from "@curvature/map-view/pictures";

/** The Base64 of a text's SHA-256, as a content policy has it. */
const sha256 = (text: string): string => createHash("sha256").update(text).digest("base64");

export function htmlPage(title: string, svg: string): string {
  const plain =
    "body { margin: 0; background: #fff; } svg { display: block; margin: 0 auto; max-width: 100%; height: auto; }";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'sha256-${sha256(plain)}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${plain}</style>
</head>
<body>
${svg}</body>
</html>
`;
}
