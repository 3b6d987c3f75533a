/** Light or dark: the setting of the system, unless the user chose. */
const listeners = new Set<(dark: boolean) => void>();
const system = matchMedia('(prefers-color-scheme: dark)');
const KEY = 'pliant.theme';

export function isDark(): boolean {
  const chosen = localStorage.getItem(KEY);
  return chosen ? chosen === 'dark' : system.matches;
}

export function toggleTheme(): void {
  localStorage.setItem(KEY, isDark() ? 'light' : 'dark');
  apply();
}

export function onTheme(listener: (dark: boolean) => void): void {
  listeners.add(listener);
}

function apply(): void {
  document.documentElement.dataset['theme'] = isDark() ? 'dark' : 'light';
  for (const listener of listeners) listener(isDark());
}

system.addEventListener('change', apply);
apply();
