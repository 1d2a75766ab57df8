/**
 * The answers of those who answer in this browser: given once, they survive a reload, a closed tab and a power cut. A browser that
 * keeps nothing is said to be one.
 */
import type { Given } from "../answers-file.js";
import { markOf, type Study } from "../study.js";

export interface Session {
  readonly participant: string;
  readonly given: readonly Given[];
}

const prefix = "curvature.study.";

export class Sessions {
  private readonly key: string;
  /** Whether what was kept last can be found again. */
  isKept = true;
  private all: readonly Session[];

  constructor(study: Study) {
    this.key = prefix + markOf(JSON.stringify(study));
    this.all = this.read();
  }

  /** The last one that was worked on. */
  get latest(): Session | undefined {
    return this.all.at(-1);
  }

  of(participant: string): Session {
    return this.all.find((session) => session.participant === participant) ?? { participant, given: [] };
  }

  keep(session: Session): void {
    this.all = [...this.all.filter(({ participant }) => participant !== session.participant), session];
    this.write();
  }

  forget(participant: string): void {
    this.all = this.all.filter((session) => session.participant !== participant);
    this.write();
  }

  private write(): void {
    try {
      window.localStorage.setItem(this.key, JSON.stringify(this.all));
      this.isKept = true;
    } catch {
      this.isKept = false;
    }
  }

  private read(): readonly Session[] {
    try {
      const found = sessionsIn(window.localStorage.getItem(this.key));
      window.localStorage.setItem(this.key, JSON.stringify(found));
      return found;
    } catch {
      this.isKept = false;
      return [];
    }
  }
}

/** What another version or another page has written under this name is nothing. */
function sessionsIn(text: string | null): Session[] {
  if (text === null) return [];
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return [];
  }
  return Array.isArray(found) ? found.filter(isSession) : [];
}

function isSession(value: unknown): value is Session {
  if (typeof value !== "object" || value === null) return false;
  const { participant, given }: { participant?: unknown; given?: unknown } = value;
  const isGiven = (each: unknown): boolean =>
    Array.isArray(each) &&
    each.length === 2 &&
    (each[0] === 0 || each[0] === 1 || each[0] === 2) &&
    Number.isFinite(each[1]);
  return typeof participant === "string" && Array.isArray(given) && given.every(isGiven);
}
