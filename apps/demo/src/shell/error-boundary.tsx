import { Component, type ComponentChildren } from "preact";
import { Fault } from "../controls/notice.js";

interface Props {
  readonly children: ComponentChildren;
}

interface State {
  readonly error: unknown;
}

/** Keeps a view's fault to the view: says what happened and offers to begin again. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined };

  static override getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override render({ children }: Props, { error }: State) {
    if (error === undefined) return children;
    const message = error instanceof Error ? error.message : String(error);
    return (
      <Fault
        sentence={`This view has failed: ${message}`}
        onRetry={() => this.setState({ error: undefined })}
      />
    );
  }
}
