/** The address's hash: `#/view?name=value&…`. */
export interface Place {
  /** A view's id; empty for none. */
  readonly view: string;
  readonly query: string;
}

export function parsePlace(hash: string): Place {
  const match = /^#\/?([a-z0-9-]{0,40})(?:\?(.*))?$/s.exec(hash);
  return match === null ? { view: "", query: "" } : { view: match[1], query: match[2] ?? "" };
}

export function formatPlace({ view, query }: Place): string {
  return `#/${view}${query === "" ? "" : `?${query}`}`;
}

/** Changes the address without a new entry in the tab's history, so that Back leaves the view and not the last slider. */
export function replacePlace(place: Place): void {
  const hash = formatPlace(place);
  if (hash !== window.location.hash) window.history.replaceState(null, "", hash);
}

/** Hears of places that the user goes to by a link, Back or the address bar. */
export function onPlace(listener: (place: Place) => void): () => void {
  const heard = () => listener(parsePlace(window.location.hash));
  window.addEventListener("hashchange", heard);
  return () => window.removeEventListener("hashchange", heard);
}
