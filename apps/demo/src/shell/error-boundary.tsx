import { Component, type ComponentChildren } from "preact";

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
      <div class="notice notice-bad" role="alert">
        <p>This view has failed: {message}</p>
        <button type="button" onClick={() => this.setState({ error: undefined })}>
          Try again
        </button>
      </div>
    );
  }
}
