interface RunButtonProps {
  readonly isRunning: boolean;
  readonly canRun?: boolean;
  readonly onRun: () => void;
  readonly onStop: () => void;
}

/** Starts what a view computes, and stops it. */
export const RunButton = ({ isRunning, canRun = true, onRun, onStop }: RunButtonProps) => (
  <button type="button" disabled={!isRunning && !canRun} onClick={isRunning ? onStop : onRun}>
    {isRunning ? "Stop" : "Run"}
  </button>
);
