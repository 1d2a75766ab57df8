/** What one takes home: the answers, the map, a picture, code. */
import { saving, savingPicture } from "../../export/save.js";
import { TakeAwayPanel } from "../../export/take-away-panel.js";
import { useTheme } from "../../shell/theme.js";
import { answersCsv, commandOf, fileNames, mapCsv, namesText, typescriptOf } from "./code.js";
import { layOut, mostDrawn, nameOf } from "./layout.js";
import { mapSvg } from "./map-picture.js";
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
  const files = fileNames(name);
  const { names, train, test } = material;
  const picture = (): string => {
    const set = isDrawn(state.set) ? drawnSets[state.set] : undefined;
    const all = Array.from({ length: train.objects }, (_, k) => nameOf(names, k));
    const isNamed = set === undefined && train.objects <= mostDrawn;
    return mapSvg({
      title: `${name}: a map of ${train.quadruplets.length / 4} answers`,
      spots: layOut(places, isNamed ? all : undefined, truth),
      names: all,
      drawings: set?.things.map(({ drawing }) => drawing),
      theme,
    });
  };
  return (
    <TakeAwayPanel
      title="Take it away"
      saves={[
        saving("Map (CSV)", `${name}-map.csv`, () => mapCsv(places.map, (k) => nameOf(names, k))),
        saving("Answers (CSV)", files.answers, () => answersCsv(train, names)),
        saving(
          "Kept back (CSV)",
          files.keptBack,
          test.quadruplets.length === 0 ? undefined : () => answersCsv(test, names),
        ),
        saving("Names (TXT)", files.names, names && (() => namesText(names))),
        ...savingPicture("Picture", `${name}-map`, picture),
      ]}
      codes={[
        { title: "TypeScript", code: typescriptOf(state, material, name) },
        { title: "Command line, with the files saved as above", code: commandOf(state, material, name) },
      ]}
    />
  );
}
