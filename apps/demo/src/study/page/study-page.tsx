/** From the first word to the saved file. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { answersFile } from "../answers-file.js";
import { trialsOf } from "../plan.js";
import type { Study } from "../study.js";
import { Ending } from "./ending.js";
import { type Session, Sessions } from "./session.js";
import { TrialScreen } from "./trial-screen.js";
import { Welcome } from "./welcome.js";

interface StudyPageProps {
  readonly study: Study;
  /** The participant whom the link names, or "". */
  readonly invited: string;
}

export function StudyPage({ study, invited }: StudyPageProps) {
  const [sessions] = useState(() => new Sessions(study));
  const [session, setSession] = useState<Session | undefined>();
  const [isPaused, setIsPaused] = useState(false);
  const [isSaved, setIsSaved] = useState(true);
  const main = useRef<HTMLElement>(null);
  const trials = useMemo(
    () => (session === undefined ? [] : trialsOf(study, session.participant)),
    [study, session?.participant],
  );
  const given = session?.given ?? [];
  const isAtEnd = session !== undefined && given.length >= trials.length;
  const screen = session === undefined ? "welcome" : isAtEnd ? "end" : isPaused ? "pause" : "trial";
  useEffect(() => main.current?.focus(), [screen]);
  useWarning(session !== undefined && !isSaved && !sessions.isKept);

  const keep = (next: Session): void => {
    sessions.keep(next);
    setIsSaved(false);
    setSession(next);
  };
  const leave = (): void => {
    setIsPaused(false);
    setSession(undefined);
  };
  return (
    <main class="study" ref={main} tabIndex={-1} aria-label={study.title || "Study"}>
      {session === undefined ? (
        <Welcome
          study={study}
          sessions={sessions}
          invited={invited}
          onStart={(participant) => {
            const begun = sessions.of(participant);
            sessions.keep(begun);
            setSession(begun);
            setIsPaused(false);
          }}
        />
      ) : screen === "trial" ? (
        <TrialScreen
          study={study}
          trial={trials[given.length]}
          place={given.length}
          count={trials.length}
          onAnswer={(choice, milliseconds) =>
            keep({ ...session, given: [...given, [choice, Math.round(milliseconds)]] })
          }
          onPause={() => setIsPaused(true)}
        />
      ) : (
        <Ending
          study={study}
          session={session}
          count={trials.length}
          isKept={sessions.isKept}
          csv={answersFile(study, trials, session.participant, given.slice(0, trials.length))}
          onSaved={() => setIsSaved(true)}
          onGoOn={isAtEnd ? undefined : () => setIsPaused(false)}
          onNext={leave}
          onForget={() => {
            sessions.forget(session.participant);
            leave();
          }}
        />
      )}
    </main>
  );
}

/** Asks before a tab is closed whose answers would be lost. */
function useWarning(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isNeeded]);
}
