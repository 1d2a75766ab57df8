import { render } from "katex";
import "katex/dist/katex.min.css";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Formula } from "./paper.js";

/**
 * A formula, made in the page: KaTeX sets styles by the elements' properties then, which the content security policy
 * allows, and not by text.
 */
export function FormulaFigure({ formula: { tex, words } }: { readonly formula: Formula }) {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (host.current !== null) render(tex, host.current, { displayMode: true, throwOnError: true });
  }, [tex]);
  return (
    <figure class="formula">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a formula that is wider than the page is scrolled by keys */}
      <div ref={host} tabIndex={0} />
      <figcaption>{words}</figcaption>
    </figure>
  );
}
