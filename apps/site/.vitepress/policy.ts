/**
 * The content policy of a page: the site's own files and the page's own inline scripts, by their hashes. Style attributes
 * are allowed, since code is coloured by them.
 */
import { createHash } from "node:crypto";

/** Of the style with which VueUse switches between light and dark without a transition. */
const themeSwitch = "'sha256-skqujXORqzxt1aE0NNXxujEanPTX6raoqSscTV/Ww/Y='";

export function withPolicy(html: string): string {
  const scripts = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  const hashes = scripts.map(
    ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
  );
  const policy = [
    "default-src 'none'",
    ["script-src 'self'", ...new Set(hashes)].join(" "),
    `style-src 'self' ${themeSwitch}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return html.replace(
    "<head>",
    `<head>\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
}
