import { useMemo, useState } from "preact/hooks";
import { coloringOf, looksOf } from "../../plot/coloring.js";
import { Scatter } from "../../plot/scatter.js";
import { useTheme } from "../../shell/theme.js";
import type { DrawnSet } from "./drawn-set.js";
import { layOut, mostDrawn, nameOf, nameSizes, type Spot, shortName, side } from "./layout.js";
import { thingSize } from "./map-picture.js";
import { Thing } from "./thing.js";
import type { ShownMap } from "./use-mapping.js";

interface MapPanelProps {
  readonly map: ShownMap | undefined;
  readonly set: DrawnSet | undefined;
  /** Where the objects really are. */
  readonly truth: ArrayLike<number> | undefined;
  readonly label: string;
}

/** The map as it is, with what has no place yet below it. */
export function MapPanel({ map, set, truth, label }: MapPanelProps) {
  const [isNarrow] = useState(() => window.matchMedia("(max-width: 40rem)").matches);
  const count = map === undefined ? (set?.things.length ?? 0) : map.places.shown.length / 2;
  if (map !== undefined && count > mostDrawn) return <ManyPoints map={map} label={label} />;
  const names = Array.from({ length: count }, (_, k) => set?.things[k].name ?? nameOf(map?.names, k));
  const nameSize = isNarrow ? nameSizes.narrow : nameSizes.wide;
  const spots =
    map === undefined
      ? parked(set?.things.length ?? 0)
      : layOut(map.places, set === undefined ? names : undefined, truth, nameSize);
  const placed = new Set(spots.map(({ object }) => object));
  const waiting = names.map((_, object) => object).filter((object) => !placed.has(object));
  return (
    <div class="ordinal-map">
      <svg
        class={map === undefined ? "ordinal-parked" : ""}
        viewBox={`0 0 ${side} ${side}`}
        role="img"
        aria-label={label}
        font-size={nameSize}
      >
        {map === undefined && (
          <text class="ordinal-empty" x={side / 2} y={side / 2} text-anchor="middle">
            {set === undefined ? "No map yet." : "The map begins with the first answer."}
          </text>
        )}
        {spots.map(
          ({ object, x, y, truth: to }) =>
            to !== undefined && <path key={object} class="ordinal-way" d={`M${x} ${y}L${to[0]} ${to[1]}`} />,
        )}
        {spots.map((spot) => (
          <SpotMark key={spot.object} spot={spot} name={names[spot.object]} set={set} />
        ))}
      </svg>
      {waiting.length > 0 && <Waiting waiting={waiting} names={names} set={set} />}
    </div>
  );
}

/** Around the frame, in no order that says anything, until they are placed. */
function parked(count: number): readonly Spot[] {
  return Array.from({ length: count }, (_, object) => {
    const angle = (2 * Math.PI * ((7 * object) % count)) / count;
    const [x, y] = [side / 2 + 0.41 * side * Math.sin(angle), side / 2 - 0.41 * side * Math.cos(angle)];
    return { object, x, y, truth: undefined, label: undefined };
  });
}

interface SpotProps {
  readonly spot: Spot;
  readonly name: string;
  readonly set: DrawnSet | undefined;
}

function SpotMark({ spot: { object, x, y, label }, name, set }: SpotProps) {
  return (
    <>
      <g class="ordinal-spot" style={{ transform: `translate(${x}px, ${y}px)` }}>
        <title>{name}</title>
        {set === undefined ? (
          <circle class="ordinal-point" r={3.5} />
        ) : (
          <Thing drawing={set.things[object].drawing} size={thingSize} />
        )}
      </g>
      {label !== undefined && (
        <text x={label.x} y={label.y} text-anchor={label.anchor}>
          {shortName(name)}
        </text>
      )}
    </>
  );
}

interface WaitingProps {
  readonly waiting: readonly number[];
  readonly names: readonly string[];
  readonly set: DrawnSet | undefined;
}

function Waiting({ waiting, names, set }: WaitingProps) {
  return (
    <p class="ordinal-waiting hint">
      <span>In no answer yet:</span>
      {set === undefined
        ? waiting.map((object) => names[object]).join(", ")
        : waiting.map((object) => (
            <svg key={object} viewBox="-11 -11 22 22" role="img" aria-label={names[object]}>
              <Thing drawing={set.things[object].drawing} size={10} />
            </svg>
          ))}
    </p>
  );
}

const nothing = (): void => undefined;

function ManyPoints({ map, label }: { readonly map: ShownMap; readonly label: string }) {
  const theme = useTheme();
  const { shown } = map.places;
  const looks = useMemo(() => looksOf(coloringOf(undefined), shown.length / 2, theme), [shown.length, theme]);
  return (
    <Scatter
      label={label}
      positions={shown}
      looks={looks}
      mode="pan"
      describe={(point) => nameOf(map.names, point)}
      onLasso={nothing}
    />
  );
}
