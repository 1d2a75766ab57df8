import { loadEurodist } from "@curvature/datasets/eurodist";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Fault, Notice } from "../../controls/notice.js";
import { Panel } from "../../controls/panel.js";
import { Toggles } from "../../controls/toggles.js";
import { useVisitorFile } from "../../data/use-source.js";
import { baseName } from "../../export/save.js";
import type { ViewProps } from "../../shell/view.js";
import { recall, remember } from "../../state/memory.js";
import { type Answer, answersField, answersText } from "./answers.js";
import { CityControls, FileControls, MoreControls } from "./controls.js";
import { ErrorCurve } from "./error-curve.js";
import { Figures, HeldOut, percent } from "./figures.js";
import { MapPanel } from "./map-panel.js";
import { type DrawnName, fields, isDrawn, type OrdinalState, type SetKind, setNames } from "./options.js";
import { QuestionPanel, ruleAnswers } from "./question-panel.js";
import { drawnSets } from "./sets.js";
import type { StudyPanel } from "./study/study-panel.js";
import "./style.css";
import { TakeAway } from "./take-away.js";
import { type ShownMap, useMapping } from "./use-mapping.js";

const memoryName = (set: DrawnName): string => `ordinal.${set}`;
const remembered = (set: DrawnName): readonly Answer[] =>
  answersField.parse(recall(memoryName(set)) ?? "") ?? [];

export function OrdinalScreen(view: ViewProps<OrdinalState>) {
  const { state, update } = view;
  const { set } = state;
  const own = useVisitorFile("ordinal", (isFile) => turnTo(isFile ? "file" : "colors"));
  const { file, files } = own.actions;
  const [removed, setRemoved] = useState<readonly Answer[]>([]);
  /** Answers of an earlier visit, where the link has others. */
  const [mine, setMine] = useState<readonly Answer[]>([]);
  const truth = useMemo(() => (set === "cities" ? loadEurodist().positions.data : undefined), [set]);

  const setAnswers = (answers: readonly Answer[]): void => {
    if (isDrawn(set)) remember(memoryName(set), answersText(answers));
    update({ answers });
  };
  const mapping = useMapping(state, files, setAnswers);
  const { map, latest, trail = [] } = mapping.run ?? {};

  const turnTo = (next: SetKind): void => {
    setRemoved([]);
    setMine([]);
    update({ set: next, answers: isDrawn(next) ? remembered(next) : [] });
  };
  useEffect(() => setMine(otherAnswers(state)), [set]);
  const drawn = isDrawn(set) ? drawnSets[set] : undefined;
  const name = drawn?.name ?? (set === "cities" ? "cities" : baseName(file?.name ?? "") || "answers");
  return (
    <div class="stack">
      <fieldset class="row ordinal-sets">
        <legend class="visually-hidden">{fields.set.words.label}</legend>
        <Toggles names={setNames} value={set} onChange={turnTo} />
      </fieldset>
      <Fault sentence={own.refusal} />
      {set === "file" && own.isMissing && (
        <p class="notice" role="status">
          Choose a file of comparisons to see its map. Links hold no files: they are never sent anywhere.
        </p>
      )}
      {removed.length > 0 && (
        <Notice
          sentence={`${removed.length} answers were taken away.`}
          button="Bring them back"
          onPress={() => {
            setRemoved([]);
            setAnswers(removed);
          }}
        />
      )}
      {mine.length > 0 && (
        <Notice
          sentence={
            state.answers.length === 0
              ? "There are answers of your last visit; they are kept until you give others."
              : "These answers came with the link; yours of the last visit are kept until you give others."
          }
          button={`Show my ${mine.length} answers`}
          onPress={() => {
            setMine([]);
            update({ answers: mine });
          }}
        />
      )}
      {set === "study" ? (
        <LoadedStudy onAnswers={() => turnTo("file")} />
      ) : (
        <div class="ordinal-layout">
          <div class="stack">
            {drawn !== undefined && (
              <QuestionPanel
                key={set}
                set={drawn}
                answers={state.answers}
                question={mapping.question}
                isExhausted={mapping.isExhausted}
                isAnswering={mapping.run?.isAnswering === true}
                count={(map?.trained ?? 0) + (map?.tested ?? 0)}
                onAnswer={(given) => {
                  setMine([]);
                  setRemoved([]);
                  setAnswers([...state.answers, given]);
                }}
                onRule={() => {
                  setMine([]);
                  setRemoved([]);
                  mapping.answerByRule(ruleAnswers);
                }}
                onStop={mapping.stop}
                onUndo={() => setAnswers(state.answers.slice(0, -1))}
                onClear={() => {
                  setRemoved(state.answers);
                  setAnswers([]);
                }}
              />
            )}
            {set === "cities" && <CityControls {...view} />}
            {set === "file" && <FileControls own={own.actions} reading={latest?.reading} {...view} />}
          </div>
          <Panel title={drawn === undefined ? `${setNames[set]}: the map` : `Your map of ${drawn.name}`}>
            <HeldOut map={map} />
            <MapPanel map={map} set={drawn} truth={truth} label={mapWords(map, setNames[set])} />
            <Figures mapping={mapping} set={set} />
            <ErrorCurve trail={trail} />
          </Panel>
          <MoreControls {...view} />
        </div>
      )}
      {latest?.places !== undefined && (
        <TakeAway state={state} material={latest.material} places={latest.places} truth={truth} name={name} />
      )}
    </div>
  );
}

/** Loaded when somebody wants to make one. */
function LoadedStudy({ onAnswers }: { readonly onAnswers: () => void }) {
  const [Loaded, setLoaded] = useState<{ readonly panel: typeof StudyPanel } | undefined>();
  const [failure, setFailure] = useState("");
  useEffect(() => {
    import("./study/study-panel.js").then(
      (loaded) => setLoaded({ panel: loaded.StudyPanel }),
      (error: unknown) => setFailure(`This part could not be loaded (${String(error)}).`),
    );
  }, []);
  if (failure !== "") return <Fault sentence={failure} onRetry={() => window.location.reload()} />;
  return Loaded === undefined ? <p class="loading">Loading …</p> : <Loaded.panel onAnswers={onAnswers} />;
}

/** What the browser remembers, where that is something else than the link says. */
function otherAnswers({ set, answers }: OrdinalState): readonly Answer[] {
  if (!isDrawn(set)) return [];
  const own = remembered(set);
  return answersText(own) === answersText(answers) ? [] : own;
}

function mapWords(map: ShownMap | undefined, set: string): string {
  if (map === undefined) return `${set}: no map yet`;
  const { places, trained } = map;
  const error = places.testError === undefined ? "" : `; held-out error ${percent(places.testError)}`;
  return `${set}: a map of ${places.shown.length / 2} objects from ${trained} answers${error}`;
}
