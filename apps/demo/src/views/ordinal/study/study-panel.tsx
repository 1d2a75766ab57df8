/** An experiment of one's own: its stimuli, its trials, its words; and the link or the page that participants get. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { Fault } from "../../../controls/notice.js";
import { Panel } from "../../../controls/panel.js";
import { limits, studyKinds } from "../../../study/study.js";
import { CountField, KindField, TextField } from "./fields.js";
import { keepForm, keptForm, type StudyForm, studyIn, usualQuestions } from "./form.js";
import { HandOut } from "./hand-out.js";
import type { Pictures } from "./pictures.js";
import { Stimuli } from "./stimuli.js";
import "./style.css";

const none: Pictures = { pictures: [], broken: [], others: 0 };

interface StudyPanelProps {
  /** Turns to the map of answers that came back. */
  readonly onAnswers: () => void;
}

export function StudyPanel({ onAnswers }: StudyPanelProps) {
  const [form, setForm] = useState(keptForm);
  const [found, setFound] = useState(none);
  useEffect(() => keepForm(form), [form]);
  const update = (change: Partial<StudyForm>): void => setForm((before) => ({ ...before, ...change }));
  const { pictures } = found;
  const study = useMemo(() => studyIn(form, pictures), [form, pictures]);
  const { questions, repeats, catches } = form;
  return (
    <div class="study-make">
      <form class="stack" onSubmit={(event) => event.preventDefault()}>
        <Panel title="1. What is compared">
          <Stimuli form={form} update={update} found={found} onFound={setFound} names={study.names} />
        </Panel>
        <Panel title="2. What is asked">
          <KindField names={studyKinds} value={form.kind} onChange={(kind) => update({ kind })} />
          <TextField
            label="The question, above each trial"
            value={form.question ?? ""}
            placeholder={usualQuestions[form.kind]}
            onChange={(question) => update({ question: question === "" ? undefined : question })}
          />
          <div class="study-counts">
            <CountField
              label="Questions per person"
              value={questions}
              least={1}
              most={limits.trials}
              onChange={(count) => update({ questions: count })}
            />
            <CountField
              label="Of them asked twice"
              hint="They show how often people contradict themselves: no map can do better."
              value={repeats}
              least={0}
              most={limits.trials}
              onChange={(count) => update({ repeats: count })}
            />
            <CountField
              label="Catch trials"
              hint="One answer is the same thing again: who misses more than a quarter of them is left out."
              value={catches}
              least={0}
              most={limits.trials}
              onChange={(count) => update({ catches: count })}
            />
            <CountField
              label="Seed"
              hint="With the name of the person it decides the questions."
              value={form.seed}
              least={0}
              most={limits.seed}
              onChange={(seed) => update({ seed })}
            />
          </div>
          <p class="hint numbers">
            {questions + repeats + catches} trials a person: {minutes(questions + repeats + catches)} at 3
            seconds each. The questions are drawn at random for each person; each stimulus stands left and
            right equally often.
          </p>
        </Panel>
        <Panel title="3. What participants read">
          <TextField label="Title" value={form.title} onChange={(title) => update({ title })} />
          <TextField
            label="Instructions"
            rows={3}
            value={form.instructions}
            onChange={(instructions) => update({ instructions })}
          />
          <TextField
            label="Consent, to be agreed to before the start; leave it empty if none is needed"
            rows={3}
            value={form.consent}
            onChange={(consent) => update({ consent })}
          />
          <TextField
            label="At the end: where to send the saved file"
            rows={2}
            placeholder="Please mail the file to …"
            value={form.ending}
            onChange={(ending) => update({ ending })}
          />
        </Panel>
      </form>
      <div class="stack">
        <HandOut study={study} isReady={found.broken.length === 0} />
        <Fault
          sentence={
            found.broken.length === 0
              ? ""
              : `This browser cannot show ${found.broken.slice(0, 5).join(", ")}${found.broken.length > 5 ? ` and ${found.broken.length - 5} more` : ""}. Repair or remove ${found.broken.length === 1 ? "it" : "them"}, and choose the pictures again.`
          }
        />
        <Panel title="5. What comes back">
          <p>
            Each person saves a file and sends it to you. Drop all of them together into “Your file”, or read
            them on the command line; who answered, trials, times and catch trials are found by themselves.
          </p>
          <pre class="study-command">
            <code>npx @curvature/cli ordinal answers/*.csv --test 0.2 --plot map.svg</code>
          </pre>
          <p>
            <button type="button" class="quiet" onClick={onAnswers}>
              Read answers
            </button>
          </p>
        </Panel>
      </div>
    </div>
  );
}

const minutes = (trials: number): string => {
  const count = Math.max(1, Math.round((trials * 3) / 60));
  return count === 1 ? "about a minute" : `some ${count} minutes`;
};
