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

/**
 * Browsers take 100 new addresses in 30 s and refuse more, some by an exception: a slider that is dragged makes that
 * many. So many may come at once, and so many per second.
 */
const burst = 40;
const rate = 1.9;

class AddressBar {
  private left = burst;
  private countedAt = 0;
  /** What the address will say when it may be changed again. */
  private waiting: string | undefined;
  /** The address when that began: who has gone elsewhere since is not called back. */
  private shown = "";
  private timer: ReturnType<typeof setTimeout> | undefined;

  show(hash: string): void {
    clearTimeout(this.timer);
    this.waiting = hash;
    this.shown = window.location.hash;
    this.flush();
  }

  private flush(): void {
    const { waiting, shown } = this;
    if (waiting === undefined || window.location.hash !== shown) return;
    const now = performance.now();
    this.left = Math.min(burst, this.left + ((now - this.countedAt) * rate) / 1000);
    this.countedAt = now;
    if (waiting !== shown && this.left < 1) {
      this.timer = setTimeout(() => this.flush(), ((1 - this.left) * 1000) / rate);
      return;
    }
    this.waiting = undefined;
    if (waiting === shown) return;
    this.left--;
    window.history.replaceState(null, "", waiting);
  }
}

const addressBar = new AddressBar();

/** Changes the address without a new entry in the tab's history, so that Back leaves the view and not the last slider. */
export const replacePlace = (place: Place): void => addressBar.show(formatPlace(place));

/** Hears of places that the user goes to by a link, Back or the address bar. */
export function onPlace(listener: (place: Place) => void): () => void {
  const heard = () => listener(parsePlace(window.location.hash));
  window.addEventListener("hashchange", heard);
  return () => window.removeEventListener("hashchange", heard);
}
