const KEY = 'theme'
export type Theme = 'light' | 'dark' | null

/** The user's choice in this browser; null: as the system has it. */
export function keptTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEY)
    return kept === 'light' || kept === 'dark' ? kept : null
  } catch {
    return null
  }
}

export function setTheme(theme: Theme): void {
  show(theme)
  try {
    if (theme) localStorage.setItem(KEY, theme)
    else localStorage.removeItem(KEY)
  } catch {
    // No storage: in this page only.
  }
}

export function toggleTheme(): void {
  const shown = document.documentElement.dataset.theme
  const isDark = shown ? shown === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  setTheme(isDark ? 'light' : 'dark')
}

export function startTheme(): void {
  show(keptTheme())
}

function show(theme: Theme): void {
  if (theme) document.documentElement.dataset.theme = theme
  else delete document.documentElement.dataset.theme
}
