/**
 * A map as one HTML file to look into: zoom, pan, hover, search, neighbours, a lasso, classes on and off. It carries its program
 * and its data, asks the network for nothing, and allows no other script: labels are data, and only ever become text.
 */
import { type MatrixLike, printable } from "@curvature/linalg";
import { checkedMap, type MapOptions } from "./map.js";
import { payloadOf } from "./payload.js";
import { escaped } from "./svg.js";
import { program, programHash } from "./viewer/program.js";

/**
 * A map as one HTML file: write the text to a file, and open that in any browser. It makes no request, and runs under a content
 * policy that allows its own program alone.
 *
 * @param map - N × d, finite: an array of rows, `{ rows, columns, data }` or an ml-matrix matrix. One axis is spread over bands,
 *   three are turned with the pointer, of more the first two are shown
 * @returns the file's text, UTF-8: about 30 KB, and some 20 bytes for each point beside its texts and images
 * @throws CurvatureError ERR_SHAPE or ERR_NON_FINITE for what is no map, and for lists that are not as long as it; ERR_OPTION
 *
 * @example
 * const page = htmlMap([[0, 0], [1, 2], [3, 1]], { labels: ["a", "b", "a"], names: ["Ada", "Ben", "Cy"] });
 * page.startsWith("<!doctype html>"); // true
 */
export function htmlMap(map: MatrixLike, options?: MapOptions): string {
  const data = checkedMap("htmlMap", map, options);
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${programHash}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ];
  if (data.images !== undefined) policy.push("img-src data:");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join("; ")}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(printable(data.title))}</title>
</head>
<body>
<noscript>This map needs JavaScript.</noscript>
<script type="application/json" id="data">${inertJson(payloadOf(data))}</script>
<script>${program}</script>
</body>
</html>
`;
}

/** JSON that cannot end the script element it stands in. */
function inertJson(value: unknown): string {
  return JSON.stringify(value).replace(/</g, "\\u003c");
}
