/** What one takes home: the answers, the map, a picture, code. */
import { useState } from "preact/hooks";
import { CodeBlock } from "../../export/code-block.js";
import { saveFile } from "../../export/save.js";
import { useTheme } from "../../shell/theme.js";
import { answersCsv, commandOf, fileNames, mapCsv, namesText, typescriptOf } from "./code.js";
import { layOut, mostDrawn, nameOf } from "./layout.js";
import { type MapPicture, mapPng, mapSvg } from "./map-picture.js";
import { isDrawn, type OrdinalState } from "./options.js";
import { drawnSets } from "./sets.js";
import type { Material, Places } from "./task.js";

interface TakeAwayProps {
  readonly state: OrdinalState;
  readonly material: Material;
  readonly places: Places;
  readonly truth: ArrayLike<number> | undefined;
  /** For files: "colours", "cities", a file's name without its ending. */
  readonly name: string;
}

export function TakeAway({ state, material, places, truth, name }: TakeAwayProps) {
  const theme = useTheme();
  const [problem, setProblem] = useState("");
  const files = fileNames(name);
  const { names, train, test } = material;
  const picture = (): MapPicture => {
    const set = isDrawn(state.set) ? drawnSets[state.set] : undefined;
    const all = Array.from({ length: train.objects }, (_, k) => nameOf(names, k));
    const isNamed = set === undefined && train.objects <= mostDrawn;
    return {
      title: `${name}: a map of ${train.quadruplets.length / 4} answers`,
      spots: layOut(places, isNamed ? all : undefined, truth),
      names: all,
      drawings: set?.things.map(({ drawing }) => drawing),
      theme,
    };
  };
  const savePng = (): void => {
    mapPng(picture()).then(
      (blob) => saveFile(`${name}-map.png`, blob, "image/png"),
      (error: unknown) => setProblem(String(error)),
    );
  };
  const saves: readonly (readonly [string, () => void])[] = [
    [
      "Map (CSV)",
      () =>
        saveFile(
          `${name}-map.csv`,
          mapCsv(places.map, (k) => nameOf(names, k)),
          "text/csv",
        ),
    ],
    ["Answers (CSV)", () => saveFile(files.answers, answersCsv(train, names), "text/csv")],
    ["Kept back (CSV)", () => saveFile(files.keptBack, answersCsv(test, names), "text/csv")],
    ["Names (TXT)", () => names !== undefined && saveFile(files.names, namesText(names), "text/plain")],
    ["Picture (SVG)", () => saveFile(`${name}-map.svg`, mapSvg(picture()), "image/svg+xml")],
    ["Picture (PNG)", savePng],
  ];
  return (
    <section class="panel stack" aria-labelledby="ordinal-take">
      <h2 id="ordinal-take">Take it away</h2>
      <div class="row">
        {saves.map(([title, save]) => (
          <button
            key={title}
            type="button"
            class="quiet"
            disabled={
              (title === "Kept back (CSV)" && test.quadruplets.length === 0) ||
              (title === "Names (TXT)" && names === undefined)
            }
            onClick={save}
          >
            {title}
          </button>
        ))}
      </div>
      {problem !== "" && (
        <p class="bad" role="alert">
          {problem}
        </p>
      )}
      <CodeBlock title="TypeScript" code={typescriptOf(state, material, name)} />
      <CodeBlock
        title="Command line, with the files saved as above"
        code={commandOf(state, material, name)}
      />
    </section>
  );
}
