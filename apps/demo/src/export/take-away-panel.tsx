import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Panel } from "../controls/panel.js";
import { CodeBlock, type CodeBlockProps } from "./code-block.js";
import type { Save } from "./save.js";

interface TakeAwayPanelProps {
  readonly title: string;
  readonly saves: readonly Save[];
  readonly codes: readonly CodeBlockProps[];
  /** Above the buttons: what is taken, where one can choose. */
  readonly children?: ComponentChildren;
}

/** What one takes home from a view: files, and the code that makes them again. */
export function TakeAwayPanel({ title, saves, codes, children }: TakeAwayPanelProps) {
  const [problem, setProblem] = useState("");
  const start = (save: Save["save"]): void => {
    setProblem("");
    save?.().catch((error: unknown) => setProblem(String(error)));
  };
  return (
    <Panel title={title}>
      {children}
      <div class="row">
        {saves.map(({ name, save }) => (
          <button
            key={name}
            type="button"
            class="quiet"
            disabled={save === undefined}
            onClick={() => start(save)}
          >
            {name}
          </button>
        ))}
      </div>
      {problem !== "" && (
        <p class="bad" role="alert">
          {problem}
        </p>
      )}
      {codes.map((code) => (
        <CodeBlock key={code.title} {...code} />
      ))}
    </Panel>
  );
}
