/** The layers of a run, to go to; those of sequences that were given up, too. */
import { Toggle } from "../../controls/toggles.js";
import type { NomadRun } from "./nomad-run.js";
import type { Still } from "./task.js";

interface LayersStripProps {
  readonly run: NomadRun;
  readonly shown: Still;
  /** With the place of a layer's last still. */
  readonly onShow: (still: number) => void;
}

interface Step {
  readonly stage: number;
  readonly clusters: number;
  readonly components: number;
  readonly still: number;
}

export function LayersStrip({ run, shown, onShow }: LayersStripProps) {
  const steps = stepsOf(run.stills);
  if (steps.length < 2) return null;
  const count = run.answer?.givenUp ?? 0;
  const givenUp = steps.filter(({ stage }) => stage < count);
  const kept = steps.filter(({ stage }) => stage >= count);
  return (
    <fieldset class="layers-strip">
      <legend class="visually-hidden">Layers</legend>
      <Steps steps={kept} shown={shown} onShow={onShow} />
      {givenUp.length > 0 && (
        <details>
          <summary>{givenUp.length} layers of sequences that were tried before and given up</summary>
          <Steps steps={givenUp} shown={shown} onShow={onShow} />
        </details>
      )}
    </fieldset>
  );
}

interface StepsProps extends Pick<LayersStripProps, "shown" | "onShow"> {
  readonly steps: readonly Step[];
}

function Steps({ steps, shown, onShow }: StepsProps) {
  return (
    <div class="row">
      {steps.map(({ stage, clusters, components, still }) => (
        <Toggle key={stage} isOn={shown.stage === stage} onClick={() => onShow(still)}>
          K {clusters}: {components === 1 ? "one piece" : `${components} components`}
        </Toggle>
      ))}
    </div>
  );
}

/** The last still of each layer. */
function stepsOf(stills: readonly Still[]): readonly Step[] {
  const steps = new Map<number, Step>();
  for (const [still, { stage, clusters, components }] of stills.entries())
    steps.set(stage, { stage, clusters, components, still });
  return [...steps.values()];
}
