interface FaultProps {
  readonly sentence: string;
  /** Tries once more. */
  readonly onRetry?: (() => void) | undefined;
}

/** What has gone wrong, in a sentence; nothing where nothing has. */
export function Fault({ sentence, onRetry }: FaultProps) {
  if (sentence === "") return null;
  return (
    <div class="notice notice-bad" role="alert">
      <p>{sentence}</p>
      {onRetry !== undefined && (
        <button type="button" class="quiet small" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
