/**
 * What the browser keeps between visits: small texts under names. A browser that keeps nothing (private window, storage
 * switched off) is as good as a new one.
 */
const prefix = "curvature.";

export function recall(name: string): string | undefined {
  try {
    return window.localStorage.getItem(prefix + name) ?? undefined;
  } catch {
    return undefined;
  }
}

export function remember(name: string, text: string): void {
  try {
    window.localStorage.setItem(prefix + name, text);
  } catch {
    // no storage, or it is full: the link still holds the state
  }
}

export function forget(name: string): void {
  try {
    window.localStorage.removeItem(prefix + name);
  } catch {
    // nothing was kept
  }
}
