/** Light or dark: the system's wish, unless the user has chosen. */
import { useEffect, useState } from "preact/hooks";
import { forget, recall, remember } from "../state/memory.js";

export type Theme = "light" | "dark";
export type ThemeChoice = Theme | "system";

const darkQuery = "(prefers-color-scheme: dark)";

export function storedTheme(): ThemeChoice {
  const stored = recall("theme");
  return stored === "light" || stored === "dark" ? stored : "system";
}

export function applyTheme(choice: ThemeChoice): void {
  if (choice === "system") {
    delete document.documentElement.dataset.theme;
    forget("theme");
  } else {
    document.documentElement.dataset.theme = choice;
    remember("theme", choice);
  }
  window.dispatchEvent(new Event("themechange"));
}

function themeShown(): Theme {
  const { theme } = document.documentElement.dataset;
  if (theme === "light" || theme === "dark") return theme;
  return window.matchMedia(darkQuery).matches ? "dark" : "light";
}

/** The theme that is shown, for what is drawn and not styled. */
export function useTheme(): Theme {
  const [theme, setTheme] = useState(themeShown);
  useEffect(() => {
    const heard = (): void => setTheme(themeShown());
    const media = window.matchMedia(darkQuery);
    media.addEventListener("change", heard);
    window.addEventListener("themechange", heard);
    return () => {
      media.removeEventListener("change", heard);
      window.removeEventListener("themechange", heard);
    };
  }, []);
  return theme;
}

/** Whether the user asked the system for less motion. */
export const wantsLessMotion = (): boolean => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
