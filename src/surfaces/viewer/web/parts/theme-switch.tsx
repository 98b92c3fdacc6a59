import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
const SIGNS: Record<Theme, string> = { system: '◐', light: '☀', dark: '☾' };

/** Cycles through the themes; the choice is stored in this browser. */
export function ThemeSwitch(): JSX.Element {
  const theme = useSignal<Theme>(current());
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
  return (
    <button
      type="button"
      class="quiet"
      aria-label={`Theme: ${theme.value}. Change to ${next}.`}
      title={`Theme: ${theme.value}`}
      onClick={() => {
        theme.value = next;
        choose(next);
      }}
    >
      <span aria-hidden="true">{SIGNS[theme.value]}</span>
    </button>
  );
}

function current(): Theme {
  return THEMES.find((one) => one === document.documentElement.dataset.theme) ?? 'system';
}

function choose(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem('git-mem-theme');
    else localStorage.setItem('git-mem-theme', theme);
  } catch {
    // Storage may be unavailable: then it applies to this page only.
  }
}
