interface NoticeProps {
  readonly sentence: string;
  /** The words of its button. */
  readonly button: string;
  readonly onPress: (() => void) | undefined;
  readonly isBad?: boolean;
}

/** A sentence and what can be done about it. */
export const Notice = ({ sentence, button, onPress, isBad = false }: NoticeProps) => (
  <div class={isBad ? "notice notice-bad" : "notice"} role={isBad ? "alert" : "status"}>
    <p>{sentence}</p>
    {onPress !== undefined && (
      <button type="button" class="quiet small" onClick={onPress}>
        {button}
      </button>
    )}
  </div>
);

interface FaultProps {
  readonly sentence: string;
  /** Tries once more. */
  readonly onRetry?: (() => void) | undefined;
}

/** What has gone wrong, in a sentence; nothing where nothing has. */
export const Fault = ({ sentence, onRetry }: FaultProps) =>
  sentence === "" ? null : <Notice sentence={sentence} button="Try again" onPress={onRetry} isBad />;
