import { useState } from "preact/hooks";
import { formatPlace } from "../state/location.js";
import { applyTheme, storedTheme, type ThemeChoice } from "./theme.js";
import type { View } from "./view.js";

interface HeaderProps {
  readonly views: readonly View[];
  readonly current: string;
  /** The query with which a view was left. */
  readonly queryOf: (view: string) => string;
}

export function Header({ views, current, queryOf }: HeaderProps) {
  return (
    <header class="site-header">
      <button type="button" class="skip" onClick={skip}>
        Skip to the content
      </button>
      <a class="brand" href={formatPlace({ view: views[0].id, query: "" })}>
        <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
          <path
            d="M4 7c3 17 8 19 12 19s9-2 12-19"
            fill="none"
            stroke="currentColor"
            stroke-width="2.6"
            stroke-linecap="round"
          />
          <circle cx="16" cy="26" r="3" class="brand-point" />
        </svg>
        curvature
      </a>
      <nav aria-label="Views">
        <ul>
          {views.map(({ id, title }) => (
            <li key={id}>
              <a
                href={formatPlace({ view: id, query: queryOf(id) })}
                aria-current={id === current ? "page" : undefined}
              >
                {title}
              </a>
            </li>
          ))}
          <li>
            <a href="../index.html">Documentation</a>
          </li>
        </ul>
      </nav>
      <ThemeButton />
    </header>
  );
}

/** Not a link, since the address's hash belongs to the views. */
function skip(): void {
  document.getElementById("main")?.focus();
}

const next: Readonly<Record<ThemeChoice, ThemeChoice>> = { system: "light", light: "dark", dark: "system" };
const names: Readonly<Record<ThemeChoice, string>> = { system: "Auto", light: "Light", dark: "Dark" };

function ThemeButton() {
  const [choice, setChoice] = useState(storedTheme);
  const change = (): void => {
    applyTheme(next[choice]);
    setChoice(next[choice]);
  };
  return (
    <button
      type="button"
      class="quiet theme"
      onClick={change}
      aria-label={`Colours: ${names[choice]}. Change to ${names[next[choice]]}.`}
    >
      <svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true">
        <circle cx="10" cy="10" r="7.5" fill="none" stroke="currentColor" stroke-width="1.6" />
        <path d="M10 2.5a7.5 7.5 0 0 1 0 15z" fill="currentColor" />
      </svg>
      {names[choice]}
    </button>
  );
}
