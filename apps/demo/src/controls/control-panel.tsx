/** The column beside a view's pictures. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

export interface Running {
  readonly isRunning: boolean;
  /** Undefined where nothing can be run. */
  readonly onRun: (() => void) | undefined;
  readonly onStop: () => void;
}

interface ControlPanelProps extends Running {
  /** Above the button that runs. */
  readonly above?: ComponentChildren;
  readonly beside?: ComponentChildren;
  /** Of the part that narrow screens fold; without, nothing is folded. */
  readonly title?: string;
  readonly children: ComponentChildren;
}

export function ControlPanel({ above, beside, title, children, ...running }: ControlPanelProps) {
  const { isRunning, onRun, onStop } = running;
  const [isWide] = useState(() => window.matchMedia("(min-width: 52rem)").matches);
  return (
    <form class="panel stack" onSubmit={(event) => event.preventDefault()}>
      {above}
      <div class="row">
        <button
          type="button"
          disabled={!isRunning && onRun === undefined}
          onClick={isRunning ? onStop : onRun}
        >
          {isRunning ? "Stop" : "Run"}
        </button>
        {beside}
      </div>
      {title === undefined ? (
        children
      ) : (
        <Folded title={title} isOpen={isWide}>
          {children}
        </Folded>
      )}
    </form>
  );
}

interface FoldedProps {
  readonly title?: string;
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}

/** What few ask for. */
export const Folded = ({ title = "More", isOpen = false, children }: FoldedProps) => (
  <details open={isOpen}>
    <summary>{title}</summary>
    <div class="stack">{children}</div>
  </details>
);
