/** The frame around the views: which one is shown, its state in the address, and what is remembered of it. */
import { useCallback, useEffect, useLayoutEffect, useState } from "preact/hooks";
import { Fault, Notice } from "../controls/notice.js";
import { formatPlace, onPlace, type Place, parsePlace, replacePlace } from "../state/location.js";
import { recall, remember } from "../state/memory.js";
import { ErrorBoundary } from "./error-boundary.js";
import { Header } from "./header.js";
import type { Screen, View } from "./view.js";

interface AppProps {
  readonly views: readonly View[];
}

const queryName = (view: string): string => `view.${view}`;

interface Arrival {
  readonly place: Place;
  /** Names in the link that meant nothing. */
  readonly ignored: readonly string[];
}

/** The address's place; without one, where the last visit ended, or else the first view. */
function firstArrival(views: readonly View[]): Arrival {
  const { hash } = window.location;
  return arrival(views, parsePlace(hash.length > 1 ? hash : (recall("place") ?? "")));
}

function arrival(views: readonly View[], place: Place): Arrival {
  const view = views.find(({ id }) => id === place.view);
  if (view === undefined) return { place: { view: views[0].id, query: "" }, ignored: [] };
  const { query, ignored } = view.read(place.query);
  return { place: { view: view.id, query }, ignored };
}

export function App({ views }: AppProps) {
  const [{ place, ignored }, arrive] = useState(() => firstArrival(views));
  const view = views.find(({ id }) => id === place.view) ?? views[0];

  useEffect(() => onPlace((next) => arrive(arrival(views, next))), [views]);
  // At once: the tab may be closed in the next moment.
  useLayoutEffect(() => {
    replacePlace(place);
    remember("place", formatPlace(place));
    remember(queryName(place.view), place.query);
  }, [place]);
  useEffect(() => {
    document.title = `${view.title} · curvature`;
  }, [view]);

  useEffect(keepDropsHere, []);

  const dismiss = (): void => arrive({ place, ignored: [] });
  const onQuery = useCallback(
    (query: string) => arrive(({ ignored }) => ({ place: { view: view.id, query }, ignored })),
    [view],
  );
  const queryOf = (id: string): string => (id === place.view ? place.query : (recall(queryName(id)) ?? ""));
  return (
    <>
      <Header views={views} current={view.id} queryOf={queryOf} />
      <main id="main" tabIndex={-1}>
        <div class="view-heading">
          <h1>{view.title}</h1>
          <p>{view.summary}</p>
        </div>
        {ignored.length > 0 && (
          <Notice
            sentence={`The link says something that means nothing here and was ignored: ${ignored.join(", ")}.`}
            button="Dismiss"
            onPress={dismiss}
          />
        )}
        <ErrorBoundary key={view.id}>
          <LoadedView view={view} query={place.query} onQuery={onQuery} />
        </ErrorBoundary>
      </main>
      <footer class="site-footer">
        <p>
          Everything is computed in this browser. Your data stays on your machine: the site loads nothing from
          elsewhere and sends nothing.
        </p>
      </footer>
    </>
  );
}

/** A file that is dropped beside its field would take the place of the page, and of all that it shows. */
function keepDropsHere(): () => void {
  const keep = (event: DragEvent): void => {
    if (event.defaultPrevented || event.dataTransfer === null) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  };
  window.addEventListener("dragover", keep);
  window.addEventListener("drop", keep);
  return () => {
    window.removeEventListener("dragover", keep);
    window.removeEventListener("drop", keep);
  };
}

interface LoadedViewProps {
  readonly view: View;
  readonly query: string;
  readonly onQuery: (query: string) => void;
}

function LoadedView({ view, query, onQuery }: LoadedViewProps) {
  const [loaded, setLoaded] = useState<{ readonly id: string; readonly screen: Screen } | undefined>();
  const [failure, setFailure] = useState<string | undefined>();
  useEffect(() => {
    let isCurrent = true;
    setFailure(undefined);
    view.load().then(
      (screen) => isCurrent && setLoaded({ id: view.id, screen }),
      (error: unknown) => isCurrent && setFailure(String(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [view]);
  if (failure !== undefined)
    return (
      <Fault
        sentence={`This view could not be loaded (${failure}). Check the connection, and try again.`}
        // A page remembers which modules it could not load; a new one asks for them again, and the address has the state.
        onRetry={() => window.location.reload()}
      />
    );
  if (loaded?.id !== view.id) return <p class="loading">Loading the view …</p>;
  return loaded.screen(query, onQuery);
}
