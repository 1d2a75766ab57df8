import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface PanelProps {
  readonly title: ComponentChildren;
  readonly class?: string;
  /** On the title's line, at its end. */
  readonly beside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a view under a title. */
export function Panel({ title, class: more = "", beside, children }: PanelProps) {
  const id = useId();
  const heading = <h2 id={id}>{title}</h2>;
  return (
    <section class={`panel stack ${more}`} aria-labelledby={id}>
      {beside === undefined ? (
        heading
      ) : (
        <div class="row spread">
          {heading}
          {beside}
        </div>
      )}
      {children}
    </section>
  );
}

interface SentencesProps {
  readonly of: Iterable<string>;
  readonly class?: string;
}

/** What one should know of a run; each sentence once. */
export const Sentences = ({ of, class: look = "hint" }: SentencesProps) => (
  <>
    {[...new Set(of)].map((sentence) => (
      <p key={sentence} class={look}>
        {sentence}
      </p>
    ))}
  </>
);
