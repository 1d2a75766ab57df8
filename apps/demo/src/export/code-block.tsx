import { useState } from "preact/hooks";

export interface CodeBlockProps {
  readonly title: string;
  readonly code: string;
}

/** Code to take away. */
export function CodeBlock({ title, code }: CodeBlockProps) {
  const [told, setTold] = useState("");
  const copy = (): void => {
    navigator.clipboard.writeText(code).then(
      () => setTold("Copied"),
      () => setTold("Select the text and copy it: the browser does not let the page do it."),
    );
  };
  return (
    <figure class="code">
      <figcaption>
        {title}
        <button type="button" class="quiet small" onClick={copy} aria-label={`Copy ${title}`}>
          Copy
        </button>
        <span role="status">{told}</span>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: code that is wider than the page is scrolled by keys */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}
